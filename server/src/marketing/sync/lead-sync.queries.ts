import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

/** What a batch may write, as the table has it. */
export type SyncedLead = Pick<
  Row<'leads'>,
  'first_name' | 'last_name' | 'email' | 'phone' | 'source' | 'campaign_id' | 'answers' | 'corrected_at'
>

export interface LockedLeadRow extends SyncedLead {
  id: number
  erased_at: Date | null
}

const types = {
  first_name: 'text',
  last_name: 'text',
  email: 'text',
  phone: 'text',
  source: 'text',
  campaign_id: 'bigint',
  answers: 'jsonb',
  corrected_at: 'jsonb',
} as const satisfies Record<keyof SyncedLead, string>
const columns = Object.keys(types) as (keyof SyncedLead)[]
const columnList = sql.join(columns.map((name) => sql.ref(name)))
const recordType = sql.raw(columns.map((name) => `${name} ${types[name]}`).join(', '))

/** Locks leads in the order of their ids; of a merged one, the lead it was merged into. By the id that was asked for. */
export async function lockLeads(db: Db, ids: readonly number[]): Promise<Map<number, LockedLeadRow>> {
  if (ids.length === 0) return new Map()
  const { rows: ways } = await sql<{ id: number; current: number }>`
    select w.id, coalesce(m.lead_id, w.id) as current from unnest(${ids}::bigint[]) as w(id)
    left join merged_leads m on m.id = w.id`.execute(db)
  const { rows } = await sql<LockedLeadRow>`
    select id, erased_at, ${columnList} from leads where id = any(${ways.map(({ current }) => current)}::bigint[])
    order by id for no key update`.execute(db)
  const leads = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    ways.flatMap(({ id, current }) => {
      const lead = leads.get(current)
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
export async function insertLeads(db: Db, rows: readonly SyncedLead[], now: Date): Promise<number[]> {
  if (rows.length === 0) return []
  const { rows: drawn } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('leads', 'id')) as id from generate_series(1, ${rows.length}::int)`.execute(
    db,
  )
  const drafts = rows.map((row, at) => ({ ...row, id: drawn[at]?.id }))
  await sql`
    with added as (
      insert into leads (id, ${columnList}, created_at, updated_at, status_since)
      select id, ${columnList}, ${now}, ${now}, ${now}
      from jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb) as r(id bigint, ${recordType})
      returning id)
    insert into lead_steps (lead_id, lead_created_at, status, entered_at)
    select id, ${now}, 'new', ${now} from added`.execute(db)
  return drawn.map(({ id }) => id)
}

/** Writes all synced columns of these leads. */
export async function updateLeads(db: Db, rows: readonly (SyncedLead & { id: number })[], now: Date) {
  if (rows.length === 0) return
  const assignments = sql.join(columns.map((name) => sql`${sql.ref(name)} = r.${sql.ref(name)}`))
  await sql`
    update leads l set ${assignments}, updated_at = ${now}, version = l.version + 1
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id bigint, ${recordType})
    where l.id = r.id`.execute(db)
}

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
>

export const findLeadRecords = async (db: Db, ids: readonly number[]): Promise<LeadRecordRow[]> =>
  ids.length === 0
    ? []
    : db
        .selectFrom('leads')
        .select(['id', 'first_name', 'last_name', 'email', 'phone', 'source', 'campaign_id', 'answers', 'status'])
        .select(['created_at', 'status_since', 'first_response_at', 'converted_at', 'customer_id'])
        .where('id', 'in', ids)
        .execute()
