import { type FigureName, NOTICE_DAYS } from '@limber/contract/growth/overview/figure.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { containing } from '#platform/db/like.ts'
import type { Kind, Scope, Source } from './figure-source.queries.ts'
import {
  activitySpans,
  day,
  dayOf,
  hasNoRecentContact,
  isActiveOn,
  isChurnedOn,
  isCompleted,
  isLocated,
  isOpen,
  isOutside,
  isPaidInCity,
  isPartner,
  isPayout,
  isRevenue,
  isUser,
  isWithin,
  lastContact,
  livesInCity,
  payments,
  payouts,
  renewsSoon,
  startOf,
  windowOf,
  zoneOfPayment,
  zoneOfPayout,
} from './measure.queries.ts'
import { resultSources, rewardsDue } from './result-sources.queries.ts'

export interface FigureRecord {
  id: number
  name: string
  detail: string | null
  place: string | null
  day: string | null
  amount: string | null
  user_id: number | null
}

type Sql = RawBuilder<unknown>

const count = sql`count(*)`
const sum = sql`coalesce(sum(worth), 0)`
const mean = sql`round(avg(worth), 4)`

/** Rows in a zone never belong to a city outside the zones. */
const inZones = (zone: Sql, { zoneIds, city }: Scope): Sql =>
  city !== undefined ? sql`false` : zoneIds ? sql`${zone} = any(${zoneIds})` : sql`true`

const livesInScope = (scope: Scope): Sql =>
  scope.city === undefined ? inZones(sql`c.zone_id`, scope) : livesInCity(scope.city)

const people = (scope: Scope, which: Sql, on: Sql = dayOf(sql`c.joined_at`)): Source => ({
  kind: 'customer',
  matches: sql`select c.id, ${on} as day, c.credits as worth from customers c where ${isUser} and ${which} and ${livesInScope(scope)}`,
  value: count,
})

/** Customers by their last activity up to a day: active or churned. */
const peopleByActivity = (scope: Scope, matchesOn: typeof isActiveOn, on: Sql = day(scope.today)): Source => {
  const isUserInScope = sql`${isUser} and ${livesInScope(scope)}`
  const spans = activitySpans(
    { from: day(scope.today, 1 - 2 * scope.days), to: day(scope.today) },
    // A city has few customers, so their bookings are found by customer id.
    scope.city === undefined ? undefined : sql`b.customer_id in (select c.id from customers c where ${isUserInScope})`,
  )
  return {
    kind: 'customer',
    matches: sql`
      select c.id, a.day from (${spans}) a join customers c on c.id = a.customer_id
      where ${matchesOn(on, sql`${scope.days}::int`)} and ${isUserInScope}`,
    value: count,
  }
}

const bookingsBy = (scope: Scope, moment: Sql, which: Sql, isBefore = false): Source => ({
  kind: 'booking',
  matches: sql`
    select b.id, ${dayOf(moment)} as day, b.rating as worth from bookings b
    where ${which} and ${isWithin(moment, windowOf(scope.today, scope.days, isBefore))} and ${inZones(sql`b.zone_id`, scope)}`,
  value: count,
})

const partners = (which: Sql, on: Sql): Source => ({
  kind: 'business',
  matches: sql`select u.id, ${on} as day from businesses u where ${which}`,
  value: count,
})

const everywhere = sql`true`

const sources: Record<FigureName, (scope: Scope) => Source> = {
  users: (scope) => people(scope, everywhere),
  usersBefore: (scope) => people(scope, sql`c.joined_at < ${startOf(day(scope.today, 1 - scope.days))}`),
  newUsers: (scope) => people(scope, isWithin(sql`c.joined_at`, windowOf(scope.today, scope.days))),
  activeUsers: (scope) => peopleByActivity(scope, isActiveOn),
  activeBefore: (scope) => peopleByActivity(scope, isActiveOn, day(scope.today, -scope.days)),
  churnedUsers: (scope) => peopleByActivity(scope, isChurnedOn),
  withAddress: (scope) => people(scope, isLocated),
  withinServiceArea: (scope) => people(scope, sql`c.zone_id is not null`),
  // Users outside every zone are one number for all zones.
  outsideUsers: (scope) => people({ ...scope, zoneIds: undefined }, isOutside),
  withWaiver: (scope) => people(scope, sql`c.waiver_signed_at is not null`, dayOf(sql`c.waiver_signed_at`)),
  availableCredits: (scope) => ({ ...people(scope, sql`c.credits > 0`), kind: 'credit', value: sum }),
  sessions: (scope) => bookingsBy(scope, sql`b.starts_at`, isCompleted),
  ratings: (scope) => ({
    ...bookingsBy(scope, sql`b.starts_at`, sql`${isCompleted} and b.rating is not null`),
    kind: 'rating',
    value: mean,
  }),
  bookedSessions: (scope) => bookingsBy(scope, sql`b.created_at`, isOpen),
  bookings: (scope) => bookingsBy(scope, sql`b.created_at`, everywhere),
  bookingsBefore: (scope) => bookingsBy(scope, sql`b.created_at`, everywhere, true),
  cancelledBookings: (scope) => bookingsBy(scope, sql`b.cancelled_at`, sql`b.cancelled_at is not null`),
  revenue: (scope) => ({
    kind: 'payment',
    matches: sql`
      select t.id, ${dayOf(sql`t.created_at`)} as day, t.amount as worth from ${payments}
      where ${isRevenue} and ${isWithin(sql`t.created_at`, windowOf(scope.today, scope.days))}
        and ${scope.city === undefined ? inZones(zoneOfPayment, scope) : isPaidInCity(scope.city)}`,
    value: sum,
  }),
  payouts: (scope) => ({
    kind: 'payout',
    matches: sql`
      select p.id, p.work_date as day, p.amount as worth from ${payouts}
      where ${isPayout} and p.work_date > ${day(scope.today, -scope.days)} and p.work_date <= ${scope.today}::date
        and ${inZones(zoneOfPayout, scope)} and ${scope.category ? sql`p.type = ${scope.category}` : everywhere}`,
    value: sum,
  }),
  stretchers: (scope) => ({
    kind: 'stretcher',
    matches: sql`
      select s.id, ${dayOf(sql`s.hired_at`)} as day from stretchers s
      where s.status = 'active' and ${inZones(sql`s.zone_id`, scope)}`,
    value: count,
  }),
  businesses: () => partners(isPartner, dayOf(sql`u.created_at`)),
  upcomingRenewals: ({ today }) => partners(renewsSoon(today, NOTICE_DAYS), sql`u.renews_on`),
  noRecentContact: ({ today }) => partners(hasNoRecentContact(today, NOTICE_DAYS), dayOf(lastContact)),
  ...resultSources,
}

const nameOf = (table: 'c' | 's' | 'l') =>
  sql`${sql.ref(`${table}.first_name`)} || ' ' || ${sql.ref(`${table}.last_name`)}`

/** A status or type as a label. */
const labelOf = (column: string) =>
  sql`upper(left(${sql.ref(column)}, 1)) || replace(substr(${sql.ref(column)}, 2), '_', ' ')`

const leadName = sql`coalesce(nullif(btrim(${nameOf('l')}), ''), l.email, l.phone)`

/** The columns shown for the rows `m` (id, day) of each kind. */
const details: Record<Kind, Sql> = {
  customer: sql`
    select m.id, ${nameOf('c')} as name, c.email as detail, coalesce(z.name, c.city) as place, m.day, null::text as amount, c.id as user_id
    from m join customers c on c.id = m.id left join zones z on z.id = c.zone_id`,
  credit: sql`
    select m.id, ${nameOf('c')} as name, c.credits || case when c.credits = 1 then ' credit' else ' credits' end as detail,
      coalesce(z.name, c.city) as place, m.day, c.credits::text as amount, c.id as user_id
    from m join customers c on c.id = m.id left join zones z on z.id = c.zone_id`,
  booking: sql`
    select m.id, ${nameOf('c')} as name, ${labelOf('b.status')} || coalesce(', rated ' || b.rating, '') as detail, z.name as place, m.day,
      b.price::text as amount, c.id as user_id
    from m join bookings b on b.id = m.id join customers c on c.id = b.customer_id join zones z on z.id = b.zone_id`,
  rating: sql`
    select m.id, ${nameOf('c')} as name, ${labelOf('b.status')} as detail, z.name as place, m.day, b.rating::text as amount, c.id as user_id
    from m join bookings b on b.id = m.id join customers c on c.id = b.customer_id join zones z on z.id = b.zone_id`,
  payment: sql`
    select m.id, ${nameOf('c')} as name, ${labelOf('t.transaction_type')} as detail, z.name as place, m.day, t.amount::text as amount, c.id as user_id
    from m join customer_transactions t on t.id = m.id left join bookings b on b.id = t.booking_id
    join customers c on c.id = t.customer_id left join zones z on z.id = ${zoneOfPayment}`,
  payout: sql`
    select m.id, ${nameOf('s')} as name, ${labelOf('p.type')} as detail, z.name as place, m.day, p.amount::text as amount, null::bigint as user_id
    from m join payroll_entries p on p.id = m.id join earners e on e.id = p.earner_id join stretchers s on s.id = e.stretcher_id
    left join bookings b on b.id = p.booking_id left join zones z on z.id = ${zoneOfPayout}`,
  stretcher: sql`
    select m.id, ${nameOf('s')} as name, s.email as detail, z.name as place, m.day, null::text as amount, null::bigint as user_id
    from m join stretchers s on s.id = m.id left join zones z on z.id = s.zone_id`,
  business: sql`
    select m.id, u.name, ${labelOf('u.stage')} as detail, z.name as place, m.day, null::text as amount, null::bigint as user_id
    from m join businesses u on u.id = m.id join zones z on z.id = u.zone_id`,
  referral: sql`
    select m.id, ${nameOf('c')} as name, 'Referred by ' || coalesce(a.first_name || ' ' || a.last_name, ${nameOf('s')}, w.name) as detail,
      coalesce(z.name, c.city) as place, m.day, r.earnings::text as amount, c.id as user_id
    from m join referrals r on r.customer_id = m.id join customers c on c.id = m.id left join zones z on z.id = c.zone_id
    left join customers a on r.kind = 'user' and a.id = r.referrer_id
    left join stretchers s on r.kind = 'stretcher' and s.id = r.referrer_id
    left join workers w on r.kind = 'worker' and w.id = r.referrer_id`,
  referrer: sql`
    select m.id, ${nameOf('c')} as name, c.email as detail, coalesce(z.name, c.city) as place, m.day, d.due::text as amount, c.id as user_id
    from m join customers c on c.id = m.id join (${rewardsDue}) d on d.referrer_id = m.id left join zones z on z.id = c.zone_id`,
  lead: sql`
    select m.id, ${leadName} as name, ${labelOf('l.status')} as detail, p.name as place, m.day, null::text as amount, null::bigint as user_id
    from m join leads l on l.id = m.id left join campaigns p on p.id = l.campaign_id`,
  response: sql`
    select m.id, ${leadName} as name, ${labelOf('l.status')} as detail, p.name as place, m.day,
      round(extract(epoch from l.first_response_at - l.created_at) / 60, 4)::text as amount, null::bigint as user_id
    from m join leads l on l.id = m.id left join campaigns p on p.id = l.campaign_id`,
  campaign: sql`
    select m.id, c.name, ${labelOf('c.status')} as detail, null::text as place, m.day, null::text as amount, null::bigint as user_id
    from m join campaigns c on c.id = m.id`,
}

interface Summary {
  total: number
  /** Null for the average of no rows. */
  value: string | null
}

interface Page {
  limit: number
  offset: number
  search: string
}

/** A search looks at this many rows, the newest, so that its cost does not grow with the company. */
const MAX_SEARCHED = 10_000

const newest = sql`order by day desc nulls last, id desc`

/** One page of the rows behind a figure, newest first, with their total count and the figure itself. */
export async function findFigureRows(db: Db, figure: FigureName, scope: Scope, { limit, offset, search }: Page) {
  const { kind, matches, value } = sources[figure](scope)
  const page = sql`limit ${limit} offset ${offset}`
  const figures = sql`select count(*) as total, (${value})::text as value from matches`
  const { rows } =
    search === ''
      ? await sql<Summary & (FigureRecord | { id: null })>`
          with matches as materialized (${matches}),
          m as materialized (select id, day from matches ${newest} ${page})
          select t.total, t.value, r.* from (${figures}) t
          left join (${details[kind]}) r on true
          order by r.day desc nulls last, r.id desc`.execute(db)
      : await sql<Summary & (FigureRecord | { id: null })>`
          with matches as materialized (${matches}),
          m as materialized (select id, day from matches ${newest} limit ${MAX_SEARCHED}),
          found as materialized (
            select * from (${details[kind]}) d where concat_ws(' ', name, detail, place) ilike ${containing(search)})
          select (select count(*) from found) as total, t.value, r.* from (${figures}) t
          left join (select * from found ${newest} ${page}) r on true
          order by r.day desc nulls last, r.id desc`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    value: rows[0]?.value ?? null,
    rows: rows.filter((row): row is Summary & FigureRecord => row.id !== null),
  }
}

/** Ids and days of all rows behind a figure, ordered by id. An export reads them in batches. */
export async function findFigureIds(db: Db, figure: FigureName, scope: Scope) {
  const { rows } = await sql<{ id: number; day: string }>`
    select id, day from (${sources[figure](scope).matches}) x order by id`.execute(db)
  return rows
}

/** The columns shown for the given rows. */
export async function describeFigureRows(
  db: Db,
  figure: FigureName,
  scope: Scope,
  some: { id: number; day: string }[],
) {
  const { kind } = sources[figure](scope)
  const { rows } = await sql<FigureRecord>`
    with m as (select * from unnest(${some.map(({ id }) => id)}::bigint[], ${some.map(({ day: on }) => on)}::date[]) x (id, day))
    ${details[kind]} order by m.id`.execute(db)
  return rows
}
