import { type Notification, UNDO_SECONDS } from '@limber/contract/support/notifications/notification.ts'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { useUndoNotification } from './notification.api.ts'
import { peopleText } from './notification-labels.ts'

/** Undoes a notification and shows the result. The toast with Undo can outlive its screen. */
export function useUndo() {
  const { mutateAsync, isPending } = useUndoNotification()
  const undo = (id: number) =>
    void mutateAsync({ params: { id: String(id) } }).then(
      ({ status }) => toast(status === 'undone' ? 'Undone. No one received it.' : 'Canceled. No one will receive it.'),
      (error) => toastFailure("Couldn't undo the notification", error),
    )
  return { undo, isPending }
}

/** Announces a notification for as long as it can be undone. */
export const toastUndo = ({ id, counts }: Notification, undo: (id: number) => void) =>
  toast(`Sending to ${peopleText(counts.people)} in ${UNDO_SECONDS} seconds.`, {
    duration: UNDO_SECONDS * 1_000,
    action: { label: 'Undo', run: () => undo(id) },
  })
