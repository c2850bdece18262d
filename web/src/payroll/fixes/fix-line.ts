import type { AuditResult, Discrepancy } from '@limber/contract/payroll/audit/audit.ts'
import { readDollars, type Side, writeDollars } from '@limber/contract/payroll/values.ts'

/** One adjustment: one side of one entry. */
export interface FixLine {
  key: string
  payrollId: number
  earner: string
  side: Side
  before: number
  after: number
  difference: number
  isClosed: boolean
}

function lineOf(row: Discrepancy, side: Side, before: number, after: number): FixLine[] {
  const difference = writeDollars(readDollars(after) - readDollars(before))
  if (difference === 0) return []
  return [
    {
      key: `${row.payroll_id}/${side}`,
      payrollId: row.payroll_id,
      earner: row.earner_name ?? String(row.earner_id),
      side,
      before,
      after,
      difference,
      isClosed: row.is_period_closed ?? false,
    },
  ]
}

/** The adjustments that change recorded taxes to calculated taxes. */
export const linesOf = ({ discrepancies }: AuditResult): FixLine[] =>
  discrepancies.flatMap((row) => [
    ...lineOf(row, 'employee', row.employee_discrepancy.withheld_tax, row.employee_discrepancy.calculated_tax),
    ...lineOf(row, 'employer', row.employer_discrepancy.paid_tax, row.employer_discrepancy.calculated_tax),
  ])
