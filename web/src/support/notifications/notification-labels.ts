import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Notification, NotificationStatus } from '@limber/contract/support/notifications/notification.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const statusLabels: Record<NotificationStatus, string> = {
  scheduled: 'Scheduled',
  sending: 'Sending',
  sent: 'Sent',
  failed: 'Failed',
  cancelled: 'Canceled',
  undone: 'Undone',
}

export const statusMeaning: Record<NotificationStatus, Meaning> = {
  scheduled: 'blue',
  sending: 'teal',
  sent: 'green',
  failed: 'red',
  cancelled: 'plain',
  undone: 'plain',
}

export const peopleText = (count: number) => pluralize(count, 'person', 'people')

/** How many people it reached, as far as we know: phones confirm delivery, mail servers only accept. */
export const reachedCount = ({ channel, counts }: Notification) => (channel === 'text' ? counts.delivered : counts.sent)
