import type { TicketLinkKind } from '@limber/contract/support/related/related.ts'
import type { TicketStatus } from '@limber/contract/support/tickets/ticket.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

type StoredKind = Row<'ticket_links'>['kind']

interface Link {
  from: number
  to: number
  kind: StoredKind
  createdBy: number | null
}

/** Links two tickets; false when they are linked already, in either direction. */
export async function insertLink(db: Db, { from, to, kind, createdBy }: Link, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into ticket_links (from_id, to_id, kind, created_by, created_at)
    select ${from}::bigint, ${to}::bigint, ${kind}, ${createdBy}::bigint, ${now}
    where not exists (select from ticket_links where from_id = ${to} and to_id = ${from})
    on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0n) > 0
}

export async function countLinks(db: Db, ticketId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ticket_links where ${ticketId} in (from_id, to_id)`.execute(db)
  return rows[0]?.count ?? 0
}

/** Removes a link by hand in either direction; false when there is none. */
export async function removeLink(db: Db, one: number, other: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from ticket_links where kind = 'related'
      and (from_id, to_id) in ((${one}::bigint, ${other}::bigint), (${other}::bigint, ${one}::bigint))`.execute(db)
  return Number(numAffectedRows ?? 0n) > 0
}

export interface LinkRow {
  kind: TicketLinkKind
  id: number
  subject: string
  status: TicketStatus
  created_at: Date
}

/** The tickets linked to one, newest first. */
export async function findLinks(db: Db, ticketId: number): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    select l.kind, t.id, t.subject, t.status, t.created_at from (
      select to_id as id, case kind when 'split' then 'split_into' when 'follow_up' then 'followed_by' else 'related' end as kind
      from ticket_links where from_id = ${ticketId}
      union all
      select from_id, case kind when 'split' then 'split_from' when 'follow_up' then 'follow_up_of' else 'related' end
      from ticket_links where to_id = ${ticketId}) l
    join tickets t on t.id = l.id order by t.id desc`.execute(db)
  return rows
}

/** The account of a ticket, null without one; undefined when there is no such ticket. */
export const findTicketCustomer = async (db: Db, id: number): Promise<number | null | undefined> =>
  (await db.selectFrom('tickets').select('customer_id').where('id', '=', id).executeTakeFirst())?.customer_id

/** Gives the links, watchers, unread marks and tasks of a merged ticket to the one that it was merged into. */
export async function moveRelated(db: Db, from: number, into: number): Promise<void> {
  await sql`
    insert into ticket_links (from_id, to_id, kind, created_by, created_at)
    select case when from_id = ${from} then ${into} else from_id end, case when to_id = ${from} then ${into} else to_id end,
      kind, created_by, created_at
    from ticket_links where ${from} in (from_id, to_id) and ${into} not in (from_id, to_id)
    on conflict do nothing`.execute(db)
  await sql`delete from ticket_links where ${from} in (from_id, to_id)`.execute(db)
  await sql`
    insert into ticket_watchers (ticket_id, worker_id, created_at, seen_at)
    select ${into}, worker_id, created_at, seen_at from ticket_watchers where ticket_id = ${from}
    on conflict do nothing`.execute(db)
  await sql`delete from ticket_watchers where ticket_id = ${from}`.execute(db)
  await sql`
    insert into ticket_unread (worker_id, ticket_id, created_at)
    select worker_id, ${into}, created_at from ticket_unread where ticket_id = ${from} on conflict do nothing`.execute(
    db,
  )
  await sql`delete from ticket_unread where ticket_id = ${from}`.execute(db)
  await sql`update ticket_tasks set ticket_id = ${into} where ticket_id = ${from}`.execute(db)
}

/** The status of a ticket changed last at this moment; imported ones have no such event. */
const closedAt = sql`coalesce((select e.created_at from ticket_events e where e.ticket_id = t.id and e.kind = 'status'
  order by e.id desc limit 1), t.updated_at)`

export interface OldTicket extends Pick<Row<'tickets'>, 'id' | 'subject' | 'customer_email' | 'priority'> {
  is_long_closed: boolean
}

/**
 * The ticket that a reply belongs to: the newest follow-up of the one that it answers, or that one. `is_long_closed` when
 * it was closed before a moment.
 */
export async function findCurrentTicket(db: Db, ticketId: number, before: Date): Promise<OldTicket | undefined> {
  const { rows } = await sql<OldTicket>`
    with recursive chain as (
      select ${ticketId}::bigint as id
      union select l.to_id from chain c join ticket_links l on l.from_id = c.id and l.kind = 'follow_up')
    select t.id, t.subject, t.customer_email, t.priority, t.status = 'closed' and ${closedAt} < ${before} as is_long_closed
    from tickets t where t.id in (select id from chain) and t.merged_into_id is null
      and t.customer_email = (select customer_email from tickets where id = ${ticketId})
    order by t.id desc limit 1`.execute(db)
  return rows[0]
}

/** Opens a ticket for the customer of another one. */
export async function insertFollowUp(
  db: Db,
  old: number,
  { workerId, assigneeId }: { workerId: number | null; assigneeId: number | null },
  now: Date,
): Promise<{ id: number; customer_id: number | null }> {
  const { rows } = await sql<{ id: number; customer_id: number | null }>`
    insert into tickets (customer_id, customer_email, subject, priority, kind, created_by, assignee_id, created_at, updated_at, version)
    select customer_id, customer_email, subject, priority, kind, ${workerId}::bigint, ${assigneeId}::bigint, ${now}, ${now}, 0
    from tickets where id = ${old} returning id, customer_id`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A follow-up was not stored.')
  await copyMailbox(db, old, row.id)
  return row
}

/** Replies leave from the same mailbox. */
export const copyMailbox = (db: Db, from: number, to: number) =>
  sql`insert into ticket_mailboxes (ticket_id, mailbox_id)
    select ${to}, mailbox_id from ticket_mailboxes where ticket_id = ${from} on conflict do nothing`.execute(db)

/** A line in the history of a ticket about another one. */
export const insertLinkEvent = (db: Db, ticketId: number, text: string, workerId: number | null, now: Date) =>
  db
    .insertInto('ticket_events')
    .values({ ticket_id: ticketId, worker_id: workerId, kind: 'linked', text, created_at: now })
    .execute()

export const touchTicket = (db: Db, id: number, now: Date) =>
  sql`update tickets set updated_at = ${now}, version = version + 1 where id = ${id}`.execute(db)
