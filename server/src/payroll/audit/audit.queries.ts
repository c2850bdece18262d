import type { EntryType } from '@limber/contract/payroll/values.ts'
import { wageTypes } from '@limber/contract/payroll/values.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

export interface Range {
  startDate: string
  endDate: string
}

/** A paid entry for an audit. Amounts are in ten-thousandths of a dollar. */
export interface EntryRow {
  id: number
  earner_id: number
  pay_period_id: number
  pay_date: string
  work_date: string
  type: EntryType
  booking_id: number | null
  onsite_session_id: number | null
  amount: number
  withheld: number
  employer_tax: number
  employee_adjustment: number
  employer_adjustment: number
}

const wages = sql.join(wageTypes.map((type) => sql.lit(type)))

// Sums of adjustments that were not undone, per entry and side.
const adjusted = (entries: ReturnType<typeof sql>) => sql`
  select a.payroll_id, coalesce(sum(a.difference) filter (where a.side = 'employee'), 0) as employee,
    coalesce(sum(a.difference) filter (where a.side = 'employer'), 0) as employer
  from payroll_adjustments a left join payroll_undos u on u.operation_id = a.operation_id
  where u.operation_id is null and a.payroll_id in (${entries}) group by 1`

const columns = sql`e.id, e.earner_id, e.pay_period_id, e.pay_date, e.work_date, e.type, e.booking_id, e.onsite_session_id,
  (e.amount * 10000)::bigint as amount, (e.withheld * 10000)::bigint as withheld, (e.employer_tax * 10000)::bigint as employer_tax,
  (coalesce(a.employee, 0) * 10000)::bigint as employee_adjustment, (coalesce(a.employer, 0) * 10000)::bigint as employer_adjustment`

/** Voided entries no longer count as wages, and their taxes are settled. */
const isNotVoided = sql`not exists (select from payroll_voids v where v.payroll_id = id)`

/** Streams the paid entries of a range in batches, grouped by earner and ordered by pay date. */
export async function* readPaidEntries(db: Db, { startDate, endDate }: Range, batchSize: number) {
  const inRange = sql`status = 'paid' and pay_date between ${sql.lit(startDate)} and ${sql.lit(endDate)} and ${isNotVoided}`
  await sql`declare paid no scroll cursor for
    select ${columns} from payroll_entries e
    left join (${adjusted(sql`select id from payroll_entries where ${inRange}`)}) a on a.payroll_id = e.id
    where ${inRange} order by e.earner_id, e.pay_date, e.id`.execute(db)
  for (;;) {
    const { rows } = await sql<EntryRow>`fetch ${sql.lit(batchSize)} from paid`.execute(db)
    if (rows.length === 0) break
    yield rows
  }
  await sql`close paid`.execute(db)
}

/** Year-to-date wages of each earner before the start of the range, in ten-thousandths of a dollar. */
export async function readWagesBefore(db: Db, startDate: string): Promise<Map<number, bigint>> {
  const { rows } = await sql<{ earner_id: number; wages: number }>`
    select earner_id, (sum(amount) * 10000)::bigint as wages from payroll_entries
    where status = 'paid' and pay_date >= ${`${startDate.slice(0, 4)}-01-01`} and pay_date < ${startDate} and type in (${wages}) and ${isNotVoided}
    group by 1`.execute(db)
  return new Map(rows.map((row) => [row.earner_id, BigInt(row.wages)]))
}

/** Paid entries of one earner from January 1 to the given day. */
export const findYearOfEarner = (db: Db, earnerId: number, day: string) => findYearOfEarners(db, [earnerId], day)

/** Paid entries of some earners from January 1 to the given day, by pay date. */
export async function findYearOfEarners(db: Db, earnerIds: readonly number[], day: string): Promise<EntryRow[]> {
  const inYear = sql`earner_id = any(${earnerIds}::bigint[]) and status = 'paid' and pay_date between ${`${day.slice(0, 4)}-01-01`} and ${day} and ${isNotVoided}`
  const { rows } = await sql<EntryRow>`
    select ${columns} from payroll_entries e
    left join (${adjusted(sql`select id from payroll_entries where ${inYear}`)}) a on a.payroll_id = e.id
    where ${inYear} order by e.pay_date, e.id`.execute(db)
  return rows
}

export async function countPaidEntries(db: Db, { startDate, endDate }: Range): Promise<number> {
  const { rows } = await sql<{ entries: number }>`
    select coalesce(sum(entries), 0)::bigint as entries from payroll_totals
    where status = 'paid' and pay_date between ${startDate} and ${endDate}`.execute(db)
  return rows[0]?.entries ?? 0
}

export type ProfileRow = Omit<Row<'earner_tax_profiles'>, 'worker_id'>

/** Tax profiles in order of effective date, of one earner or of all. */
export const findProfiles = (db: Db, earnerId?: number): Promise<ProfileRow[]> =>
  db
    .selectFrom('earner_tax_profiles')
    .selectAll()
    .$if(earnerId !== undefined, (query) => query.where('earner_id', '=', earnerId ?? 0))
    .orderBy('earner_id')
    .orderBy('effective_from')
    .orderBy('id')
    .execute()

export type SettingsRow = Row<'payroll_settings'>

/** Settings in order of effective date. */
export const findSettings = (db: Db): Promise<SettingsRow[]> =>
  db.selectFrom('payroll_settings').selectAll().orderBy('effective_from').orderBy('version').execute()

export const findPeriods = (db: Db) =>
  db.selectFrom('pay_periods').select(['id', 'starts_on', 'ends_on', 'frequency', 'closed_at']).execute()

export const earnerName = sql<string>`coalesce(s.first_name || ' ' || s.last_name, w.name)`

export async function findEarnerNames(db: Db): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select e.id, ${earnerName} as name from earners e
    left join stretchers s on s.id = e.stretcher_id left join workers w on w.id = e.worker_id`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** A snapshot id that lets another connection read what this transaction sees. */
export async function exportSnapshot(db: Db): Promise<string> {
  const { rows } = await sql<{ snapshot: string }>`select pg_export_snapshot() as snapshot`.execute(db)
  const snapshot = rows[0]?.snapshot
  if (!snapshot) throw new Error('The database returned no snapshot')
  return snapshot
}

/** Reads in a separate transaction with one snapshot: a new one, or that of another transaction. */
export function inSnapshot<T>(db: Db, snapshot: string | undefined, read: (tx: Db) => Promise<T>): Promise<T> {
  if (snapshot !== undefined && !/^[\dA-F-]{1,60}$/.test(snapshot)) throw new Error('Not a snapshot')
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      if (snapshot !== undefined) await sql`set transaction snapshot ${sql.lit(snapshot)}`.execute(tx)
      return read(tx)
    })
}
