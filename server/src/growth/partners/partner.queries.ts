import { EMAILS_SHOWN, type PartnerKind, type PartnerStatus } from '@limber/contract/growth/partner.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import { isActivityIn, isCompleted, isPartner, isRevenue, isUser, windowOf } from '../measure.queries.ts'

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
  /** A LIKE pattern; none for all. */
  pattern: string | undefined
  status: PartnerStatus | ''
  kind: PartnerKind | ''
}

const isOf: Record<PartnerStatus, RawBuilder<unknown>> = {
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
      ...(status === '' ? [] : [isOf[status]]),
      ...(kind === '' ? [] : [sql`u.kind = ${kind}`]),
    ],
    sql` and `,
  )

const ACTIVE_DAYS = 30
const lately = (today: string) => windowOf(today, ACTIVE_DAYS)

/** Partners `page` with what came of each: the people are those of its list who are users. */
const described = (page: RawBuilder<unknown>, now: Date, today: string) => sql<PartnerRecord>`
  with page as materialized (${page}),
  people as materialized (
    select e.business_id, c.id from page join business_emails e on e.business_id = page.id
    join customers c on c.email = e.email where ${isUser}),
  visits as (
    select p.business_id, count(*) filter (where ${isCompleted}) as n, sum(b.rating) filter (where ${isCompleted}) as stars,
      count(b.rating) filter (where ${isCompleted}) as rated, count(distinct p.id) filter (where ${isActivityIn(lately(today))}) as active
    from people p join bookings b on b.customer_id = p.id group by 1),
  paid as (
    select p.business_id, sum(t.amount) as amount from people p join customer_transactions t on t.customer_id = p.id
    where ${isRevenue} group by 1),
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
    (select count(*) from business_emails e where e.business_id = u.id)::int as list_size,
    coalesce(v.active, 0)::int as active_users, coalesce(o.n, 0)::int as onsite, (coalesce(v.n, 0) + coalesce(s.n, 0))::int as user_sessions,
    coalesce(m.amount, 0) as revenue, (coalesce(v.stars, 0) + coalesce(s.stars, 0))::int as rating_sum,
    (coalesce(v.rated, 0) + coalesce(s.rated, 0))::int as rating_count
  from page join businesses u on u.id = page.id
  left join visits v on v.business_id = u.id
  left join paid m on m.business_id = u.id left join onsite o on o.business_id = u.id
  left join slots s on s.business_id = u.id
  order by lower(u.name), u.id`

interface Page {
  limit: number
  offset: number
}

export interface PartnerMoment {
  now: Date
  today: string
}

/** One page by name. */
export async function findPartners(db: Db, filter: PartnerFilter, page: Page, { now, today }: PartnerMoment) {
  const where = conditions(filter)
  const { rows } = await described(
    sql`select u.id from businesses u where ${where} order by lower(u.name), u.id limit ${page.limit} offset ${page.offset}`,
    now,
    today,
  ).execute(db)
  return rows
}

export async function countPartnersOf(db: Db, filter: PartnerFilter) {
  const { rows } = await sql<{ total: number; business: number; school: number }>`
    select count(*) filter (where ${conditions(filter)})::int as total, count(*) filter (where ${isPartner} and u.kind = 'business')::int as business,
      count(*) filter (where ${isPartner} and u.kind = 'school')::int as school from businesses u`.execute(db)
  return rows[0] ?? { total: 0, business: 0, school: 0 }
}

export async function findPartner(db: Db, id: number, { now, today }: PartnerMoment) {
  const { rows } = await described(sql`select ${id}::bigint as id`, now, today).execute(db)
  return rows[0]
}

export interface NoteRecord {
  id: number
  note: string
  stage: PartnerRecord['stage'] | null
  worker: string | null
  created_at: Date
}

const MOST_NOTES = 100

export async function findNotes(db: Db, businessId: number): Promise<NoteRecord[]> {
  const { rows } = await sql<NoteRecord>`
    select n.id, n.note, n.stage, w.name as worker, n.created_at from business_notes n left join workers w on w.id = n.worker_id
    where n.business_id = ${businessId} order by n.created_at desc, n.id desc limit ${MOST_NOTES}`.execute(db)
  return rows
}
