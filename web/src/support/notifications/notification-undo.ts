import { type Notification, UNDO_SECONDS } from '@limber/contract/support/notifications/notification.ts'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { useUndoNotification } from './notification.api.ts'
import { peopleText } from './notification-words.ts'

/** Undoes a notification and shows the result. The toast with Undo can outlive its screen. */
export function useTakeBack() {
  const { mutateAsync, isPending } = useUndoNotification()
  const takeBack = (id: number) =>
    void mutateAsync({ params: { id: String(id) } }).then(
      ({ status }) => toast(status === 'undone' ? 'Undone. Nobody got it.' : 'Cancelled. Nobody gets it.'),
      (error) => toastFailure('It could not be taken back', error),
    )
  return { takeBack, isPending }
}

/** Announces a notification for as long as it can be undone. */
export const toastUndo = ({ id, counts }: Notification, takeBack: (id: number) => void) =>
  toast(`Going to ${peopleText(counts.people)} in ${UNDO_SECONDS} seconds.`, {
    lasts: UNDO_SECONDS * 1_000,
    action: { label: 'Undo', run: () => takeBack(id) },
  })
