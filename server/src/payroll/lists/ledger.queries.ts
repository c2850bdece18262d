import { stringifyMoney } from '@limber/contract/kit/money.ts'
import type { Side } from '@limber/contract/payroll/values.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { earnerName } from '../audit/audit.queries.ts'
import { type FixLine, totalOf } from '../fixes/fix.rules.ts'

/**
 * Blocks all other payroll changes until the transaction ends. In a serializable transaction it fails and is retried if
 * another change was committed after the snapshot was taken, so later reads are up to date.
 */
export async function lockLedger(db: Db) {
  await sql`update payroll_ledger set version = version + 1`.execute(db)
}

interface Operation {
  startDate: string
  endDate: string
  workerId: number
  now: Date
  reason: string
}

export async function insertOperation(
  db: Db,
  lines: readonly FixLine[],
  { startDate, endDate, workerId, now, reason }: Operation,
): Promise<number> {
  const { id } = await db
    .insertInto('payroll_operations')
    .values({
      period_start: startDate,
      period_end: endDate,
      worker_id: workerId,
      created_at: now,
      lines: lines.length,
      employee_total: stringifyMoney(totalOf(lines, 'employee')),
      employer_total: stringifyMoney(totalOf(lines, 'employer')),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = lines.map(({ payroll_id, earner_id, side, before, after }) => ({
    payroll_id,
    earner_id,
    side,
    before: stringifyMoney(before),
    after: stringifyMoney(after),
  }))
  await sql`
    insert into payroll_adjustments (operation_id, payroll_id, earner_id, side, before, after, reason, created_at)
    select ${id}, r.payroll_id, r.earner_id, r.side, r.before, r.after, ${reason}, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(payroll_id bigint, earner_id bigint, side text, before numeric, after numeric)`.execute(db)
  return id
}

/** A fix, and what prevents undoing it. */
export async function findOperation(db: Db, id: number) {
  const { rows } = await sql<{
    lines: number
    is_undone: boolean
    has_closed: boolean
    has_later: boolean
    has_voided: boolean
  }>`
    select o.lines, exists (select from payroll_undos u where u.operation_id = o.id) as is_undone,
      ${hasClosed} as has_closed, ${hasLater} as has_later, ${hasVoided} as has_voided
    from payroll_operations o where o.id = ${id}`.execute(db)
  return rows[0]
}

const hasClosed = sql<boolean>`exists (
  select from payroll_adjustments a join payroll_entries e on e.id = a.payroll_id join pay_periods p on p.id = e.pay_period_id
  where a.operation_id = o.id and p.closed_at is not null)`

const hasLater = sql<boolean>`exists (
  select from payroll_adjustments a
  join payroll_adjustments l on l.payroll_id = a.payroll_id and l.side = a.side and l.operation_id > a.operation_id
  where a.operation_id = o.id and not exists (select from payroll_undos u where u.operation_id = l.operation_id))`

const hasVoided = sql<boolean>`exists (
  select from payroll_adjustments a join payroll_voids v on v.payroll_id = a.payroll_id where a.operation_id = o.id)`

export const insertUndo = (db: Db, operationId: number, workerId: number, now: Date) =>
  db
    .insertInto('payroll_undos')
    .values({ operation_id: operationId, worker_id: workerId, created_at: now })
    .executeTakeFirstOrThrow()

export interface AdjustmentRow extends Row<'payroll_adjustments'> {
  earner_name: string
  worker_name: string | null
  is_undone: boolean
  can_undo: boolean
}

interface AdjustmentFilter {
  earner_id?: number | undefined
  payroll_id?: number | undefined
  operation_id?: number | undefined
  side?: Side | undefined
  status?: 'applied' | 'undone' | undefined
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

const equal = (column: string, value: number | string | undefined) =>
  value === undefined ? sql`` : sql`and ${sql.ref(column)} = ${value}`

export async function findAdjustments(db: Db, filter: AdjustmentFilter) {
  const from = sql`from payroll_adjustments a left join payroll_undos u on u.operation_id = a.operation_id where true
    ${equal('a.earner_id', filter.earner_id)} ${equal('a.payroll_id', filter.payroll_id)}
    ${equal('a.operation_id', filter.operation_id)} ${equal('a.side', filter.side)}
    ${filter.status === undefined ? sql`` : filter.status === 'undone' ? sql`and u.operation_id is not null` : sql`and u.operation_id is null`}`
  const order = sql.raw(filter.order)
  const counted = await sql<{ total: number }>`select count(*) as total ${from}`.execute(db)
  const { rows } = await sql<AdjustmentRow>`
    select a.*, ${earnerName} as earner_name, b.name as worker_name,
      a.undone_at is not null as is_undone, a.undone_at is null and not ${hasClosed} and not ${hasLater} and not ${hasVoided} as can_undo
    from (select a.*, u.created_at as undone_at ${from} order by a.created_at ${order}, a.id ${order}
      limit ${filter.limit} offset ${filter.offset}) a
    join payroll_operations o on o.id = a.operation_id left join workers b on b.id = o.worker_id
    join earners e on e.id = a.earner_id
    left join stretchers s on s.id = e.stretcher_id left join workers w on w.id = e.worker_id
    order by a.created_at ${order}, a.id ${order}`.execute(db)
  return { total: counted.rows[0]?.total ?? 0, rows }
}
