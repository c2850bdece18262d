import type { DetailQuery } from '@limber/contract/payroll/lists/detail.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { earnerName } from '../audit/audit.queries.ts'
import { type Bucket, findStart } from './paging.rules.ts'

export interface DetailRow extends Omit<Row<'payroll_entries'>, 'created_at' | 'paid_at'> {
  earner_name: string
  employee_adjustment: string
  employer_adjustment: string
  period_start: string
  period_end: string
  is_period_closed: boolean
  void_reason: string | null
}

export type DetailFilter = Omit<DetailQuery, 'page' | 'limit' | 'sort' | 'order'>

/** Sort columns of entries. The name of the earner is in another table. */
const columns: Record<Exclude<DetailQuery['sort'], 'earner'>, RawBuilder<unknown>> = {
  date: sql`pay_date`,
  amount: sql`amount`,
  net_pay: sql`net_pay`,
  withheld_tax: sql`withheld`,
  type: sql`type`,
  status: sql`status`,
}

/**
 * The ids of one page. To sort by name, the earners are sorted first and each one adds at most as many entries as the page
 * needs. So the database reads only the first earners instead of sorting all entries.
 */
function idsOf({ sort, order, limit }: DetailQuery, condition: RawBuilder<unknown>, skip: number): RawBuilder<unknown> {
  const way = sql.raw(order)
  const cut = sql`limit ${limit} offset ${skip}`
  if (sort !== 'earner')
    return sql`select id from payroll_entries where ${condition} order by ${columns[sort]} ${way}, id ${way} ${cut}`
  return sql`select id from (
      select n.id as who, lower(${earnerName}) as name from earners n
      left join stretchers s on s.id = n.stretcher_id left join workers w on w.id = n.worker_id
      order by name ${way}, who ${way} offset 0) named
    cross join lateral (
      select id, pay_date from payroll_entries where earner_id = who and ${condition}
      order by pay_date ${way}, id ${way} limit ${skip + limit}) theirs
    order by name ${way}, who ${way}, pay_date ${way}, id ${way} ${cut}`
}

/** Conditions on columns that exist in both entries and totals. */
function conditions({ period_id, type, status, from, to }: DetailFilter): RawBuilder<unknown> {
  return sql`true ${period_id === undefined ? sql`` : sql`and pay_period_id = ${period_id}`}
    ${type === undefined ? sql`` : sql`and type = ${type}`} ${status === undefined ? sql`` : sql`and status = ${status}`}
    ${from === undefined ? sql`` : sql`and pay_date >= ${from}`} ${to === undefined ? sql`` : sql`and pay_date <= ${to}`}`
}

const ofEarner = (id: number | undefined) => (id === undefined ? sql`` : sql`and earner_id = ${id}`)

/** Full rows for ids, with names, period and adjustments. */
const rowsOf = (page: RawBuilder<unknown>) => sql<DetailRow>`
  select e.id, e.earner_id, ${earnerName} as earner_name, e.type, e.sub_type, e.amount, e.withheld, e.employer_tax, e.net_pay,
    coalesce(a.employee, 0) as employee_adjustment, coalesce(a.employer, 0) as employer_adjustment,
    e.status, e.work_date, e.pay_date, e.pay_period_id, p.starts_on as period_start, p.ends_on as period_end,
    p.closed_at is not null as is_period_closed, e.booking_id, e.onsite_session_id, v.reason as void_reason
  from (${page}) page join payroll_entries e on e.id = page.id
  join pay_periods p on p.id = e.pay_period_id join earners n on n.id = e.earner_id
  left join stretchers s on s.id = n.stretcher_id left join workers w on w.id = n.worker_id
  left join payroll_voids v on v.payroll_id = e.id
  left join lateral (
    select sum(difference) filter (where side = 'employee') as employee, sum(difference) filter (where side = 'employer') as employer
    from payroll_adjustments a where a.payroll_id = e.id
      and not exists (select from payroll_undos u where u.operation_id = a.operation_id)) a on true
  order by page.row_no`

interface DayRow extends Bucket {
  amount: string
  withheld: string
}

/** One page with count and totals of all matches, from precomputed sums unless filtered by earner. */
export async function findDetails(db: Db, query: DetailQuery) {
  const { page, limit, sort, order, ...filter } = query
  const way = sql.raw(order)
  const offset = (page - 1) * limit
  // Canceled entries are not paid.
  const isPay = filter.status === undefined ? sql`filter (where status <> 'cancelled')` : sql``
  const buckets = await sql<DayRow>`
    select pay_date::text as key, ${filter.earner_id === undefined ? sql`sum(entries)::bigint` : sql`count(*)`} as rows,
      coalesce(sum(amount) ${isPay}, 0) as amount, coalesce(sum(withheld) ${isPay}, 0) as withheld
    from ${filter.earner_id === undefined ? sql`payroll_totals` : sql`payroll_entries`}
    where ${conditions(filter)} ${ofEarner(filter.earner_id)} group by pay_date order by pay_date ${way}`.execute(db)
  const total = buckets.rows.reduce((sum, { rows }) => sum + rows, 0)
  const sums = buckets.rows
  if (offset >= total) return { total, sums, rows: [] }
  const start = sort === 'date' ? findStart(buckets.rows, offset) : undefined
  const from = start ? sql`and pay_date ${order === 'desc' ? sql`<=` : sql`>=`} ${start.key}` : sql``
  const condition = sql`${conditions(filter)} ${ofEarner(filter.earner_id)} ${from}`
  const ids = idsOf(query, condition, start?.skip ?? offset)
  const { rows } = await rowsOf(sql`select id, row_number() over () as row_no from (${ids}) o`).execute(db)
  return { total, sums, rows }
}

export async function findDetail(db: Db, id: number): Promise<DetailRow | undefined> {
  const { rows } = await rowsOf(sql`select ${id}::bigint as id, 1 as row_no`).execute(db)
  return rows[0]
}

/** The customer of a booking. */
export async function findCustomerOf(db: Db, bookingId: number | null): Promise<number | null> {
  if (bookingId === null) return null
  const found = await db.selectFrom('bookings').select('customer_id').where('id', '=', bookingId).executeTakeFirst()
  return found?.customer_id ?? null
}

/** The next batch of an export, by id. */
export async function findDetailsAfter(db: Db, filter: DetailFilter, after: number, limit: number) {
  const { rows } = await rowsOf(sql`
    select id, id as row_no from payroll_entries
    where ${conditions(filter)} ${ofEarner(filter.earner_id)} and id > ${after} order by id limit ${limit}`).execute(db)
  return rows
}
