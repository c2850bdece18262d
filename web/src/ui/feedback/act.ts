import { confirm, type Question } from '../dialog/confirm.ts'
import { toastFailure } from './toast-store.ts'

/** Asks first if needed, then makes a change and says so. Resolves when it is over, however it ended. */
export async function act<Reply>(
  change: () => Promise<Reply>,
  { ask, done, failed }: { ask?: Question; done: (reply: Reply) => unknown; failed: string },
): Promise<void> {
  if (ask && !(await confirm(ask))) return
  await change().then(done, (error: unknown) => toastFailure(failed, error))
}
