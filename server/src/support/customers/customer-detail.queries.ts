import { companyZone } from '@limber/contract/kit/company.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { eraseConflict } from './erase.queries.ts'

export interface CustomerDetailRow {
  id: number
  first_name: string
  last_name: string
  email: string
  phone: string | null
  joined_at: Date
  last_login_at: Date | null
  email_verified_at: Date | null
  waiver_signed_at: Date | null
  total_logins: number
  customer_type: string
  value_tier: string
  lifecycle_stage: Row<'customers'>['lifecycle_stage']
  engagement_score: number
  points: number
  total_points_earned: number
  rank: string
  credits: number
  blocked_at: Date | null
  blocked_reason: string | null
  blocked_by: string | null
  merged_into_id: number | null
  erased_at: Date | null
  version: number
  is_stretcher: boolean
  erase_conflict: 'has_worked' | 'is_stretcher' | null
  bookings: number
  last_booking: Date | null
  referrals: number
  referrals_successful: number
  referred_by: { id: number; name: string } | null
  referred: { id: number; name: string }[]
  rewards: number
  last_redemption: Date | null
  tickets: { total: number; active: number; high: number } | null
  zone: string | null
  is_located: boolean
  next_session: { id: number; startsAt: string; stretcher: string | null } | null
  promises: { ticketId: number; subject: string; dueAt: string | null; isPaused: boolean }[] | null
  support: { at: string; type: string; outcome: string; ticket_id: number | null }[]
}

const RECENT = 10

// Only for workers who may see a customer's tickets: for others the statement does not read the table.
const ticketCounts = sql`(select jsonb_build_object('total', count(*), 'active', count(*) filter (where status <> 'closed'),
  'high', count(*) filter (where status <> 'closed' and priority = 'high')) from tickets where customer_id = c.id and merged_into_id is null)`
const ticketSupport = sql`
  (select created_at as at, 'Ticket: ' || subject as type,
    case status when 'open' then 'Open' when 'in_progress' then 'In Progress' else 'Closed' end as outcome,
    id as ticket_id
  from tickets where customer_id = c.id and merged_into_id is null order by created_at desc limit ${sql.lit(RECENT)}) union all`

const openPromises = sql`(select coalesce(jsonb_agg(jsonb_build_object('ticketId', p.id, 'subject', p.subject, 'dueAt', p.due_at,
    'isPaused', p.running_since is null) order by p.due_at nulls last), '[]') from (
  select t.id, t.subject, p.due_at, p.running_since from tickets t join ticket_promises p on p.ticket_id = t.id
  where t.customer_id = c.id and t.merged_into_id is null and t.status <> 'closed' and p.ended_at is null and p.target_ms is not null
  order by p.due_at nulls last limit 5) p)`

// Referrals as the growth figures count them.
const isOpenAccount = sql`f.merged_into_id is null and f.erased_at is null`

/** The last worker who blocked the account. */
const blockedBy = sql`case when c.blocked_at is not null then (
  select a.worker_name from audit_log a
  where a.subject = 'customer' and a.subject_id = c.id::text and a.action = 'customer_blocked' and a.outcome = 'done'
  order by a.at desc limit 1) end`

/** A customer with all figures of the overview, in one statement. The last booking is one that has started. */
export async function findCustomerDetail(
  db: Db,
  id: number,
  now: Date,
  { withTickets, withPromises }: { withTickets: boolean; withPromises: boolean },
): Promise<CustomerDetailRow | undefined> {
  const { rows } = await sql<CustomerDetailRow>`
    select c.id, c.first_name, c.last_name, c.email, c.phone, c.joined_at, c.last_login_at, c.email_verified_at, c.waiver_signed_at,
      c.total_logins, c.customer_type, c.value_tier, c.lifecycle_stage, c.engagement_score, c.points, c.total_points_earned, c.rank,
      c.credits, c.blocked_at, c.blocked_reason, ${blockedBy} as blocked_by, c.merged_into_id, c.erased_at, c.version,
      exists (select from stretchers where customer_id = c.id) as is_stretcher, ${eraseConflict} as erase_conflict,
      (select jsonb_build_object('id', f.id, 'name', f.first_name || ' ' || f.last_name)
        from customers f where f.id = c.referred_by_customer_id) as referred_by,
      (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name)), '[]') from (
        select id, first_name || ' ' || last_name as name from customers f where referred_by_customer_id = c.id and ${isOpenAccount}
        order by joined_at desc, id desc limit ${sql.lit(RECENT)}) f) as referred,
      b.bookings, b.last_booking, r.referrals, r.referrals_successful, w.rewards, w.last_redemption,
      (select z.name from zones z where z.id = c.zone_id) as zone, c.is_located,
      (select jsonb_build_object('id', n.id, 'startsAt', n.starts_at, 'stretcher',
          (select s.first_name || ' ' || s.last_name from stretchers s where s.id = n.stretcher_id))
        from bookings n where n.customer_id = c.id and n.starts_at > ${now} and n.status in ('requested', 'confirmed')
        order by n.starts_at limit 1) as next_session,
      ${withPromises ? openPromises : sql`null`} as promises,
      ${withTickets ? ticketCounts : sql`null`} as tickets,
      (select coalesce(jsonb_agg(jsonb_build_object('at', s.at, 'type', s.type, 'outcome', s.outcome, 'ticket_id', s.ticket_id) order by s.at desc), '[]') from (
        select * from (${withTickets ? ticketSupport : sql``}
          (select created_at as at, 'Credits' as type, case when delta > 0 then '+' else '' end || delta || ': ' || reason as outcome,
            null::bigint as ticket_id
          from credit_entries where customer_id = c.id and kind in ('grant', 'removal') order by created_at desc limit ${sql.lit(RECENT)})) x
        order by x.at desc limit ${sql.lit(RECENT)}) s) as support
    from customers c
    cross join lateral (select count(*)::int as bookings,
        max(starts_at) filter (where status <> 'cancelled' and starts_at <= ${now}) as last_booking
      from bookings where customer_id = c.id) b
    cross join lateral (select count(*)::int as referrals, count(*) filter (where exists (
        select from bookings where customer_id = f.id and status = 'completed'))::int as referrals_successful
      from customers f where f.referred_by_customer_id = c.id and ${isOpenAccount}) r
    cross join lateral (select count(*)::int as rewards, max(redeemed_at) as last_redemption from rewards where customer_id = c.id) w
    where c.id = ${id}`.execute(db)
  return rows[0]
}

export const customerExists = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('customers').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

export interface CustomerTicketRow
  extends Pick<Row<'tickets'>, 'id' | 'subject' | 'status' | 'priority' | 'created_at'> {
  content: string | null
}

const MAX_TICKETS = 200

export async function findCustomerTickets(db: Db, id: number): Promise<CustomerTicketRow[]> {
  const { rows } = await sql<CustomerTicketRow>`
    select t.id, t.subject, t.status, t.priority, t.created_at,
      (select content from ticket_messages where ticket_id = t.id order by id limit 1) as content
    from tickets t where t.customer_id = ${id} and t.merged_into_id is null
    order by t.created_at desc, t.id desc limit ${sql.lit(MAX_TICKETS)}`.execute(db)
  return rows
}

const MAX_REWARDS = 200

export const findRewards = (db: Db, id: number) =>
  db
    .selectFrom('rewards')
    .select(['id', 'reward_type', 'details', 'points', 'expires_at', 'redeemed_at'])
    .where('customer_id', '=', id)
    .orderBy('earned_at', 'desc')
    .limit(MAX_REWARDS)
    .execute()

export const findCreditHistory = (db: Db, id: number) =>
  db
    .selectFrom('credit_entries as e')
    .leftJoin('workers as w', 'w.id', 'e.worker_id')
    .select(['e.id', 'e.delta', 'e.kind', 'e.reason', 'w.name as by', 'e.created_at'])
    .where('e.customer_id', '=', id)
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(MAX_REWARDS)
    .execute()

export const findTransactions = (db: Db, id: number, limit: number, offset: number) =>
  db
    .selectFrom('customer_transactions')
    .select(['id', 'created_at', 'transaction_type', 'amount', 'credits', 'status'])
    .where('customer_id', '=', id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export interface BookingRow {
  id: number
  date: string
  start_time: string
  end_time: string
  status: Row<'bookings'>['status']
  stretcher: string | null
  stretcher_id: number | null
  zone: string
  rating: number | null
  rating_attributes: string[]
  feedback: string | null
  feedback_at: Date | null
}

/** Bookings with date and time in the time zone of their zone. */
export async function findBookings(db: Db, id: number, limit: number, offset: number): Promise<BookingRow[]> {
  const { rows } = await sql<BookingRow>`
    select b.id, to_char(b.starts_at at time zone z.time_zone, 'YYYY-MM-DD') as date,
      to_char(b.starts_at at time zone z.time_zone, 'HH24:MI') as start_time,
      to_char(b.ends_at at time zone z.time_zone, 'HH24:MI') as end_time, b.status,
      s.first_name || ' ' || s.last_name as stretcher, b.stretcher_id, z.name as zone, b.rating, b.rating_attributes, b.feedback, b.feedback_at
    from bookings b join zones z on z.id = b.zone_id left join stretchers s on s.id = b.stretcher_id
    where b.customer_id = ${id} order by b.starts_at desc, b.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export interface UsageRow {
  engagement_score: number
  total_logins: number
  total_actions: number
  weeks: { week: string; actions: number }[]
  activity: { action_type: string; outcome: string; path: string; at: string }[]
}

/** A customer's product usage; `from` is the first day of twelve weeks. */
export async function findUsage(db: Db, id: number, from: string): Promise<UsageRow | undefined> {
  const zone = sql.lit(companyZone())
  const { rows } = await sql<UsageRow>`
    with own as materialized (select created_at, action_type, event_outcome, path from events where user_id = ${id})
    select c.engagement_score, c.total_logins, (select count(*)::int from own) as total_actions,
      (select jsonb_agg(jsonb_build_object('week', w.day, 'actions', (select count(*) from own
          where created_at >= w.day::timestamp at time zone ${zone}
            and created_at < (w.day + 7)::timestamp at time zone ${zone})) order by w.day)
        from (select ${from}::date + 7 * n as day from generate_series(0, 11) n) w) as weeks,
      (select coalesce(jsonb_agg(jsonb_build_object('action_type', e.action_type, 'outcome', e.event_outcome, 'path', e.path,
          'at', e.created_at) order by e.created_at desc), '[]')
        from (select * from own order by created_at desc limit 100) e) as activity
    from customers c where c.id = ${id}`.execute(db)
  return rows[0]
}
