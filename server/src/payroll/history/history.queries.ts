import { wageTypes } from '@limber/contract/payroll/values.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { columnsOf } from '#platform/sync/columns.queries.ts'

/** Wages that somebody else paid to an earner on a day, in ten-thousandths of a dollar. */
export interface HistoryWages {
  earner_id: number
  pay_date: string
  wages: number
}

const wages = sql.join(wageTypes.map((type) => sql.lit(type)))

/** Wages from elsewhere per earner and pay date, from January 1 of the first day's year to the last day. */
export async function findHistoryWages(
  db: Db,
  { startDate, endDate }: { startDate: string; endDate: string },
  earnerId?: number,
): Promise<HistoryWages[]> {
  const { rows } = await sql<HistoryWages>`
    select earner_id, pay_date, (sum(amount) * 10000)::bigint as wages from payroll_history
    where voided_at is null and pay_date between ${`${startDate.slice(0, 4)}-01-01`} and ${endDate} and type in (${wages})
      ${earnerId === undefined ? sql`` : sql`and earner_id = ${earnerId}`}
    group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

export type NewLine = Omit<Row<'payroll_history'>, 'id' | 'created_at' | 'voided_at'>

const lineColumns = columnsOf<NewLine>('payroll_history', {
  earner_id: 'bigint',
  type: 'text',
  amount: 'numeric',
  withheld: 'numeric',
  employer_tax: 'numeric',
  work_date: 'date',
  pay_date: 'date',
})

/** Inserts lines and returns their ids in the order given. */
export const insertLines = (db: Db, lines: readonly NewLine[], now: Date) =>
  lineColumns.insert(
    db,
    lines,
    (names) => sql`insert into payroll_history (id, ${names}, created_at)
      select id, ${names}, ${now} from r order by at`,
  )

/** Lines as the API shows them. */
export async function findLines(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('payroll_history as h')
    .innerJoin('earners as e', 'e.id', 'h.earner_id')
    .leftJoin('workers as w', 'w.id', 'e.worker_id')
    .select(['h.id', 'h.earner_id', 'e.stretcher_id', 'w.email', 'h.type', 'h.amount', 'h.withheld', 'h.employer_tax'])
    .select(['h.work_date', 'h.pay_date', 'h.created_at'])
    .where('h.id', 'in', ids)
    .where('h.voided_at', 'is', null)
    .execute()
}

/** Which of these lines were voided. */
export async function findVoided(db: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('payroll_history')
    .select('id')
    .where('id', 'in', ids)
    .where('voided_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** A line that counts. */
export const findCountedLine = (db: Db, id: number) =>
  db
    .selectFrom('payroll_history')
    .select(['earner_id', 'pay_date'])
    .where('id', '=', id)
    .where('voided_at', 'is', null)
    .executeTakeFirst()

export const voidLine = (db: Db, id: number, now: Date) =>
  db.updateTable('payroll_history').set({ voided_at: now }).where('id', '=', id).execute()

/** Finds or creates the earners of workers. */
export async function ensureWorkerEarners(
  db: Db,
  workerIds: readonly number[],
  now: Date,
): Promise<Map<number, number>> {
  if (workerIds.length === 0) return new Map()
  await sql`insert into earners (worker_id, created_at)
    select w, ${now} from unnest(${workerIds}::bigint[]) w on conflict (worker_id) do nothing`.execute(db)
  const { rows } = await sql<{ id: number; worker_id: number }>`
    select id, worker_id from earners where worker_id = any(${workerIds})`.execute(db)
  return new Map(rows.map(({ id, worker_id }) => [worker_id, id]))
}

export async function findWorkersByEmail(db: Db, emails: readonly string[]): Promise<Map<string, number>> {
  if (emails.length === 0) return new Map()
  const rows = await db.selectFrom('workers').select(['id', 'email']).where('email', 'in', emails).execute()
  return new Map(rows.map((row) => [row.email, row.id]))
}

/** Lines that count, by id. */
export const findCountedLines = async (db: Db, ids: readonly number[]) =>
  ids.length === 0
    ? []
    : db
        .selectFrom('payroll_history')
        .select(['id', 'pay_date'])
        .where('id', 'in', ids)
        .where('voided_at', 'is', null)
        .execute()

export const voidLines = async (db: Db, ids: readonly number[], now: Date) =>
  ids.length > 0 && db.updateTable('payroll_history').set({ voided_at: now }).where('id', 'in', ids).execute()
