import {
  type Lead,
  type LeadField,
  type LeadSource,
  type LeadStatus,
  type LeadStep,
  leadFieldNames,
  NOTES_IN_LIST,
} from '@limber/contract/marketing/leads/lead.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { readCounts } from '#platform/db/kept-counts.ts'
import { funnelPosition } from './funnel.rules.ts'
import type { LeadWindow } from './lead-range.rules.ts'

interface Person {
  id: number
  name: string
}

/** A note as JSON inside a row. */
interface NoteJson {
  id: number
  worker_id: number
  worker: string
  content: string
  created_at: string
}

export interface LeadRow extends Pick<Lead, LeadField> {
  id: number
  campaign: string | null
  status: LeadStatus
  created_at: Date
  status_since: Date
  first_response_at: Date | null
  converted_at: Date | null
  lost_reason: string | null
  assignee: Person | null
  customer: Person | null
  version: number
  notes: NoteJson[]
}

export interface LeadFilter {
  /** A LIKE pattern; undefined for all leads. */
  pattern: string | undefined
  /** A second pattern if the text could be a phone number. */
  phone: string | undefined
  status: LeadStatus | 'open' | ''
  assignee: number | 'none' | ''
  campaign: number | ''
  /** When the lead was created; undefined for any time. */
  created: Pick<LeadWindow, 'from' | 'to'> | undefined
  /** The funnel step that the lead reached or passed. */
  reached: LeadStep | ''
}

const person = (id: RawBuilder<unknown>, name: RawBuilder<unknown>) =>
  sql`case when ${id} is not null then jsonb_build_object('id', ${id}, 'name', ${name}) end`

/** The columns of a lead `l`; joined to campaign `k`, assignee `a` and customer `c`. */
const leadColumns = sql`l.id, ${sql.join(leadFieldNames.map((name) => sql.ref(`l.${name}`)))}, k.name as campaign, l.status,
  l.created_at, l.status_since, l.first_response_at, l.converted_at, l.lost_reason, l.version,
  ${person(sql`a.id`, sql`a.name`)} as assignee,
  ${person(sql`c.id`, sql`c.first_name || ' ' || c.last_name`)} as customer`

const joins = sql`left join campaigns k on k.id = l.campaign_id left join workers a on a.id = l.assignee_id
  left join customers c on c.id = l.customer_id`

const newestNotes = (most: number) => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'worker_id', n.worker_id, 'worker', w.name, 'content', n.content,
    'created_at', n.created_at) order by n.id), '[]')
  from (select * from lead_notes where lead_id = l.id order by id desc limit ${sql.lit(most)}) n
  join workers w on w.id = n.worker_id) as notes`

const isOpen = sql`l.status not in ('converted', 'not_interested')`

const containsText = (pattern: string, phone: string | undefined) =>
  phone === undefined
    ? sql`l.search_text like lower(${pattern})`
    : sql`(l.search_text like lower(${pattern}) or l.search_text like ${phone})`

/** Whether a lead counts for a funnel step. A conversion counts only while the lead is converted. */
const hasReached = (step: LeadStep) =>
  step === 'converted' ? sql`l.status = 'converted'` : sql`l.farthest >= ${funnelPosition(step)}`

const conditions = ({ status, assignee, campaign, pattern, phone, created, reached }: LeadFilter) =>
  sql.join(
    [
      sql`true`,
      ...(pattern === undefined ? [] : [containsText(pattern, phone)]),
      ...(status === 'open' ? [isOpen] : status ? [sql`l.status = ${status}`] : []),
      ...(assignee === '' ? [] : [assignee === 'none' ? sql`l.assignee_id is null` : sql`l.assignee_id = ${assignee}`]),
      ...(campaign === '' ? [] : [sql`l.campaign_id = ${campaign}`]),
      ...(created ? [sql`l.created_at >= ${created.from} and l.created_at <= ${created.to}`] : []),
      ...(reached === '' ? [] : [hasReached(reached)]),
    ],
    sql` and `,
  )

/** One page of leads, newest first. A search is materialized first, so that the planner uses the search index. */
export async function findLeads(db: Db, filter: LeadFilter, limit: number, offset: number): Promise<LeadRow[]> {
  const matches = sql`select l.id, l.created_at from leads l where ${conditions(filter)}`
  const source =
    filter.pattern === undefined
      ? sql`(${matches})`
      : sql`(with matches as materialized (${matches}) select * from matches)`
  const { rows } = await sql<LeadRow>`
    select ${leadColumns}, ${newestNotes(NOTES_IN_LIST)}
    from (select id from ${source} m order by created_at desc, id desc limit ${limit} offset ${offset}) page
    join leads l on l.id = page.id ${joins}
    order by l.created_at desc, l.id desc`.execute(db)
  return rows
}

/** A row with its sort time in full precision. A JavaScript date has milliseconds only. */
type KeyedLead = LeadRow & { key: string }

/** The next leads after a row, newest first. */
export async function findLeadsAfter(db: Db, filter: LeadFilter, last: KeyedLead | undefined, limit: number) {
  const rest = last ? sql`and (l.created_at, l.id) < (${last.key}::timestamptz, ${last.id})` : sql``
  const { rows } = await sql<KeyedLead>`
    select ${leadColumns}, ${newestNotes(NOTES_IN_LIST)}, l.created_at::text as key
    from (select * from leads l where ${conditions(filter)} ${rest} order by l.created_at desc, l.id desc limit ${limit}) l ${joins}
    order by l.created_at desc, l.id desc`.execute(db)
  return rows
}

export async function countLeads(db: Db, filter: LeadFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from leads l where ${conditions(filter)}`.execute(db)
  return rows[0]?.count ?? 0
}

export type StatusCounts = Record<LeadStatus, number>

/** Lead counts by status, from counters that triggers maintain. */
export async function readStatusCounts(db: Db): Promise<StatusCounts> {
  const counts = await readCounts(db, 'leads')
  return {
    new: counts.new ?? 0,
    onboarding_started: counts.onboarding_started ?? 0,
    onboarding_completed: counts.onboarding_completed ?? 0,
    contacted: counts.contacted ?? 0,
    converted: counts.converted ?? 0,
    not_interested: counts.not_interested ?? 0,
  }
}

export interface LeadDetailRow extends LeadRow {
  created_by: Person | null
  steps: {
    id: number
    status: LeadStatus
    entered_at: string
    left_at: string | null
    worker: string | null
    reason: string | null
    ended_by_merge: boolean
  }[]
  merged: {
    id: number
    name: string
    email: string | null
    phone: string | null
    source: LeadSource
    created_at: string
    merged_at: string
    worker: string
  }[]
  duplicates: {
    id: number
    name: string
    status: LeadStatus
    source: LeadSource
    created_at: string
    is_same_email: boolean
  }[]
  answers: { name: string; value: string }[]
  bookings: { total: number; completed: number; first_at: string | null } | null
}

const MAX_THREAD = 500
const MAX_DUPLICATES = 20

// Steps of merged leads can overlap in time; the open step comes last.
const steps = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'status', s.status, 'entered_at', s.entered_at, 'left_at', s.left_at,
    'worker', w.name, 'reason', s.reason, 'ended_by_merge', s.ended_by_merge) order by s.left_at is null, s.entered_at, s.id), '[]')
  from (select * from lead_steps where lead_id = l.id order by left_at is null desc, entered_at desc, id desc limit ${sql.lit(MAX_THREAD)}) s
  left join workers w on w.id = s.worker_id) as steps`

const nameOf = (lead: 'x' | 'm') =>
  sql`coalesce(nullif(btrim(${sql.ref(`${lead}.first_name`)} || ' ' || ${sql.ref(`${lead}.last_name`)}), ''),
    ${sql.ref(`${lead}.email`)}, ${sql.ref(`${lead}.phone`)})`

const merged = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'name', coalesce(${nameOf('m')}, ''), 'email', m.email, 'phone', m.phone,
    'source', m.source, 'created_at', m.created_at, 'merged_at', m.merged_at, 'worker', w.name) order by m.merged_at desc, m.id desc), '[]')
  from (select * from merged_leads where lead_id = l.id order by merged_at desc, id desc limit ${sql.lit(MAX_DUPLICATES)}) m
  join workers w on w.id = m.merged_by) as merged`

const duplicates = sql`(
  with own as (select l.email, l.phone union all select email, phone from merged_leads where lead_id = l.id),
  same as (
    select x.id, true as by_email from own join leads x on x.email = own.email
    union all select m.lead_id, true from own join merged_leads m on m.email = own.email
    union all select x.id, false from own join leads x on x.phone = own.phone
    union all select m.lead_id, false from own join merged_leads m on m.phone = own.phone)
  select coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'name', ${nameOf('x')}, 'status', x.status, 'source', x.source,
    'created_at', x.created_at, 'is_same_email', x.is_same_email) order by x.created_at desc), '[]')
  from (select y.*, found.is_same_email
    from (select id, bool_or(by_email) as is_same_email from same where id <> l.id group by id) found join leads y on y.id = found.id
    order by y.created_at desc limit ${sql.lit(MAX_DUPLICATES)}) x) as duplicates`

const bookings = sql`case when l.customer_id is not null then (
  select jsonb_build_object('total', count(*), 'completed', count(*) filter (where status = 'completed'), 'first_at', min(starts_at))
  from bookings where customer_id = l.customer_id) end as bookings`

/** Everything that the detail view shows, in one statement. */
export async function findLeadDetail(db: Db, id: number): Promise<LeadDetailRow | undefined> {
  const { rows } = await sql<LeadDetailRow>`
    select ${leadColumns}, ${newestNotes(MAX_THREAD)}, l.answers, ${steps}, ${merged}, ${duplicates}, ${bookings},
      ${person(sql`m.id`, sql`m.name`)} as created_by
    from leads l ${joins} left join workers m on m.id = l.created_by where l.id = ${id}`.execute(db)
  return rows[0]
}

/** Locks a lead for a change. */
export const lockLead = (db: Db, id: number) =>
  db
    .selectFrom('leads')
    .select(['id', ...leadFieldNames, 'status', 'assignee_id', 'customer_id', 'lost_reason', 'version'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
export type LockedLead = NonNullable<Awaited<ReturnType<typeof lockLead>>>

/** The worker's name, if this worker can be assigned leads. */
export async function findLeadWorker(db: Db, id: number, code: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('workers')
    .select('name')
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where(sql<boolean>`permissions @> array[${code}::text]`)
    .executeTakeFirst()
  return row?.name
}

/** Workers who can be assigned leads, with their open leads. */
export async function findLeadWorkers(db: Db, code: string): Promise<(Person & { open: number })[]> {
  const { rows } = await sql<Person & { open: number }>`
    select w.id, w.name, kept_count('lead assignee ' || w.id, 'open')::int as open
    from workers w where w.status = 'active' and w.permissions @> array[${code}::text]
    order by w.name limit 500`.execute(db)
  return rows
}

/** Campaigns for a select: running ones first, then newest first. */
export const findCampaignNames = (db: Db, today: string): Promise<Person[]> =>
  db
    .selectFrom('campaigns')
    .select(['id', 'name'])
    .orderBy(sql`status = 'active' and start_date <= ${today}`, 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(500)
    .execute()

export const hasCampaign = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('campaigns').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()) !== undefined
