import { EMAILS_SHOWN, type PartnerKind, type PartnerStatus } from '@limber/contract/growth/partners/partner.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { isPartner } from '../figures/measure.queries.ts'

export interface PartnerRecord {
  id: number
  name: string
  kind: PartnerKind
  stage: 'contacted' | 'pending' | 'active' | 'ended'
  rep_name: string | null
  admin_email: string
  emails: string[]
  list_size: number
  times_contacted: number
  last_contact_at: Date | null
  active_users: number
  onsite: number
  user_sessions: number
  revenue: string
  rating_sum: number
  rating_count: number
  renews_on: string | null
  pilot_ends_on: string | null
  ended_reason: string | null
  archived_at: Date | null
  version: number
}

export interface PartnerFilter {
  /** A LIKE pattern; undefined matches all. */
  pattern: string | undefined
  status: PartnerStatus | ''
  kind: PartnerKind | ''
}

const statusConditions: Record<PartnerStatus, RawBuilder<unknown>> = {
  contacted: sql`u.stage = 'contacted'`,
  pending: sql`u.stage = 'pending'`,
  active: sql`u.stage = 'active' and u.renews_on is not null`,
  inactive: sql`(u.stage = 'ended' or (u.stage = 'active' and u.renews_on is null))`,
}

const conditions = ({ pattern, status, kind }: PartnerFilter) =>
  sql.join(
    [
      isPartner,
      ...(pattern === undefined ? [] : [sql`u.search_text like lower(${pattern})`]),
      ...(status === '' ? [] : [statusConditions[status]]),
      ...(kind === '' ? [] : [sql`u.kind = ${kind}`]),
    ],
    sql` and `,
  )

/** The partners in `page` with their results: stored results for customers on the list, live results for on-site sessions. */
const withResults = (page: RawBuilder<unknown>, now: Date) => sql<PartnerRecord>`
  with page as materialized (${page}),
  held as (
    select s.business_id, s.id from page join onsite_sessions s on s.business_id = page.id
    where s.cancelled_at is null and s.ends_at <= ${now}),
  onsite as (select business_id, count(*) as n from held group by 1),
  slots as (
    select h.business_id, count(*) as n, sum(x.rating) as stars, count(x.rating) as rated
    from held h join onsite_participants x on x.session_id = h.id group by 1)
  select u.id, u.name, u.kind, u.stage, u.rep_name, u.admin_email, u.times_contacted, u.last_contact_at, u.renews_on, u.pilot_ends_on,
    u.ended_reason, u.archived_at, u.version,
    array(select e.email from business_emails e where e.business_id = u.id order by e.email limit ${EMAILS_SHOWN}) as emails,
    kept_count('business ' || u.id, 'emails')::int as list_size,
    coalesce(g.active_users, 0) as active_users, coalesce(o.n, 0)::int as onsite, (coalesce(g.sessions, 0) + coalesce(s.n, 0))::int as user_sessions,
    coalesce(g.revenue, 0) as revenue, (coalesce(g.rating_sum, 0) + coalesce(s.stars, 0))::int as rating_sum,
    (coalesce(g.rating_count, 0) + coalesce(s.rated, 0))::int as rating_count
  from page join businesses u on u.id = page.id
  left join growth_partners g on g.business_id = u.id left join onsite o on o.business_id = u.id
  left join slots s on s.business_id = u.id
  order by lower(u.name), u.id`

interface Page {
  limit: number
  offset: number
}

/** One page, sorted by name. */
export async function findPartners(db: Db, filter: PartnerFilter, page: Page, now: Date) {
  const where = conditions(filter)
  const { rows } = await withResults(
    sql`select u.id from businesses u where ${where} order by lower(u.name), u.id limit ${page.limit} offset ${page.offset}`,
    now,
  ).execute(db)
  return rows
}

export async function countMatchingPartners(db: Db, filter: PartnerFilter) {
  const { rows } = await sql<{ total: number; business: number; school: number }>`
    select count(*) filter (where ${conditions(filter)})::int as total, count(*) filter (where ${isPartner} and u.kind = 'business')::int as business,
      count(*) filter (where ${isPartner} and u.kind = 'school')::int as school from businesses u`.execute(db)
  return rows[0] ?? { total: 0, business: 0, school: 0 }
}

export async function findPartner(db: Db, id: number, now: Date) {
  const { rows } = await withResults(sql`select ${id}::bigint as id`, now).execute(db)
  return rows[0]
}

export interface NoteRecord {
  id: number
  note: string
  stage: PartnerRecord['stage'] | null
  worker: string | null
  created_at: Date
}

const MAX_NOTES = 100

export async function findNotes(db: Db, businessId: number): Promise<NoteRecord[]> {
  const { rows } = await sql<NoteRecord>`
    select n.id, n.note, n.stage, w.name as worker, n.created_at from business_notes n left join workers w on w.id = n.worker_id
    where n.business_id = ${businessId} order by n.created_at desc, n.id desc limit ${MAX_NOTES}`.execute(db)
  return rows
}
