import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { ALL_ACTIONS, DAY_TIER, FIVE_TIER, HOUR_TIER, MINUTE_TIER, PathTimes } from '../rollups/cell.rules.ts'
import type { Block } from './dashboard.rules.ts'
import type { Span, Window } from './window.rules.ts'

const CURRENT = 0
const PREVIOUS = 1
const PERFORMANCE = 2

interface Row {
  part: 'block' | 'action' | 'point'
  which: number
  at: Date | null
  key: number | null
  events: number
  errors: number | null
  time_sum: number | null
  users: number | null
  user_set: Buffer | null
  paths: Buffer | null
}

const windowRow = (which: number, { daysFrom, hoursFrom, fivesFrom, minutesFrom, to }: Span) =>
  sql`(${which}::int, ${new Date(daysFrom)}::timestamptz, ${new Date(hoursFrom)}::timestamptz, ${new Date(fivesFrom)}::timestamptz, ${new Date(minutesFrom)}::timestamptz, ${new Date(to)}::timestamptz)`

/** The part of a span that each tier covers. A day counts by its own row once sealed, before that by its hours. */
const tierRanges = [
  [DAY_TIER, sql`r.at >= w.days_from and r.at < least(w.hours_from, sealed.until)`],
  [HOUR_TIER, sql`r.at >= greatest(w.days_from, least(w.hours_from, sealed.until)) and r.at < w.fives_from`],
  [FIVE_TIER, sql`r.at >= w.fives_from and r.at < least(w.minutes_from, sealed.fives)`],
  [MINUTE_TIER, sql`r.at >= greatest(w.fives_from, least(w.minutes_from, sealed.fives)) and r.at < w.to_at`],
] as const

/** The tiers that make up a span. Every part of the query costs time, even one without rows. */
const tiersOf = ({ daysFrom, hoursFrom, fivesFrom, minutesFrom, to }: Span) =>
  [
    daysFrom < hoursFrom && DAY_TIER,
    daysFrom < fivesFrom && HOUR_TIER,
    fivesFrom < minutesFrom && FIVE_TIER,
    fivesFrom < to && MINUTE_TIER,
  ].filter((tier) => tier !== false)

const blocksOf = (actions: RawBuilder<unknown>, spans: readonly Span[]) => {
  const tiers = new Set<number>(spans.flatMap(tiersOf))
  const parts = tierRanges
    .filter(([tier]) => tiers.has(tier))
    .map(
      ([tier, reach]) => sql`
    select r.at, r.action_id, r.events, r.errors, r.time_sum, r.users, r.user_set, r.paths from event_rollups r
    where r.tier = ${sql.lit(tier)} and ${actions} and ${reach}`,
    )
  return sql`lateral (${sql.join(parts, sql` union all `)}) b`
}

const sealed = sql`sealed as (
  select coalesce(max(sealed_until), '-infinity') as until, coalesce(max(fives_until), '-infinity') as fives from event_rollup_state)`

const ofAction = (action: number) => sql`r.action_id = ${action}::int`
const ofEachAction = sql`r.action_id <> ${sql.lit(ALL_ACTIONS)}`

export interface DashboardRows {
  current: Block[]
  previous: Block[]
  times: PathTimes
  /** Event counts in the window by action id. */
  actions: Map<number, number>
  /** Hours of both windows, when the points of the chart are not blocks themselves. */
  hours: { current: { at: number; events: number }[]; previous: { at: number; events: number }[] }
}

/** Everything but the recent events, in one statement and so from one snapshot. */
export async function readRollups(
  db: Db,
  {
    events,
    performance,
    action,
    withHours,
  }: { events: Window; performance: Window; action: number; withHours: boolean },
): Promise<DashboardRows> {
  const chosen = ofAction(action)
  const isOneWindow = performance.current.daysFrom === events.current.daysFrom
  const timed = isOneWindow ? CURRENT : PERFORMANCE
  const spans = [events.current, events.previous, ...(isOneWindow ? [] : [performance.current])]
  // CURRENT, PREVIOUS and PERFORMANCE are the indexes.
  const windows = spans.map((span, which) => windowRow(which, span))
  // Omit the part instead of disabling it by parameter: PostgreSQL caches the plan only if every call costs the same.
  const points = sql`
    union all
    select 'point', w.which, r.at, null, r.events, null, null, null, null, null
    from w, event_rollups r where w.which <> ${sql.lit(PERFORMANCE)}
      and r.tier = ${sql.lit(HOUR_TIER)} and ${chosen} and r.at >= w.days_from and r.at < w.to_at`
  const { rows } = await sql<Row>`
    with ${sealed},
    w(which, days_from, hours_from, fives_from, minutes_from, to_at) as (values ${sql.join(windows)})
    select 'block' as part, w.which, b.at, null::int as key, b.events::bigint as events, b.errors::bigint as errors, b.time_sum, b.users,
      case when w.which <> ${sql.lit(PERFORMANCE)} then b.user_set end as user_set,
      case when w.which = ${sql.lit(timed)} then b.paths end as paths
    from sealed, w, ${blocksOf(chosen, spans)}
    union all
    select 'action', w.which, null, b.action_id, sum(b.events), null, null, null, null, null
    from sealed, w, ${blocksOf(ofEachAction, [events.current])} where w.which = ${sql.lit(CURRENT)} group by w.which, b.action_id
    ${withHours ? points : sql``}`.execute(db)
  return groupRows(rows)
}

function groupRows(rows: readonly Row[]): DashboardRows {
  const found: DashboardRows = {
    current: [],
    previous: [],
    times: new PathTimes(),
    actions: new Map(),
    hours: { current: [], previous: [] },
  }
  for (const { part, which, at, key, events, errors, time_sum, users, user_set, paths } of rows) {
    const when = at?.getTime() ?? 0
    const side = which === PREVIOUS ? 'previous' : 'current'
    if (paths) found.times.unpack(paths)
    if (part === 'action') found.actions.set(key ?? ALL_ACTIONS, events)
    else if (part === 'point') found.hours[side].push({ at: when, events })
    else if (which !== PERFORMANCE)
      found[side].push({
        at: when,
        events,
        errors: errors ?? 0,
        timeSum: time_sum ?? 0,
        users: users ?? 0,
        userSet: user_set ?? Buffer.alloc(1),
      })
  }
  return found
}

/** The version of the newest change to the figures. */
export async function readVersion(db: Db): Promise<string> {
  const { rows } = await sql<{ version: string }>`select version::text from event_rollup_version`.execute(db)
  return rows[0]?.version ?? ''
}

/** Number of events in a span. */
export async function countEvents(db: Db, span: Span, action: number): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    with ${sealed},
    w(which, days_from, hours_from, fives_from, minutes_from, to_at) as (values ${windowRow(CURRENT, span)})
    select coalesce(sum(b.events), 0)::bigint as events from sealed, w, ${blocksOf(ofAction(action), [span])}`.execute(
    db,
  )
  return rows[0]?.events ?? 0
}

/** The cells of a span, of one action or of all. */
const cellsIn = (span: Span, actions: RawBuilder<unknown>) => sql`
  with ${sealed},
  w(which, days_from, hours_from, fives_from, minutes_from, to_at) as (values ${windowRow(CURRENT, span)}),
  cells as (select b.* from sealed, w, ${blocksOf(actions, [span])})`

export interface ActionSum {
  action_id: number
  events: number
  errors: number
  /** Hundredths of a millisecond. */
  time_sum: number
}

/** Events, failures and response time of each action type in a span; of one type if given. */
export async function readActionSums(db: Db, span: Span, action: number): Promise<ActionSum[]> {
  const { rows } = await sql<ActionSum>`${cellsIn(span, action === ALL_ACTIONS ? ofEachAction : ofAction(action))}
    select action_id, sum(events)::bigint as events, sum(errors)::bigint as errors, sum(time_sum)::bigint as time_sum
    from cells group by 1`.execute(db)
  return rows
}

/** The packed sets of users of a span. */
export async function readUserSets(db: Db, span: Span, action: number): Promise<Buffer[]> {
  const { rows } = await sql<{ user_set: Buffer }>`${cellsIn(span, ofAction(action))}
    select user_set from cells where users > 0`.execute(db)
  return rows.map(({ user_set }) => user_set)
}

/** Customers (positive) and workers (negative) by their numbers in a set of users. */
export async function readPeople(db: Db, nums: readonly number[]) {
  const { rows } = await sql<{ num: number; ref: number; name: string | null }>`
    select u.num, u.ref, coalesce(c.first_name || ' ' || c.last_name, w.name) as name
    from event_users u left join customers c on c.id = u.ref left join workers w on w.id = -u.ref
    where u.num = any(${[...nums]}::int[]) order by u.num`.execute(db)
  return rows
}

/** Events per hour in a span, newest hour first. */
export function readHours(db: Db, from: Date, to: Date, action: number) {
  return db
    .selectFrom('event_rollups')
    .select(['at', 'events'])
    .where('tier', '=', HOUR_TIER)
    .where('action_id', '=', action)
    .where('at', '>=', from)
    .where('at', '<', to)
    .orderBy('at', 'desc')
    .execute()
}
