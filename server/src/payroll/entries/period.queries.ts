import { addDays } from '@limber/contract/kit/days.ts'
import type { PayFrequency } from '@limber/contract/payroll/values.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { type Period, periodOf } from './period.rules.ts'

export interface PeriodRow extends Period, Pick<Row<'pay_periods'>, 'id' | 'frequency' | 'closed_at' | 'version'> {
  closed_by_name: string | null
  entries: number
  pending: number
  amount: string
}

const periods = (where: ReturnType<typeof sql>, rest: ReturnType<typeof sql>) => sql<PeriodRow>`
  select p.id, p.starts_on, p.ends_on, p.pay_date, p.frequency, p.closed_at, w.name as closed_by_name, p.version,
    coalesce(sum(t.entries), 0)::bigint as entries, coalesce(sum(t.amount), 0) as amount,
    coalesce(sum(t.entries) filter (where t.status = 'pending'), 0)::bigint as pending
  from (select * from pay_periods p where ${where} order by pay_date desc, id desc ${rest}) p
  left join workers w on w.id = p.closed_by
  left join payroll_totals t on t.pay_period_id = p.id and t.status <> 'cancelled'
  group by p.id, p.starts_on, p.ends_on, p.pay_date, p.frequency, p.closed_at, w.name, p.version
  order by p.pay_date desc, p.id desc`

export async function findPeriodPage(db: Db, limit: number, offset: number) {
  const { rows } = await periods(sql`true`, sql`limit ${limit} offset ${offset}`).execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total from pay_periods`.execute(db)
  return { total: counted.rows[0]?.total ?? 0, rows }
}

export async function findPeriod(db: Db, id: number): Promise<PeriodRow | undefined> {
  const { rows } = await periods(sql`p.id = ${id}`, sql``).execute(db)
  return rows[0]
}

export async function findPeriodsById(db: Db, ids: readonly number[]): Promise<Map<number, PeriodRow>> {
  const { rows } = await periods(sql`p.id = any(${ids}::bigint[])`, sql``).execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export const closePeriodRow = (db: Db, id: number, workerId: number, now: Date) =>
  db
    .updateTable('pay_periods')
    .set((row) => ({ closed_at: now, closed_by: workerId, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()

type OpenPeriod = Period & { id: number; closed_at: Date | null }

const columns = ['id', 'starts_on', 'ends_on', 'pay_date', 'closed_at'] as const

/** The existing or future pay period of a day. After a change of frequency it fits between its neighbors. */
export async function planPeriod(
  db: Db,
  day: string,
  frequency: PayFrequency,
): Promise<OpenPeriod | (Period & { id: null; closed_at: null })> {
  const known = await db
    .selectFrom('pay_periods')
    .select(columns)
    .where('starts_on', '<=', day)
    .where('ends_on', '>=', day)
    .executeTakeFirst()
  if (known) return known
  const regular = periodOf(day, frequency)
  const { rows } = await sql<{ before: string | null; after: string | null }>`
    select (select max(ends_on) from pay_periods where ends_on < ${day})::text as before,
      (select min(starts_on) from pay_periods where starts_on > ${day})::text as after`.execute(db)
  const { before, after } = rows[0] ?? { before: null, after: null }
  const starts_on = before !== null && before >= regular.starts_on ? addDays(before, 1) : regular.starts_on
  const ends_on = after !== null && after <= regular.ends_on ? addDays(after, -1) : regular.ends_on
  return { id: null, starts_on, ends_on, pay_date: regular.pay_date, closed_at: null }
}

/** Finds or creates the pay period of a day. */
export async function ensurePeriod(db: Db, day: string, frequency: PayFrequency): Promise<OpenPeriod> {
  const { id, ...period } = await planPeriod(db, day, frequency)
  if (id !== null) return { id, ...period }
  return db
    .insertInto('pay_periods')
    .values({ ...period, frequency, closed_by: null })
    .returning(columns)
    .executeTakeFirstOrThrow()
}
