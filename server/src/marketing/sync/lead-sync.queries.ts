import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { columnsOf, placed, type RowChange } from '#platform/sync/columns.queries.ts'
import { funnelPosition } from '../leads/funnel.rules.ts'

/** What a batch may write, as the table has it. */
export type SyncedLead = Pick<
  Row<'leads'>,
  'first_name' | 'last_name' | 'email' | 'phone' | 'source' | 'campaign_id' | 'answers' | 'corrected_at'
>

export interface LockedLeadRow extends SyncedLead {
  id: number
  erased_at: Date | null
}

export const leadColumns = columnsOf<SyncedLead>('leads', {
  first_name: 'text',
  last_name: 'text',
  email: 'text',
  phone: 'text',
  source: 'text',
  campaign_id: 'bigint',
  answers: 'jsonb',
  corrected_at: 'jsonb',
})
const { list } = leadColumns

/** The lead that stands for each of these: of a merged one, the lead it was merged into. */
async function findCurrent(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; current: number }>`
    select w.id, coalesce(m.lead_id, w.id) as current from unnest(${ids}::bigint[]) as w(id)
    left join merged_leads m on m.id = w.id`.execute(db)
  return new Map(rows.map(({ id, current }) => [id, current]))
}

/** Locks leads in the order of their ids; of a merged one, the lead it was merged into. By the id that was asked for. */
export async function lockLeads(db: Db, ids: readonly number[]): Promise<Map<number, LockedLeadRow>> {
  const current = new Map<number, number>()
  const locked = new Map<number, LockedLeadRow>()
  for (let wanted = ids; wanted.length > 0; ) {
    const found = await findCurrent(db, wanted)
    // A lead may be merged while its lock is awaited, and is gone then: what it was merged into is known only afterwards.
    const isNews = [...found].some(([id, into]) => current.get(id) !== into)
    if (!isNews) break
    for (const [id, into] of found) current.set(id, into)
    const { rows } = await sql<LockedLeadRow>`
      select id, erased_at, ${list} from leads where id = any(${[...found.values()]}::bigint[])
      order by id for no key update`.execute(db)
    for (const row of rows) locked.set(row.id, row)
    wanted = wanted.filter((id) => !locked.has(current.get(id) ?? id))
  }
  return new Map(
    [...current].flatMap(([id, into]) => {
      const lead = locked.get(into)
      return lead ? [[id, lead]] : []
    }),
  )
}

export interface SameContact {
  contact: string
  id: number
  name: string
}

/** Leads that have these addresses or numbers, or had them before they were merged; the newest first. */
export async function findSameContacts(
  db: Db,
  emails: readonly string[],
  phones: readonly string[],
): Promise<SameContact[]> {
  if (emails.length + phones.length === 0) return []
  const { rows } = await sql<SameContact>`
    select same.contact, l.id, coalesce(nullif(btrim(l.first_name || ' ' || l.last_name), ''), l.email, l.phone, '') as name
    from (
      select email as contact, id from leads where email = any(${emails}::text[])
      union select email, lead_id from merged_leads where email = any(${emails}::text[])
      union select phone, id from leads where phone = any(${phones}::text[])
      union select phone, lead_id from merged_leads where phone = any(${phones}::text[])) same
    join leads l on l.id = same.id order by l.created_at desc, l.id desc`.execute(db)
  return rows
}

/** Locks campaigns against deletion. Returns those that exist. */
export async function keepCampaigns(db: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select id from campaigns where id = any(${ids}::bigint[]) order by id for key share`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Inserts leads with their first step and returns their ids in the order given. */
export const insertLeads = (db: Db, rows: readonly SyncedLead[], now: Date) =>
  leadColumns.insert(
    db,
    rows,
    (names) => sql`insert into leads (id, ${names}, created_at, updated_at, status_since)
      select id, ${names}, ${now}, ${now}, ${now} from r order by at
    ), steps as (
      insert into lead_steps (lead_id, lead_created_at, status, entered_at)
      select id, ${now}, 'new', ${now} from r`,
  )

/** How far a lead came before it was ours. */
export type LeadPast = Pick<
  Row<'leads'>,
  'created_at' | 'status' | 'status_since' | 'first_response_at' | 'converted_at' | 'lost_reason' | 'customer_id'
>

/** Gives new leads their past: when they came, and the step they are in. */
export async function setPasts(db: Db, leads: readonly (LeadPast & { id: number })[]) {
  if (leads.length === 0) return
  const rows = leads.map((lead) => ({ ...lead, farthest: funnelPosition(lead.status) }))
  await sql`
    with r as (select * from jsonb_to_recordset(${placed(rows)}::jsonb) as r(id bigint, farthest smallint, created_at timestamptz, status text,
      status_since timestamptz, first_response_at timestamptz, converted_at timestamptz, lost_reason text, customer_id bigint)
    ), first as (
      update lead_steps s set lead_created_at = r.created_at, entered_at = r.created_at,
        left_at = case when r.status <> 'new' then r.status_since end
      from r where s.lead_id = r.id)
    update leads l set created_at = r.created_at, status = r.status, status_since = r.status_since,
      first_response_at = r.first_response_at, converted_at = r.converted_at, lost_reason = r.lost_reason,
      customer_id = r.customer_id, farthest = r.farthest
    from r where l.id = r.id`.execute(db)
  await sql`
    insert into lead_steps (lead_id, lead_created_at, status, entered_at, reason)
    select id, created_at, status, status_since, lost_reason from leads
    where id = any(${leads.map(({ id }) => id)}::bigint[]) and status <> 'new' order by id`.execute(db)
}

/** Writes what differs in these leads. */
export const updateLeads = (db: Db, changes: readonly RowChange<SyncedLead>[], now: Date) =>
  leadColumns.update(db, changes, sql`updated_at = ${now}, version = t.version + 1`)

export type LeadRecordRow = Pick<
  Row<'leads'>,
  | 'id'
  | 'first_name'
  | 'last_name'
  | 'email'
  | 'phone'
  | 'source'
  | 'campaign_id'
  | 'answers'
  | 'status'
  | 'created_at'
  | 'status_since'
  | 'first_response_at'
  | 'converted_at'
  | 'customer_id'
  | 'lost_reason'
>

export const findLeadRecords = async (db: Db, ids: readonly number[]): Promise<LeadRecordRow[]> =>
  ids.length === 0
    ? []
    : db
        .selectFrom('leads')
        .select(['id', 'first_name', 'last_name', 'email', 'phone', 'source', 'campaign_id', 'answers', 'status'])
        .select(['created_at', 'status_since', 'first_response_at', 'converted_at', 'customer_id', 'lost_reason'])
        .where('id', 'in', ids)
        .execute()

/** Deletes leads that nobody worked on. Notes and steps of staff keep a lead. */
export async function removeLeads(db: Db, ids: readonly number[]) {
  await sql`delete from lead_steps where lead_id = any(${ids}::bigint[]) and worker_id is null`.execute(db)
  await sql`delete from leads where id = any(${ids}::bigint[])`.execute(db)
}
