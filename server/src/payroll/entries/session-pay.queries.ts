import { stringifyMoney } from '@limber/contract/kit/money.ts'
import type { SessionRef } from '@limber/contract/payroll/entries/entry.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

/** Cursor for reading sessions in batches. */
export interface SessionCursor {
  starts_at: Date
  id: number
}

export interface CompletedSession extends SessionCursor {
  stretcher_id: number
  /** In the zone's time zone. */
  work_date: string
  /** Duration of an on-site session; 0 for bookings. */
  hours: number
  /** When another system first sent a booking; null for other sessions. */
  arrived_at: Date | null
}

export type SessionKind = SessionRef['kind']

const localDay = sql`(x.starts_at at time zone z.time_zone)::date`

// Completed sessions without an entry. Canceled entries count too: a session has at most one entry.
const unpaid: Record<SessionKind, (now: Date) => RawBuilder<unknown>> = {
  booking: () => sql`bookings x join zones z on z.id = x.zone_id
    where x.status = 'completed' and x.stretcher_id is not null and x.makes_wages
      and not exists (select from payroll_entries e where e.booking_id = x.id)`,
  onsite: (now) => sql`onsite_sessions x join businesses u on u.id = x.business_id join zones z on z.id = u.zone_id
    where x.cancelled_at is null and x.ends_at <= ${now}
      and not exists (select from payroll_entries e where e.onsite_session_id = x.id)`,
}

const columns: Record<SessionKind, RawBuilder<unknown>> = {
  booking: sql`x.id, x.starts_at, x.stretcher_id, ${localDay} as work_date, 0 as hours,
    (select min(r.created_at) from external_refs r where r.resource = 'bookings' and r.record_id = x.id) as arrived_at`,
  onsite: sql`x.id, x.starts_at, x.stretcher_id, ${localDay} as work_date,
    round(extract(epoch from x.ends_at - x.starts_at) / 3600)::int as hours, null::timestamptz as arrived_at`,
}

// In UTC, a session starts at most one day before its local day.
const sinceDay = (day: string) => sql`and x.starts_at >= ${day}::date - 1 and ${localDay} >= ${day}::date`

interface SessionQuery {
  kind: SessionKind
  now: Date
  /** Only sessions from this day on. */
  from?: string | undefined
  /** Only these sessions. */
  ids?: readonly number[]
  after: SessionCursor | undefined
  limit: number
}

/** Completed sessions without an entry, oldest first. */
export async function findUnpaidSessions(
  db: Db,
  { kind, now, from, ids, after, limit }: SessionQuery,
): Promise<CompletedSession[]> {
  const { rows } = await sql<CompletedSession>`
    select ${columns[kind]} from ${unpaid[kind](now)} ${from === undefined ? sql`` : sinceDay(from)}
      ${ids ? sql`and x.id = any(${ids}::bigint[])` : sql``}
      ${after ? sql`and (x.starts_at, x.id) > (${after.starts_at}::timestamptz, ${after.id}::bigint)` : sql``}
    order by x.starts_at, x.id limit ${limit}`.execute(db)
  return rows
}

/** Number of completed sessions without an entry from a day on. */
export async function countUnpaidSessions(db: Db, kind: SessionKind, from: string, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${unpaid[kind](now)} ${sinceDay(from)}`.execute(db)
  return rows[0]?.count ?? 0
}

export interface UnpaidSessionRow extends CompletedSession {
  kind: SessionKind
  /** The zone of a booking or the business of an on-site session. */
  place: string
}

/** Completed sessions of one stretcher without an entry, newest first; or a single one. */
export async function findUnpaidSessionsOf(
  db: Db,
  stretcherId: number,
  now: Date,
  { limit = 1, one, from }: { limit?: number; one?: SessionRef; from?: string | undefined },
): Promise<UnpaidSessionRow[]> {
  const of = (kind: SessionKind, place: RawBuilder<unknown>) => sql`
    (select ${kind}::text as kind, ${columns[kind]}, ${place} as place from ${unpaid[kind](now)}
      and x.stretcher_id = ${stretcherId} ${one ? sql`and x.id = ${one.id}` : sql``}
      ${from === undefined ? sql`` : sinceDay(from)}
    order by x.starts_at desc, x.id desc limit ${limit})`
  const { rows } = await sql<UnpaidSessionRow>`
    select * from (
      ${of('booking', sql`z.name`)}
      union all ${of('onsite', sql`u.name`)}) own
    where ${one ? sql`kind = ${one.kind}` : sql`true`} order by starts_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

/** Finds or creates the earners of stretchers. */
export async function ensureEarners(db: Db, stretcherIds: readonly number[], now: Date): Promise<Map<number, number>> {
  await sql`insert into earners (stretcher_id, created_at)
    select s, ${now} from unnest(${stretcherIds}::bigint[]) s on conflict (stretcher_id) do nothing`.execute(db)
  const { rows } = await sql<{ id: number; stretcher_id: number }>`
    select id, stretcher_id from earners where stretcher_id = any(${stretcherIds})`.execute(db)
  return new Map(rows.map(({ id, stretcher_id }) => [stretcher_id, id]))
}

export interface SessionEntry {
  earner_id: number
  sub_type: string | null
  booking_id: number | null
  onsite_session_id: number | null
  pay_period_id: number
  work_date: string
  pay_date: string
  amount: bigint
  withheld: bigint
  employer_tax: bigint
}

/** Inserts session entries and skips sessions that already have one. */
export async function insertSessionEntries(db: Db, entries: readonly SessionEntry[], now: Date): Promise<number> {
  const rows = entries.map((entry) => ({
    ...entry,
    amount: stringifyMoney(entry.amount),
    withheld: stringifyMoney(entry.withheld),
    employer_tax: stringifyMoney(entry.employer_tax),
  }))
  const { numAffectedRows } = await sql`
    insert into payroll_entries (earner_id, type, sub_type, amount, withheld, employer_tax, status, pay_period_id, work_date, pay_date,
      booking_id, onsite_session_id, created_at)
    select r.earner_id, 'session', r.sub_type, r.amount, r.withheld, r.employer_tax, 'pending', r.pay_period_id, r.work_date, r.pay_date,
      r.booking_id, r.onsite_session_id, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(earner_id bigint, sub_type text, booking_id bigint,
      onsite_session_id bigint, pay_period_id bigint, work_date date, pay_date date, amount numeric, withheld numeric, employer_tax numeric)
    on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
