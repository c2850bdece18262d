import { MAX_SYNCED_MESSAGES } from '@limber/contract/support/sync/ticket-sync.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { columnsOf, placed, type RowChange } from '#platform/sync/columns.queries.ts'

/** What a batch may write, as the table has it. */
export type SyncedTicket = Pick<
  Row<'tickets'>,
  | 'customer_id'
  | 'customer_email'
  | 'subject'
  | 'status'
  | 'priority'
  | 'kind'
  | 'created_at'
  | 'updated_at'
  | 'waiting_since'
  | 'message_count'
  | 'version'
>

export const ticketColumns = columnsOf<SyncedTicket>('tickets', {
  customer_id: 'bigint',
  customer_email: 'text',
  subject: 'text',
  status: 'text',
  priority: 'text',
  kind: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  waiting_since: 'timestamptz',
  message_count: 'int',
  version: 'int',
})
const { list } = ticketColumns

export interface LockedTicketRow extends SyncedTicket {
  id: number
  merged_into_id: number | null
  is_erased: boolean
  /** When a worker last set it. */
  status_set_at: Date | null
  priority_set_at: Date | null
  kind_set_at: Date | null
}

/** Tickets by the id named: of a merged one, the ticket that was kept. Locked in the order of their ids. */
export async function lockSyncedTickets(db: Db, ids: readonly number[]): Promise<Map<number, LockedTicketRow>> {
  const rows = new Map<number, LockedTicketRow>()
  let wanted = [...ids]
  while (wanted.length > 0) {
    const { rows: locked } = await sql<LockedTicketRow>`
      select id, merged_into_id, ${list},
        exists (select from customers c where c.id = t.customer_id and c.erased_at is not null) as is_erased,
        (select max(e.created_at) from ticket_events e
          where e.ticket_id = t.id and e.kind = 'status' and e.worker_id is not null) as status_set_at,
        (select max(e.created_at) from ticket_events e
          where e.ticket_id = t.id and e.kind = 'priority' and e.worker_id is not null) as priority_set_at,
        (select max(e.created_at) from ticket_events e
          where e.ticket_id = t.id and e.kind = 'kind' and e.worker_id is not null) as kind_set_at
      from tickets t where id = any(${wanted}::bigint[]) order by id for no key update of t`.execute(db)
    for (const row of locked) rows.set(row.id, row)
    wanted = locked.flatMap(({ merged_into_id: next }) => (next !== null && !rows.has(next) ? next : []))
  }
  const found = new Map<number, LockedTicketRow>()
  for (const id of ids) {
    let row = rows.get(id)
    while (row?.merged_into_id) row = rows.get(row.merged_into_id)
    if (row) found.set(id, row)
  }
  return found
}

export interface KnownMessage {
  ticket_id: number
  from_customer: boolean
  created_at: Date
  /** Of the content, which may be long. */
  digest: string
}

export async function findKnownMessages(db: Db, tickets: readonly number[]): Promise<KnownMessage[]> {
  if (tickets.length === 0) return []
  const { rows } = await sql<KnownMessage>`
    select ticket_id, from_customer, created_at, md5(content) as digest from ticket_messages
    where ticket_id = any(${tickets}::bigint[])`.execute(db)
  return rows
}

/** The accounts behind addresses; of a merged one, the account that was kept. */
export async function findAccounts(db: Db, emails: readonly string[]): Promise<Map<string, number>> {
  if (emails.length === 0) return new Map()
  const { rows } = await sql<{ email: string; id: number }>`
    with recursive way as (
      select email, id, merged_into_id, erased_at from customers where email = any(${emails}::text[])
      union select way.email, c.id, c.merged_into_id, c.erased_at from way join customers c on c.id = way.merged_into_id)
    select email, id from way where merged_into_id is null and erased_at is null`.execute(db)
  return new Map(rows.map(({ email, id }) => [email, id]))
}

export type SyncedMessage = Pick<
  Row<'ticket_messages'>,
  'ticket_id' | 'from_customer' | 'content' | 'created_at' | 'ticket_version' | 'outbox_key'
>

/** Adds messages, oldest first. */
export async function insertMessages(db: Db, rows: readonly SyncedMessage[], source: string) {
  if (rows.length === 0) return
  await sql`
    insert into ticket_messages (ticket_id, from_customer, content, created_at, ticket_version, outbox_key, source)
    select ticket_id, from_customer, content, created_at, ticket_version, outbox_key, ${source}
    from jsonb_to_recordset(${placed(rows)}::jsonb) as r(at int, ticket_id bigint, from_customer boolean, content text,
      created_at timestamptz, ticket_version int, outbox_key text)
    order by created_at, at`.execute(db)
}

export type SyncedEvent = Pick<Row<'ticket_events'>, 'ticket_id' | 'kind' | 'text' | 'created_at'>

export async function insertEvents(db: Db, rows: readonly SyncedEvent[]) {
  if (rows.length === 0) return
  await sql`
    insert into ticket_events (ticket_id, kind, text, created_at)
    select ticket_id, kind, text, created_at
    from jsonb_to_recordset(${placed(rows)}::jsonb)
      as r(at int, ticket_id bigint, kind text, text text, created_at timestamptz)
    order by at`.execute(db)
}

interface TicketRecordRow extends SyncedTicket {
  id: number
  messages: {
    from_customer: boolean
    content: string
    created_at: string
    files: { filename: string; type: string; bytes: number }[]
  }[]
  tags: string[]
}

export async function findTicketRecords(db: Db, ids: readonly number[]): Promise<TicketRecordRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<TicketRecordRow>`
    select id, ${list}, (
      select coalesce(jsonb_agg(jsonb_build_object('from_customer', m.from_customer, 'content', m.content,
        'created_at', m.created_at, 'files', (select coalesce(jsonb_agg(jsonb_build_object('filename', f.filename, 'type', f.mime_type,
          'bytes', f.bytes) order by f.id), '[]') from ticket_files f where f.message_id = m.id)) order by m.created_at, m.id), '[]')
      from (select * from ticket_messages where ticket_id = t.id order by id desc limit ${sql.lit(MAX_SYNCED_MESSAGES)}) m
    ) as messages, array(select g.name from ticket_tags g where g.id = any(t.tags) and g.removed_at is null order by lower(g.name)) as tags
    from tickets t where id = any(${ids}::bigint[])`.execute(db)
  return rows
}

/** Deletes tickets with their messages and history. Notes of staff keep a ticket. */
export async function removeTickets(db: Db, ids: readonly number[]) {
  await sql`delete from ticket_messages where ticket_id = any(${ids}::bigint[])`.execute(db)
  await sql`delete from ticket_events where ticket_id = any(${ids}::bigint[])`.execute(db)
  await sql`delete from ticket_presence where ticket_id = any(${ids}::bigint[])`.execute(db)
  await sql`delete from tickets where id = any(${ids}::bigint[])`.execute(db)
}

/** Takes back the messages that came after a version of their ticket, and writes what differs. Its history stays. */
export async function restoreTickets(db: Db, changes: readonly RowChange<SyncedTicket>[]) {
  for (const { before, after } of changes)
    await sql`delete from ticket_messages where ticket_id = ${before.id} and ticket_version > ${after.version}`.execute(
      db,
    )
  // Whoever reads the ticket sees that it changed.
  await ticketColumns.update(
    db,
    changes.map(({ before, after }) => ({ before, after: { ...after, version: before.version + 1 } })),
  )
}
