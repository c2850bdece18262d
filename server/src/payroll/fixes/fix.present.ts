import { parseMoney } from '@limber/contract/kit/money.ts'
import type { Adjustment, FixPreview } from '@limber/contract/payroll/audit/audit.ts'
import { writeDollars } from '@limber/contract/payroll/values.ts'
import type { AdjustmentRow } from '../lists/ledger.queries.ts'
import { type FixLine, totalOf } from './fix.rules.ts'

const dollars = (text: string) => writeDollars(parseMoney(text))

export const presentAdjustment = (row: AdjustmentRow): Adjustment => ({
  id: row.id,
  operation_id: row.operation_id,
  date: row.created_at.toISOString(),
  payroll_id: row.payroll_id,
  earner_id: row.earner_id,
  earner_name: row.earner_name,
  side: row.side,
  before: dollars(row.before),
  after: dollars(row.after),
  difference: dollars(row.difference),
  reason: row.reason,
  by: row.worker_name,
  status: row.is_undone ? 'undone' : 'applied',
  can_undo: row.can_undo,
})

const count = (lines: readonly FixLine[], side: FixLine['side']) => lines.filter((line) => line.side === side).length

export function presentPreview(lines: readonly FixLine[]): FixPreview {
  const byEarner = Map.groupBy(lines, ({ earner_id }) => earner_id)
  const closed = lines.filter((line) => line.is_period_closed).length
  return {
    lines: lines.length,
    entries: new Set(lines.map(({ payroll_id }) => payroll_id)).size,
    employee_total: writeDollars(totalOf(lines, 'employee')),
    employer_total: writeDollars(totalOf(lines, 'employer')),
    closed_lines: closed,
    can_undo: lines.length > 0 && closed === 0,
    by_earner: [...byEarner].map(([earner_id, own]) => ({
      earner_id,
      name: own[0]?.name ?? '',
      employee_lines: count(own, 'employee'),
      employee_total: writeDollars(totalOf(own, 'employee')),
      employer_lines: count(own, 'employer'),
      employer_total: writeDollars(totalOf(own, 'employer')),
    })),
  }
}
