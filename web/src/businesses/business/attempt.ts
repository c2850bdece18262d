import { messageOf } from '#platform/api/api.ts'
import { toastFailure } from '#ui/feedback/toast-store.ts'

/**
 * Shows the result of a change, with the server's text when it failed. Mutation callbacks do not run after their row is
 * removed from the screen, and a deleted row is removed at once.
 */
export async function attempt<T>(
  change: Promise<T>,
  onDone: (result: T) => void,
  onFailure: (error: unknown) => void = (error) => toastFailure(messageOf(error), error),
): Promise<void> {
  let result: T
  try {
    result = await change
  } catch (error) {
    onFailure(error)
    return
  }
  onDone(result)
}
