import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { findCustomerByEmail } from '../customers/customer-account.queries.ts'
import type { References } from './inbound.rules.ts'

/**
 * The ticket that a message replies to. The sender must be the ticket's customer, because a ticket number in a subject
 * is easy to forge. Merged tickets lead to their target.
 */
export async function findRepliedTicket(
  db: Db,
  { tickets, messages }: References,
  from: string,
): Promise<number | undefined> {
  if (tickets.length === 0 && messages.length === 0) return undefined
  const { rows } = await sql<{ id: number }>`
    with recursive named as (
      select id from tickets where id = any(${tickets}::bigint[])
      union select ticket_id from ticket_messages where id = any(${messages}::bigint[])
    ), followed as (
      select t.id, t.merged_into_id, t.customer_email from tickets t join named n on n.id = t.id
      union select t.id, t.merged_into_id, t.customer_email from tickets t join followed f on t.id = f.merged_into_id
    )
    select id from followed where merged_into_id is null and customer_email = ${from} order by id desc limit 1`.execute(
    db,
  )
  return rows[0]?.id
}

/** The ticket of a message that was received before. */
export async function findReceived(db: Db, key: string): Promise<{ ticket_id: number } | undefined> {
  return db.selectFrom('ticket_messages').select('ticket_id').where('inbound_key', '=', key).executeTakeFirst()
}

/** Opens a ticket for a customer's message and links the account with that address. */
export async function insertInboundTicket(db: Db, from: string, subject: string, now: Date): Promise<number> {
  const account = await findCustomerByEmail(db, from)
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into tickets (customer_id, customer_email, subject, created_at, updated_at, version)
      values (${account?.id ?? null}, ${from}, ${subject}, ${now}, ${now}, 0)
      returning id
    ), noted as (
      insert into ticket_events (ticket_id, kind, text, created_at)
      select id, 'opened', 'Opened by the customer', ${now} from made)
    select id from made`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A ticket was not stored.')
  return row.id
}

interface InboundMessage {
  ticketId: number
  content: string
  key: string
}

/** Adds a customer's message. It starts the wait unless one is running, and reopens a closed ticket. */
export async function insertInboundMessage(
  db: Db,
  { ticketId, content, key }: InboundMessage,
  now: Date,
): Promise<void> {
  await sql`
    with before as (select id, status from tickets where id = ${ticketId} for no key update
    ), touched as (
      update tickets t set updated_at = ${now}, version = version + 1, message_count = message_count + 1,
        waiting_since = case when b.status = 'closed' then ${now} else coalesce(t.waiting_since, ${now}) end,
        status = case when b.status = 'closed' then 'open' else b.status end
      from before b where t.id = b.id returning t.id, t.version
    ), reopened as (
      insert into ticket_events (ticket_id, kind, text, created_at)
      select id, 'status', 'Reopened by the customer', ${now} from before where status = 'closed'
    )
    insert into ticket_messages (ticket_id, from_customer, content, created_at, ticket_version, inbound_key)
    select id, true, ${content}, ${now}, version, ${key} from touched`.execute(db)
}
