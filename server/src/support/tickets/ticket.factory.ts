import type { Insertable } from 'kysely'
import { MINUTE, shift } from '#platform/clock.ts'
import type { Db, Tables } from '#platform/db/db.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'

type TicketRow = Insertable<Tables['tickets']>
type MessageRow = Insertable<Tables['ticket_messages']>
export type TicketDraft = Partial<TicketRow>

/** One message of a thread; `after` is in minutes since the ticket was opened. */
export interface ThreadMessage {
  content: string
  /** Omitted for the customer. */
  workerId?: number
  after?: number
}

/** An open ticket without messages. */
export function draftTicket(overrides: TicketDraft = {}): TicketRow {
  const created_at = overrides.created_at ?? factoryNow()
  return {
    customer_id: null,
    customer_email: 'jordan@example.com',
    subject: 'My session was too short',
    status: 'open',
    priority: 'medium',
    assignee_id: null,
    created_by: null,
    created_at,
    updated_at: created_at,
    waiting_since: created_at,
    message_count: 0,
    merged_into_id: null,
    version: 1,
    ...overrides,
  }
}

/** The rows of a thread and the resulting values of its ticket. */
export function draftThread(ticketId: number, openedAt: Date, thread: readonly ThreadMessage[]) {
  const messages: MessageRow[] = []
  let waiting: Date | null = null
  let at = openedAt
  for (const [index, message] of thread.entries()) {
    at = shift(openedAt, (message.after ?? index * 30) * MINUTE)
    waiting = message.workerId === undefined ? (waiting ?? at) : null
    messages.push({
      ticket_id: ticketId,
      from_customer: message.workerId === undefined,
      worker_id: message.workerId ?? null,
      content: message.content,
      created_at: at,
      ticket_version: index + 1,
      origin_ticket_id: null,
      outbox_key: null,
      inbound_key: null,
    })
  }
  const count = messages.length
  return {
    messages,
    ticket: { message_count: count, version: Math.max(count, 1), waiting_since: waiting, updated_at: at },
  }
}

/** Creates a ticket with its thread: one customer message by default. */
export async function makeTicket(
  db: Db,
  {
    thread = [{ content: 'It ended after forty minutes.' }],
    ...overrides
  }: TicketDraft & { thread?: readonly ThreadMessage[] } = {},
) {
  const draft = draftTicket(overrides)
  const created = await db.insertInto('tickets').values(draft).returning('id').executeTakeFirstOrThrow()
  const { messages, ticket } = draftThread(created.id, new Date(draft.created_at), thread)
  if (messages.length > 0) await db.insertInto('ticket_messages').values(messages).execute()
  return db
    .updateTable('tickets')
    .set({ ...ticket, ...overrides })
    .where('id', '=', created.id)
    .returning(['id', 'subject', 'customer_email', 'status', 'version'])
    .executeTakeFirstOrThrow()
}
