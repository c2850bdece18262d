import { requests } from '#platform/api/request.ts'
import { toast } from '../feedback/toast-store.ts'

export const UNDO_DURATION = 10_000

/** Says what a request changed, with Undo. `reply` is its reply, or the record in it. */
export function toastUndo(text: string, reply: unknown, { detail }: { detail?: string } = {}) {
  const request = requests.get(reply as object)
  toast(text, {
    ...(detail && { detail }),
    ...(request && {
      duration: UNDO_DURATION,
      records: request.records,
      action: {
        label: 'Undo',
        run: () => void import('./undo-request.ts').then(({ undoRequest }) => undoRequest(request.id)),
      },
    }),
  })
}
