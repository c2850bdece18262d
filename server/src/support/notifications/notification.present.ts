import type { Notification } from '@limber/contract/support/notifications/notification.ts'
import type { NotificationRow } from './notification.queries.ts'

export const presentNotification = (row: NotificationRow): Notification => ({
  id: row.id,
  title: row.title,
  body: row.body,
  audience: row.audience,
  audienceText: row.audience_text,
  channel: row.channel,
  status: row.status,
  sendAt: row.send_at.toISOString(),
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by,
  endedAt: row.ended_at?.toISOString() ?? null,
  stoppedBy: row.stopped_by,
  counts: {
    people: row.people,
    waiting: row.waiting,
    sent: row.sent,
    delivered: row.delivered,
    failed: row.failed,
    optedOut: row.opted_out,
  },
})
