import { z } from 'zod'
import { type BodyOf, defineCall } from '#kit/call.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Id, IdText, Instant, Moment, Text } from '#kit/values.ts'

export const NotificationChannel = z.enum(['mail', 'text'])
export type NotificationChannel = z.infer<typeof NotificationChannel>

/** Whom a notification goes to; blocked, merged and erased accounts are never among them. */
export const Audience = z.strictObject({
  kind: z.enum(['all', 'active', 'inactive', 'with_credits', 'upcoming_booking']),
  /** Only customers of this zone. */
  zoneId: Id.nullable().default(null),
})
export type Audience = z.infer<typeof Audience>

/** What a person reads for an audience. */
export const audienceWords = {
  all: 'All customers',
  active: 'Active customers',
  inactive: 'Inactive customers',
  with_credits: 'Customers with credits',
  upcoming_booking: 'Customers with a booking ahead',
} as const

/** `undone` within its ten seconds; `sending` while messages are handed to their channel. */
export const NotificationStatus = z.enum(['scheduled', 'sending', 'sent', 'undone'])
export type NotificationStatus = z.infer<typeof NotificationStatus>

export const UNDO_SECONDS = 10
/** Sends to more people than this ask for a passkey. */
export const PASSKEY_ABOVE = 100

export const Notification = z.object({
  id: Id,
  title: z.string(),
  body: z.string(),
  audience: Audience,
  /** The audience in words. */
  audienceText: z.string(),
  channel: NotificationChannel,
  status: NotificationStatus,
  sendAt: Moment,
  createdAt: Moment,
  createdBy: z.string(),
  counts: z.object({
    /** Whom it reaches, as counted when it was made; exact once it is sending. */
    people: z.int(),
    waiting: z.int(),
    sent: z.int(),
    failed: z.int(),
    optedOut: z.int(),
  }),
})
export type Notification = z.infer<typeof Notification>

const draft = {
  title: Text(150).refine((text) => !/[\r\n]/.test(text), 'must be one line'),
  body: Text(5_000),
  audience: Audience,
  channel: NotificationChannel,
}
const params = z.strictObject({ id: IdText })
const shapeRefusals = {
  no_zone: [422, 'This zone does not exist.'],
  too_long: [422, 'A text message has at most 640 characters with its title.'],
} as const

export const listNotifications = defineCall({
  method: 'GET',
  path: '/api/support/notifications',
  summary: 'Notifications, newest first, with their counts',
  permission: 'notifications.view',
  query: z.strictObject({ ...pageQuery({ limit: 20 }), status: NotificationStatus.or(z.literal('')).default('') }),
  reply: z.object({ data: z.array(Notification), pagination: Pagination, isTextConnected: z.boolean() }),
})

export const readNotification = defineCall({
  method: 'GET',
  path: '/api/support/notifications/:id',
  summary: 'One notification with its progress',
  permission: 'notifications.view',
  params,
  reply: Notification,
  refusals: { not_found: [404, 'This notification does not exist.'] },
})

export const previewNotification = defineCall({
  method: 'POST',
  path: '/api/support/notifications/preview',
  summary: 'How many people a notification reaches, and what they read',
  permission: 'notifications.send',
  reads: true,
  body: z.strictObject(draft),
  reply: z.object({
    people: z.int(),
    optedOut: z.int(),
    withoutAddress: z.int(),
    needsPasskey: z.boolean(),
    sample: z.object({ subject: z.string().nullable(), text: z.string() }),
  }),
  refusals: shapeRefusals,
})

export const sendNotification = defineCall({
  method: 'POST',
  path: '/api/support/notifications',
  summary: 'Send a notification, at once or later; it can be undone until then, at least ten seconds',
  permission: 'notifications.send',
  body: z.strictObject({
    ...draft,
    sendAt: Instant.nullish(),
    /** What the preview said; when the number has moved by more than a tenth since, it is refused. */
    people: z.int().nonnegative().optional(),
  }),
  reply: Notification,
  refusals: {
    ...shapeRefusals,
    nobody: [422, 'This reaches nobody.'],
    moved: [409, 'It would reach {people} people now. Look again.'],
    too_far: [422, 'A notification can be scheduled for the next 90 days.'],
    not_connected: [503, 'No text-message service is set up.'],
  },
})
export type SendNotification = BodyOf<typeof sendNotification>

export const undoNotification = defineCall({
  method: 'POST',
  path: '/api/support/notifications/:id/undo',
  summary: 'Take a notification back before it goes out',
  permission: 'notifications.send',
  params,
  reply: Notification,
  refusals: {
    not_found: [404, 'This notification does not exist.'],
    too_late: [409, 'It is on its way already.'],
  },
})

/** One click in a mail program, or the button of the page behind the link. */
export const unsubscribe = defineCall({
  method: 'POST',
  path: '/api/unsubscribe/:token',
  summary: 'Stop notifications to the person behind a link',
  permission: 'public',
  machine: true,
  bodyType: 'form',
  params: z.strictObject({ token: z.string().min(10).max(200) }),
  body: z.record(z.string(), z.string()).optional(),
  limit: { by: 'address', times: 60, seconds: 60 },
  reply: z.object({ success: z.literal(true) }),
  refusals: { bad_link: [404, 'This link is not one of ours.'] },
})
