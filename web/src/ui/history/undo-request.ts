import { undoChange } from '@limber/contract/access/history/history.ts'
import { send } from '#platform/api/api.ts'
import { toast, toastFailure } from '../feedback/toast-store.ts'

/** Undoes what a request changed. Screens that show it are told by the live updates. */
export const undoRequest = (request: string) =>
  send(undoChange, { body: { request } }).then(
    () => toast('Undone.'),
    (error: unknown) => toastFailure("Couldn't undo the change", error),
  )
