import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db.ts'

type Rows = Record<string, unknown>[]
export interface Export {
  customer: Record<string, unknown>
  bookings: Rows
  transactions: Rows
  credit_entries: Rows
  rewards: Rows
  notes: Rows
  texts: Rows
  tickets: Rows | null
  leads: Rows | null
}

/** What the caller may see of a customer beside the account. */
export interface ExportRights {
  tickets: boolean
  leads: boolean
}

const list = (rows: RawBuilder<unknown>) =>
  sql`(select coalesce(jsonb_agg(x.one order by x.id), '[]') from (${rows}) x)`
const said = sql`jsonb_build_object('content', n.content, 'createdAt', n.created_at)`

const ownNotes = sql`select n.id, jsonb_build_object('note', n.note, 'createdAt', n.created_at) as one
  from customer_notes n where n.customer_id = c.id`

// Whose words they are is not known when another account has the number too: then nobody is handed them.
const ownTexts = sql`select t.id, jsonb_build_object('from', t.from_number, 'to', t.to_number, 'body', t.body, 'media', t.media,
    'state', t.state, 'sentAt', t.sent_at) as one
  from texts t where t.number = c.phone and not exists (
    select from customers o where o.phone = c.phone and o.id <> c.id and o.erased_at is null and o.merged_into_id is null)`

const ownTickets = sql`select t.id, to_jsonb(t) - 'search_text' || jsonb_build_object('messages', (
    select coalesce(jsonb_agg(jsonb_build_object('from_customer', n.from_customer) || ${said} order by n.id), '[]')
    from ticket_messages n where n.ticket_id = t.id)) as one
  from tickets t where t.customer_id = c.id`

const ownLeads = sql`select l.id, to_jsonb(l) - 'search_text' || jsonb_build_object('notes', (
    select coalesce(jsonb_agg(${said} order by n.id), '[]') from lead_notes n where n.lead_id = l.id)) as one
  from leads l where l.customer_id = c.id or l.email = c.email`

/** Everything of a customer as JSON, made by the database. */
export async function collectExport(db: Db, id: number, may: ExportRights): Promise<Export | undefined> {
  const all = (table: string) =>
    list(sql`select t.id, to_jsonb(t) as one from ${sql.table(table)} t where t.customer_id = c.id`)
  const { rows } = await sql<Export>`
    select to_jsonb(c) - 'search_text' as customer, ${all('bookings')} as bookings, ${all('customer_transactions')} as transactions,
      ${all('credit_entries')} as credit_entries, ${all('rewards')} as rewards,
      ${list(ownNotes)} as notes,
      ${list(ownTexts)} as texts, ${may.tickets ? list(ownTickets) : sql`null`} as tickets,
      ${may.leads ? list(ownLeads) : sql`null`} as leads
    from customers c where c.id = ${id}`.execute(db)
  return rows[0]
}
