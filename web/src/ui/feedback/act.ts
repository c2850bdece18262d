import { confirm, type Question } from '../dialog/confirm.ts'
import { toastFailure } from './toast-store.ts'

/** Asks first if needed, then makes a change and says so. Resolves to whether it was made. */
export async function act<Reply>(
  change: () => Promise<Reply>,
  { ask, done, failed }: { ask?: Question; done: (reply: Reply) => unknown; failed: string },
): Promise<boolean> {
  if (ask && !(await confirm(ask))) return false
  return change().then(
    (reply) => {
      done(reply)
      return true
    },
    (error: unknown) => {
      toastFailure(failed, error)
      return false
    },
  )
}
