import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Moment, Text } from '#kit/values.ts'

/** As Twilio names them, in fewer words. */
export const TextState = z.enum(['waiting', 'sent', 'delivered', 'failed', 'received'])
export type TextState = z.infer<typeof TextState>

export const TextMessage = z.object({
  sid: z.string(),
  from: z.string(),
  to: z.string(),
  body: z.string(),
  dateSent: Moment,
  state: TextState,
  /** Why it was not delivered. */
  error: z.string().nullable(),
})
export type TextMessage = z.infer<typeof TextMessage>

export const PhoneNumber = z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a number as +19515550123')

export const listMessages = defineCall({
  method: 'GET',
  path: '/api/support/messages/get',
  summary: 'Text messages, newest first; page tokens are opaque',
  permission: 'support.tab',
  query: z.strictObject({
    pageToken: z.string().max(400).default(''),
    /** Only the conversation with this number. */
    number: PhoneNumber.or(z.literal('')).default(''),
  }),
  reply: z.object({
    messages: z.array(TextMessage),
    nextPageToken: z.string().nullable(),
    prevPageToken: z.string().nullable(),
    /** A message from here is outgoing; nothing while no service is set up. */
    ownNumber: z.string().nullable(),
    isConnected: z.boolean(),
  }),
  refusals: { bad_token: [400, 'This page token is not one of ours.'] },
})
export type MessageList = ReplyOf<typeof listMessages>

export const sendMessage = defineCall({
  method: 'POST',
  path: '/api/support/messages/send',
  summary: 'Answer a customer by text message',
  permission: 'support.tab',
  body: z.strictObject({ to: PhoneNumber, body: Text(1_600) }),
  limit: { by: 'worker', times: 60, seconds: 60 },
  reply: TextMessage,
  refusals: {
    not_connected: [503, 'No text-message service is set up.'],
    unknown_number: [422, 'Nobody has written from this number, and no customer has it.'],
    opted_out: [422, 'This person asked not to be texted.'],
  },
})

/** Twilio's own form; its signature is checked before anything is kept. */
export const receiveMessage = defineCall({
  method: 'POST',
  path: '/api/hooks/twilio/message',
  summary: 'A text message comes in (Twilio webhook)',
  permission: 'public',
  machine: true,
  bodyType: 'form',
  body: z.record(z.string(), z.string()),
  limit: { by: 'address', times: 600, seconds: 60 },
  reply: z.unknown(),
  replyType: 'stream',
  refusals: {
    not_connected: [503, 'No text-message service is set up.'],
    bad_signature: [403, 'The signature does not hold.'],
    malformed: [400, 'This is not a message.'],
  },
})

export const receiveMessageState = defineCall({
  method: 'POST',
  path: '/api/hooks/twilio/status',
  summary: 'How a text message fared (Twilio status callback)',
  permission: 'public',
  machine: true,
  bodyType: 'form',
  body: z.record(z.string(), z.string()),
  limit: { by: 'address', times: 600, seconds: 60 },
  reply: z.object({ success: z.literal(true) }),
  refusals: {
    not_connected: [503, 'No text-message service is set up.'],
    bad_signature: [403, 'The signature does not hold.'],
    malformed: [400, 'This is not the state of a message.'],
  },
})
