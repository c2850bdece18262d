import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { lastRequests } from '#platform/api/request.ts'
import { toast } from '../feedback/toast-store.ts'

export const UNDO_DURATION = 10_000

/** Says what the last request of a call changed, with Undo. */
export function toastUndo(text: string, call: CallDefinition, { detail }: { detail?: string } = {}) {
  const request = lastRequests.get(call)
  toast(text, {
    ...(detail && { detail }),
    ...(request && {
      duration: UNDO_DURATION,
      action: {
        label: 'Undo',
        run: () => void import('./undo-request.ts').then(({ undoRequest }) => undoRequest(request)),
      },
    }),
  })
}
