import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Id, IdText, Moment, Text } from '#kit/values.ts'

/** The carrier's states, reduced to five. */
export const TextState = z.enum(['waiting', 'sent', 'delivered', 'failed', 'received'])
export type TextState = z.infer<typeof TextState>

export const TextMessage = z.object({
  /** The database id: a message that is not yet sent has no sid. */
  id: Id,
  sid: z.string().nullable(),
  from: z.string(),
  to: z.string(),
  body: z.string(),
  /** Number of attached pictures; the pictures are not stored. */
  media: z.int(),
  dateSent: Moment,
  isOutgoing: z.boolean(),
  state: TextState,
  error: z.string().nullable(),
  /** The account with this number; only for workers who may see accounts. */
  customer: z.object({ id: Id, name: z.string() }).nullable(),
})
export type TextMessage = z.infer<typeof TextMessage>

/** A number that can receive messages. */
const PhoneNumber = z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a number like +19515550123')
/** A number that messages may come from: short codes have no country code. */
const AnyNumber = z.string().regex(/^\+?\d{3,15}$/, 'must be a number like +19515550123')

const PageToken = z.string().max(400).default('')
const messagePage = z.object({
  messages: z.array(TextMessage),
  nextPageToken: z.string().nullable(),
  prevPageToken: z.string().nullable(),
  /** Our own number, the sender of outgoing messages; null when none was ever set up. */
  ownNumber: z.string().nullable(),
  isConnected: z.boolean(),
})
export type MessagePage = z.infer<typeof messagePage>
const badToken = { bad_token: [400, 'This page token is not valid.'] } as const

export const listMessages = defineCall({
  method: 'GET',
  path: '/api/support/messages/get',
  summary: 'Text messages, newest first; page tokens are opaque',
  permission: 'support.tab',
  query: z.strictObject({
    pageToken: PageToken,
    /** Only the conversation with this number. */
    number: AnyNumber.or(z.literal('')).default(''),
  }),
  reply: messagePage,
  refusals: badToken,
})

export const exportMessages = exportCall(listMessages, 'text-messages', { path: '/api/support/messages/export' })

export const listUserMessages = defineCall({
  method: 'GET',
  path: '/api/support/users/:id/messages',
  summary: "Text messages with a customer's number, newest first; also requires permission to see accounts",
  permission: 'support.tab',
  params: z.strictObject({ id: IdText }),
  query: z.strictObject({ pageToken: PageToken }),
  reply: messagePage.extend({ name: z.string(), phone: z.string().nullable() }),
  refusals: { ...badToken, not_found: [404, 'This user does not exist.'] },
})

export const MAX_TEXT_LENGTH = 1_600

export const sendMessage = defineCall({
  method: 'POST',
  path: '/api/support/messages/send',
  summary: 'Reply to a customer by text message',
  permission: 'support.tab',
  body: z.strictObject({ to: PhoneNumber, body: Text(MAX_TEXT_LENGTH) }),
  limit: { by: 'worker', times: 60, seconds: 60 },
  reply: TextMessage,
  refusals: {
    not_connected: [503, 'Text messages are not connected. Set up a text message service first.'],
    unknown_number: [422, 'No customer has this number, and no one has written from it.'],
    opted_out: [422, 'This person opted out of text messages.'],
  },
})

const hook = {
  method: 'POST',
  permission: 'public',
  machine: true,
  bodyType: 'form',
  limit: { by: 'address', times: 1_200, seconds: 60 },
} as const
const hookRefusals = {
  not_connected: [503, 'Text messages are not connected. Set up a text message service first.'],
  bad_signature: [403, 'The signature is not valid.'],
} as const

/** A form as Twilio posts it; the signature is checked before anything is stored. */
export const receiveMessage = defineCall({
  ...hook,
  path: '/api/hooks/twilio/message',
  summary: 'Receive a text message (Twilio webhook)',
  body: z.record(z.string(), z.string()),
  reply: z.unknown(),
  replyType: 'stream',
  refusals: { ...hookRefusals, malformed: [400, 'This is not a message.'] },
})

export const receiveMessageState = defineCall({
  ...hook,
  path: '/api/hooks/twilio/status',
  summary: 'Receive the delivery state of a text message (Twilio status callback)',
  /** The outbox key of our message: the report can arrive before we have stored Twilio's sid. */
  query: z.strictObject({ key: z.string().max(200).optional() }),
  body: z.record(z.string(), z.string()),
  reply: z.object({ success: z.literal(true) }),
  refusals: { ...hookRefusals, malformed: [400, 'This is not a message state.'] },
})
