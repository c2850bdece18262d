import { wordsOf } from '#platform/api/api.ts'
import { toastFailure } from '#ui/feedback/toast-store.ts'

/**
 * Says what became of a change, in the server's words when it failed. The callbacks of a mutation are not called once
 * their row is gone from the screen, and what was deleted is gone at once.
 */
export async function attempt<T>(
  change: Promise<T>,
  onDone: (result: T) => void,
  onFailure: (error: unknown) => void = (error) => toastFailure(wordsOf(error), error),
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
