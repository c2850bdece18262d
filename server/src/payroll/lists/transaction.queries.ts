import { companyZone } from '@limber/contract/kit/company.ts'
import type { TransactionQuery } from '@limber/contract/payroll/lists/transaction.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { earnerName } from '../audit/audit.queries.ts'
import { type Bucket, findStart } from './paging.rules.ts'

export interface TransactionRow extends Row<'payroll_transactions'> {
  earner_name: string | null
}

export type TransactionFilter = Omit<TransactionQuery, 'page' | 'limit' | 'sort' | 'order'>

const sorts: Record<TransactionQuery['sort'], RawBuilder<unknown>> = {
  createdAt: sql`created_at`,
  amount: sql`amount`,
  transactionType: sql`transaction_type`,
  status: sql`status`,
}

const kinds = ({ type, status }: TransactionFilter) => sql`true
  ${type === undefined ? sql`` : sql`and transaction_type = ${type}`} ${status === undefined ? sql`` : sql`and status = ${status}`}`

const ofEarner = ({ earner_id }: TransactionFilter) =>
  earner_id === undefined ? sql`` : sql`and earner_id = ${earner_id}`

/** Start of a day in the company's time zone, plus a number of days. */
const startOf = (day: string, after = 0) => sql`(${day}::date + ${after}::int)::timestamp at time zone ${companyZone()}`

const days = ({ from, to }: TransactionFilter) => sql`
  ${from === undefined ? sql`` : sql`and created_at >= ${startOf(from)}`}
  ${to === undefined ? sql`` : sql`and created_at < ${startOf(to, 1)}`}`

const rowsOf = (page: RawBuilder<unknown>) => sql<TransactionRow>`
  select t.id, t.created_at, t.transaction_type, t.amount, t.status, t.earner_id, ${earnerName} as earner_name, t.pay_period_id
  from (${page}) page join payroll_transactions t on t.id = page.id left join earners e on e.id = t.earner_id
  left join stretchers s on s.id = e.stretcher_id left join workers w on w.id = e.worker_id
  order by page.row_no`

/** One page with the count of all matches, from precomputed daily counts unless filtered by earner. */
export async function findTransactions(db: Db, { page, limit, sort, order, ...filter }: TransactionQuery) {
  const way = sql.raw(order)
  const offset = (page - 1) * limit
  const { from, to } = filter
  const counts =
    filter.earner_id === undefined
      ? sql`payroll_transaction_days`
      : sql`(select (created_at at time zone ${companyZone()})::date as day, 1 as transactions, transaction_type, status
          from payroll_transactions where true ${ofEarner(filter)}) own`
  const buckets = await sql<Bucket>`
    select day::text as key, sum(transactions)::bigint as rows from ${counts}
    where ${kinds(filter)} ${from === undefined ? sql`` : sql`and day >= ${from}`} ${to === undefined ? sql`` : sql`and day <= ${to}`}
    group by day order by day ${way}`.execute(db)
  const total = buckets.rows.reduce((sum, { rows }) => sum + rows, 0)
  if (offset >= total) return { total, rows: [] }
  const start = sort === 'createdAt' ? findStart(buckets.rows, offset) : undefined
  const begin = start
    ? order === 'desc'
      ? sql`and created_at < ${startOf(start.key, 1)}`
      : sql`and created_at >= ${startOf(start.key)}`
    : sql``
  const { rows } = await rowsOf(sql`
    select id, row_number() over () as row_no from (
      select id from payroll_transactions where ${kinds(filter)} ${ofEarner(filter)} ${days(filter)} ${begin}
      order by ${sorts[sort]} ${way}, id ${way} limit ${limit} offset ${start?.skip ?? offset}) o`).execute(db)
  return { total, rows }
}

export async function findTransaction(db: Db, id: number): Promise<TransactionRow | undefined> {
  const { rows } = await rowsOf(sql`select ${id}::bigint as id, 1 as row_no`).execute(db)
  return rows[0]
}

/** Records the outcome of a deposit. Completed deposits do not change; failed ones can only be completed. */
export async function markDeposit(db: Db, id: number, status: 'completed' | 'failed'): Promise<boolean> {
  const marked = await db
    .updateTable('payroll_transactions')
    .set({ status })
    .where('id', '=', id)
    .where('transaction_type', '=', 'tax_deposit')
    .where('status', 'in', status === 'completed' ? ['pending', 'failed'] : ['pending'])
    .returning('id')
    .executeTakeFirst()
  return marked !== undefined
}

/** The next batch of an export, by id. */
export async function findTransactionsAfter(db: Db, filter: TransactionFilter, after: number, limit: number) {
  const { rows } = await rowsOf(sql`
    select id, id as row_no from payroll_transactions where ${kinds(filter)} ${ofEarner(filter)} ${days(filter)} and id > ${after}
    order by id limit ${limit}`).execute(db)
  return rows
}
