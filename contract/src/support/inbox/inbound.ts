import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { Email, Id, Text } from '#kit/values.ts'
import { MAX_MESSAGE_LENGTH } from '../tickets/ticket.ts'

const MAX_REFERENCES = 100

/**
 * A message from a customer, delivered by the program that reads the support mailbox or by the customer product. The
 * call is idempotent by `messageId`.
 */
export const receiveTicketMessage = defineCall({
  method: 'POST',
  path: '/api/hooks/support/message',
  summary: 'Receive a customer message for a ticket, or open a new one',
  permission: 'api-key',
  scope: 'tickets:write',
  deprecatedHeader: 'x-support-key',
  limit: { by: 'address', times: 600, seconds: 60 },
  body: z.strictObject({
    messageId: Text(300),
    from: Email,
    /** The mailbox that the message was sent to; replies leave from its address. */
    to: Email.optional(),
    subject: z.string().max(1_000).default(''),
    content: Text(MAX_MESSAGE_LENGTH),
    /** In-Reply-To and References headers of the email, in any order. */
    references: z.array(z.string().max(1_000)).max(MAX_REFERENCES).default([]),
  }),
  reply: z.object({ ticketId: Id, isNew: z.boolean() }),
  refusals: {
    not_connected: [503, 'No key for customer messages is set. Messages are refused.'],
    wrong_key: [401, 'The support key is missing or wrong.'],
  },
})
