import { z } from 'zod'
import { itemHead } from '#kit/batch.ts'
import { resourceCalls } from '#kit/resource.ts'
import { Email, Id, Instant, Line, Moment, Text } from '#kit/values.ts'
import { MAX_MESSAGE_LENGTH, TicketKind, TicketPriority, TicketStatus } from '../tickets/ticket.ts'

/** A record has at most this many messages, the newest ones. */
export const MAX_SYNCED_MESSAGES = 500

const TicketItemMessage = z.strictObject({
  /** False for a reply of the staff. */
  from_customer: z.boolean(),
  content: Text(MAX_MESSAGE_LENGTH),
  created_at: Instant,
})

/** A ticket as another system sends it. Messages are added; those that are there already are not repeated. */
export const TicketItem = z.strictObject({
  ...itemHead,
  customer_email: Email.optional(),
  subject: Line(200).optional(),
  status: TicketStatus.optional(),
  priority: TicketPriority.optional(),
  kind: TicketKind.nullable().optional(),
  created_at: Instant.optional(),
  messages: z.array(TicketItemMessage).min(1).max(MAX_SYNCED_MESSAGES).optional(),
  /** The customer gets no confirmation of a new ticket: for history. */
  silent: z.boolean().optional(),
})
export type TicketItem = z.output<typeof TicketItem>

const record = {
  customer_email: z.string(),
  customer: Id.nullable(),
  subject: z.string(),
  status: TicketStatus,
  priority: TicketPriority,
  kind: TicketKind.nullable(),
  /** The names of the tags that staff gave it. */
  tags: z.array(z.string()),
  created_at: Moment,
  /** Since when the customer has been waiting for a reply. */
  waiting_since: Moment.nullable(),
  message_count: z.int(),
  messages: z.array(
    z.object({
      from_customer: z.boolean(),
      content: z.string(),
      created_at: Moment,
      /** Attached files, without their content. */
      files: z.array(z.object({ filename: z.string(), type: z.string(), bytes: z.int() })),
    }),
  ),
}

export const ticketCalls = resourceCalls({
  name: 'tickets',
  scope: 'tickets',
  item: TicketItem,
  record,
  shown: {
    customer_email: 'avery@example.com',
    customer: 2417,
    subject: 'My session was too short',
    status: 'open',
    priority: 'medium',
    kind: 'complaint',
    tags: ['short session'],
    created_at: '2026-11-17T17:20:00.000Z',
    waiting_since: null,
    message_count: 1,
    messages: [
      {
        from_customer: true,
        content: 'It ended after forty minutes.',
        created_at: '2026-11-17T17:20:00.000Z',
        files: [{ filename: 'receipt.pdf', type: 'application/pdf', bytes: 48_211 }],
      },
    ],
  },
  shownAs: 'z-9001',
  example: {
    external_id: 'z-9001',
    updated_at: '2026-11-17T17:40:00Z',
    customer_email: 'avery@example.com',
    subject: 'My session was too short',
    status: 'open',
    priority: 'medium',
    kind: 'complaint',
    created_at: '2026-11-17T17:20:00Z',
    messages: [
      { from_customer: true, content: 'It ended after forty minutes.', created_at: '2026-11-17T17:20:00Z' },
      { from_customer: false, content: 'I am sorry. We will look into it.', created_at: '2026-11-17T17:40:00Z' },
    ],
    silent: true,
  },
})
