import {
  type CreateTicket,
  MAX_TAGS_PER_TICKET,
  type TicketKind,
  type TicketPriority,
  type TicketStatus,
} from '@limber/contract/support/tickets/ticket.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { findCustomerByEmail } from '../customers/customer-account.queries.ts'
import { keepPromises } from '../promises/keep-promises.ts'

interface Change {
  status?: TicketStatus | undefined
  priority?: TicketPriority | undefined
  assignee_id?: number | null | undefined
  kind?: TicketKind | null | undefined
  snooze?: { until: Date | null } | null | undefined
  addTag?: number | undefined
  removeTag?: number | undefined
}

interface Event {
  kind: Row<'ticket_events'>['kind']
  text: string
  /** Null when nobody did it: round robin, or an absence. */
  workerId: number | null
}

/** Changes tickets and adds an event to the history of each, in one statement. */
export async function changeTickets(
  db: Db,
  ids: readonly number[],
  change: Change,
  event: Event,
  now: Date,
): Promise<void> {
  const set: RawBuilder<unknown>[] = [sql`updated_at = ${now}`, sql`version = version + 1`]
  if (change.status) set.push(sql`status = ${change.status}`)
  if (change.priority) set.push(sql`priority = ${change.priority}`)
  if (change.assignee_id !== undefined) set.push(sql`assignee_id = ${change.assignee_id}`)
  if (change.kind !== undefined) set.push(sql`kind = ${change.kind}`)
  if (change.snooze) set.push(sql`snoozed_at = ${now}`, sql`snoozed_until = ${change.snooze.until}`)
  if (change.snooze === null) set.push(sql`snoozed_at = null`, sql`snoozed_until = null`)
  if (change.addTag) set.push(sql`tags = array_append(tags, ${change.addTag}::bigint)`)
  if (change.removeTag) set.push(sql`tags = array_remove(tags, ${change.removeTag}::bigint)`)
  await sql`
    with changed as (update tickets set ${sql.join(set)} where id = any(${ids}) returning id)
    insert into ticket_events (ticket_id, worker_id, kind, text, created_at)
    select id, ${event.workerId}, ${event.kind}, ${event.text}, ${now} from changed order by id`.execute(db)
  if (change.status || change.priority || change.snooze !== undefined) await keepPromises(db, ids, now)
}

export const changeTicket = (db: Db, id: number, change: Change, event: Event, now: Date) =>
  changeTickets(db, [id], change, event, now)

/** Creates a ticket for an address and links the account with that address. */
export async function insertTicket(db: Db, draft: CreateTicket, workerId: number, now: Date) {
  const account = await findCustomerByEmail(db, draft.customer_email)
  const { rows } = await sql<{ id: number; customer_id: number | null }>`
    insert into tickets (customer_id, customer_email, subject, priority, created_by, created_at, updated_at, waiting_since, message_count)
    values (${account?.id ?? null}, ${draft.customer_email}, ${draft.subject}, ${draft.priority}, ${workerId}, ${now}, ${now}, ${now}, 1)
    returning id, customer_id`.execute(db)
  const [ticket] = rows
  if (!ticket) throw new Error('A ticket was not stored.')
  return ticket
}

/** Adds a ticket's first message and the history event that says who opened it. */
export async function insertFirstMessage(
  db: Db,
  ticketId: number,
  opening: { content: string; workerId: number; outboxKey: string },
  now: Date,
) {
  await sql`
    with said as (
      insert into ticket_messages (ticket_id, from_customer, worker_id, content, created_at, ticket_version, outbox_key)
      values (${ticketId}, true, ${opening.workerId}, ${opening.content}, ${now}, 1, ${opening.outboxKey}))
    insert into ticket_events (ticket_id, worker_id, kind, text, created_at)
    values (${ticketId}, ${opening.workerId}, 'opened', 'Opened for the customer', ${now})`.execute(db)
  await keepPromises(db, [ticketId], now)
}

export interface Reply {
  ticketId: number
  workerId: number
  content: string
}

/** Adds a worker's reply, which ends the customer's wait. `outbox_key` identifies the email with the reply. */
export async function insertReply(db: Db, reply: Reply, now: Date): Promise<{ id: number; outbox_key: string }> {
  const { ticketId, workerId, content } = reply
  const { rows } = await sql<{ id: number; outbox_key: string }>`
    with touched as (
      update tickets set updated_at = ${now}, waiting_since = null, version = version + 1, message_count = message_count + 1
      where id = ${ticketId} returning id, version
    ), fresh as (select nextval(pg_get_serial_sequence('ticket_messages', 'id')) as id)
    insert into ticket_messages (id, ticket_id, from_customer, worker_id, content, created_at, ticket_version, outbox_key)
    select fresh.id, touched.id, false, ${workerId}, ${content}, ${now}, touched.version, 'ticket-message-' || fresh.id
    from fresh, touched
    returning id, outbox_key`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A reply was not stored.')
  await keepPromises(db, [ticketId], now)
  return row
}

export const insertTicketNote = (db: Db, ticketId: number, workerId: number, content: string, now: Date) =>
  db.insertInto('ticket_notes').values({ ticket_id: ticketId, worker_id: workerId, content, created_at: now }).execute()

/**
 * Moves the messages and notes of a ticket into another and records where they came from. The target keeps the earlier
 * wait of the two, gets the tags of both, and a kind if it has none. A closed source neither adds a wait nor reopens the
 * target. What the customer of the source wrote keeps its address, where replies go.
 */
export async function moveThread(db: Db, from: number, into: number, version: number, now: Date) {
  await sql`
    with before as (
      select (s.status = 'closed') as is_done, s.waiting_since, s.kind, s.tags, s.customer_email from tickets s where s.id = ${from}
    ), said as (
      update ticket_messages m set ticket_id = ${into}, origin_ticket_id = coalesce(origin_ticket_id, ${from}), ticket_version = ${version},
        sender = case when m.sender is null and m.from_customer and not exists (select from ticket_emails e where e.message_id = m.id)
          then b.customer_email else m.sender end
      from before b where ticket_id = ${from} returning m.id
    ), noted as (update ticket_notes set ticket_id = ${into} where ticket_id = ${from}),
    source as (
      update tickets set status = 'closed', merged_into_id = ${into}, message_count = 0, updated_at = ${now}, version = version + 1
      where id = ${from})
    update tickets t set message_count = t.message_count + (select count(*) from said), updated_at = ${now}, version = ${version},
      waiting_since = case when b.is_done then t.waiting_since when t.status = 'closed' then b.waiting_since
        else least(t.waiting_since, b.waiting_since) end,
      status = case when t.status = 'closed' and not b.is_done then 'open' else t.status end, kind = coalesce(t.kind, b.kind),
      tags = (t.tags || array(select tag from unnest(b.tags) tag where tag <> all (t.tags)))[:${sql.lit(MAX_TAGS_PER_TICKET)}]
    from before b where t.id = ${into}`.execute(db)
  await keepPromises(db, [from, into], now)
}

/** The name of a worker who may handle tickets. */
export async function findTicketWorker(db: Db, id: number, code: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('workers')
    .select('name')
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where(sql<boolean>`permissions @> array[${code}::text]`)
    .executeTakeFirst()
  return row?.name
}

interface TicketWorker {
  id: number
  name: string
  open: number
  awayUntil: string | null
}

/** Workers who may handle tickets, with their number of open tickets and the last day out of office. */
export async function findTicketWorkers(db: Db, code: string, today: string): Promise<TicketWorker[]> {
  const { rows } = await sql<TicketWorker>`
    select w.id, w.name, (kept_count('assignee ' || w.id, 'open') + kept_count('assignee ' || w.id, 'in_progress'))::int as open,
      (select a.ends_on from absences a where a.worker_id = w.id and ${today}::date between a.starts_on and a.ends_on) as "awayUntil"
    from workers w where w.status = 'active' and w.permissions @> array[${code}::text]
    order by w.name limit 500`.execute(db)
  return rows
}
