import { z } from 'zod'
import { type BodyOf, defineCall, type ReplyOf } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Id, IdText, Instant, Line, Moment, Text } from '#kit/values.ts'

export const NotificationChannel = z.enum(['mail', 'text'])
export type NotificationChannel = z.infer<typeof NotificationChannel>

export const channelLabels = { mail: 'Email', text: 'Text message' } as const

/** Who receives a notification. Blocked, merged and erased accounts are always excluded. */
export const Audience = z.strictObject({
  kind: z.enum(['all', 'active', 'inactive', 'with_credits', 'upcoming_booking', 'stretchers']),
  /** Only people in this zone. */
  zoneId: Id.nullable().default(null),
  /** Only customers in this value tier. */
  valueTier: z.enum(['low', 'medium', 'high', 'vip']).nullable().default(null),
})
export type Audience = z.infer<typeof Audience>
export type AudienceKind = Audience['kind']

export const audienceLabels: Record<AudienceKind, string> = {
  all: 'All customers',
  active: 'Active customers',
  inactive: 'Inactive customers',
  with_credits: 'Customers with credits',
  upcoming_booking: 'Customers with an upcoming booking',
  stretchers: 'Stretchers',
}

/**
 * `sending` until every message was accepted or failed; `undone` within the first ten seconds; `cancelled` when it was
 * scheduled; `failed` when it reached no one.
 */
export const NotificationStatus = z.enum(['scheduled', 'sending', 'sent', 'failed', 'cancelled', 'undone'])
export type NotificationStatus = z.infer<typeof NotificationStatus>

export const UNDO_SECONDS = 10
/** Sending to more people than this requires a passkey. */
export const PASSKEY_ABOVE = 100
/** Placeholder for the recipient's first name. */
export const FIRST_NAME = '{first_name}'
export const placeholders: readonly string[] = [FIRST_NAME]

/** Words in braces that are not placeholders; recipients would see them unchanged. */
export function unknownPlaceholders(text: string): string[] {
  const found = [...text.matchAll(/\{[^{}\n]{1,100}\}/g)].map(({ 0: token, index }) => {
    const isWrapped = text[index - 1] === '{' || text[index + token.length] === '}'
    return isWrapped ? `{${token}}` : token
  })
  return [...new Set(found)].filter((token) => /\p{L}/u.test(token) && !placeholders.includes(token))
}

const placeholderHint = `Use ${placeholders.join(', ')}, or remove the braces.`

/** Describes unknown placeholders in a text; undefined when there are none. */
export function placeholderError(text: string): string | undefined {
  const unknown = unknownPlaceholders(text)
  return unknown.length === 0 ? undefined : `${unknown.join(', ')} cannot be filled in. ${placeholderHint}`
}

export const Notification = z.object({
  id: Id,
  title: z.string(),
  body: z.string(),
  audience: Audience,
  audienceText: z.string(),
  channel: NotificationChannel,
  status: NotificationStatus,
  sendAt: Moment,
  createdAt: Moment,
  createdBy: z.string(),
  endedAt: Moment.nullable(),
  stoppedBy: z.string().nullable(),
  counts: z.object({
    /** Recipients without those who opted out: an estimate when created, exact once sending starts. */
    people: z.int(),
    waiting: z.int(),
    /** Accepted by the mail server or the carrier. */
    sent: z.int(),
    /** Of those sent, confirmed by the phone; mail servers confirm nothing. */
    delivered: z.int(),
    failed: z.int(),
    optedOut: z.int(),
  }),
})
export type Notification = z.infer<typeof Notification>

export const NotificationReport = Notification.extend({
  /** Failure reasons, most frequent first. */
  failures: z.array(z.object({ reason: z.string(), people: z.int() })),
})
export type NotificationReport = z.infer<typeof NotificationReport>

const draft = {
  title: Line(150),
  body: Text(5_000),
  audience: Audience,
  channel: NotificationChannel,
}
const params = z.strictObject({ id: IdText })
const notFound = { not_found: [404, 'This notification does not exist.'] } as const
const shapeRefusals = {
  no_zone: [422, 'This zone does not exist.'],
  unknown_placeholder: [422, `{found} cannot be filled in. ${placeholderHint}`],
  too_long: [422, 'A text message can have at most 640 characters, including its title.'],
} as const

export const listNotifications = defineCall({
  method: 'GET',
  path: '/api/support/notifications',
  summary: 'Notifications, newest first, with their counts',
  permission: 'notifications.view',
  query: z.strictObject({
    ...pageQuery({ limit: 10 }),
    status: NotificationStatus.or(z.literal('')).default(''),
    channel: NotificationChannel.or(z.literal('')).default(''),
  }),
  reply: z.object({ data: z.array(Notification), pagination: Pagination }),
})
export type NotificationList = ReplyOf<typeof listNotifications>

export const exportNotifications = exportCall(listNotifications, 'notifications')

export const readNotification = defineCall({
  method: 'GET',
  path: '/api/support/notifications/:id',
  summary: 'One notification with its progress',
  permission: 'notifications.view',
  params,
  reply: NotificationReport,
  refusals: notFound,
})

export const readNotificationChoices = defineCall({
  method: 'GET',
  path: '/api/support/notification-choices',
  summary: 'The channels and zones available for a notification',
  permission: 'notifications.send',
  reply: z.object({
    zones: z.array(z.object({ id: Id, name: z.string() })),
    connected: z.array(NotificationChannel),
    hasCompanyAddress: z.boolean(),
  }),
})

export const previewNotification = defineCall({
  method: 'POST',
  path: '/api/support/notifications/preview',
  summary: 'How many people a notification reaches, with a rendered sample',
  permission: 'notifications.send',
  reads: true,
  body: z.strictObject(draft),
  reply: z.object({
    people: z.int(),
    optedOut: z.int(),
    /** People without a verified email address, or without a phone number. */
    withoutAddress: z.int(),
    needsPasskey: z.boolean(),
    sample: z.object({ subject: z.string().nullable(), text: z.string() }),
  }),
  refusals: shapeRefusals,
})
export type NotificationPreview = ReplyOf<typeof previewNotification>
export type NotificationDraft = BodyOf<typeof previewNotification>

export const sendNotification = defineCall({
  method: 'POST',
  path: '/api/support/notifications',
  summary: 'Send a notification now or schedule it; it can be undone for at least ten seconds',
  permission: 'notifications.send',
  body: z.strictObject({
    ...draft,
    sendAt: Instant.nullish(),
    /** The count from the preview; refused when it has changed too much since. */
    people: z.int().nonnegative().optional(),
  }),
  reply: Notification,
  refusals: {
    ...shapeRefusals,
    nobody: [422, 'This audience contains no one who can be reached.'],
    moved: [409, 'The audience has changed to {people} people. Review it and send again.'],
    past: [422, 'Select a time in the future.'],
    too_far: [422, 'Select a time within the next 90 days.'],
    no_mail: [503, 'Email is not connected. Set up a mail server first.'],
    no_texts: [503, 'Text messages are not connected. Set up a text message service first.'],
  },
})
export type SendNotification = BodyOf<typeof sendNotification>

export const undoNotification = defineCall({
  method: 'POST',
  path: '/api/support/notifications/:id/undo',
  summary: 'Undo a notification before it is sent',
  permission: 'notifications.send',
  params,
  reply: Notification,
  refusals: { ...notFound, too_late: [409, 'The notification is already being sent.'] },
})

const token = z.strictObject({ token: z.string().min(10).max(200) })
const unsubscribeCall = {
  path: '/api/unsubscribe/:token',
  permission: 'public',
  params: token,
  limit: { by: 'address', times: 60, seconds: 60 },
  reply: z.unknown(),
  replyType: 'stream',
  refusals: { bad_link: [404, 'This link is not valid.'] },
} as const

/** Mail scanners follow links, so reading this page changes nothing. */
export const readUnsubscribe = defineCall({
  ...unsubscribeCall,
  method: 'GET',
  summary: 'The page behind the unsubscribe link of an email',
})

/** Called by the mail program's one-click unsubscribe or by the button on that page. */
export const unsubscribe = defineCall({
  ...unsubscribeCall,
  method: 'POST',
  summary: 'Unsubscribe the person behind a link',
  machine: true,
  bodyType: 'form',
  body: z.record(z.string(), z.string()).optional(),
})
