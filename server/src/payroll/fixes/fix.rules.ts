import { formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import type { TenThousandths } from '@limber/contract/kit/money.ts'
import type { AuditResult, FixBody } from '@limber/contract/payroll/audit/audit.ts'
import { readDollars, type Side } from '@limber/contract/payroll/values.ts'

/** One adjustment: one side of one entry. */
export interface FixLine {
  payroll_id: number
  earner_id: number
  name: string
  side: Side
  before: TenThousandths
  after: TenThousandths
  is_period_closed: boolean
}

export const reasonOf = (from: string, to: string) => `Tax audit for ${formatDayRange(from, to)}`

/** Whether all values in `seen` equal those in `fresh`. Missing keys are ignored. */
function matches(seen: unknown, fresh: unknown): boolean {
  if (typeof seen !== 'object' || seen === null) return seen === fresh
  if (typeof fresh !== 'object' || fresh === null) return false
  if (Array.isArray(seen))
    return Array.isArray(fresh) && seen.length === fresh.length && seen.every((each, at) => matches(each, fresh[at]))
  const known = fresh as Record<string, unknown>
  return Object.entries(seen).every(
    ([key, value]) => value === undefined || (Object.hasOwn(known, key) && matches(value, known[key])),
  )
}

const byId = (rows: AuditResult['discrepancies']) => rows.toSorted((a, b) => a.payroll_id - b.payroll_id)

/** Whether the reviewed figures are still current. Ignores the time of the run and the order of the rows. */
export function isCurrent({ exclude: _, run_at: __, ...seen }: FixBody, fresh: AuditResult): boolean {
  const earners = Object.keys(seen.earner_summary).length === Object.keys(fresh.earner_summary).length
  return (
    earners &&
    matches(
      { ...seen, discrepancies: byId(seen.discrepancies) },
      { ...fresh, discrepancies: byId(fresh.discrepancies) },
    )
  )
}

const lineKey = (payrollId: number, side: Side) => `${payrollId}/${side}`

/** The adjustments that change recorded taxes to calculated taxes. */
export function allLines(fresh: AuditResult): FixLine[] {
  return fresh.discrepancies.flatMap((row): FixLine[] => {
    const { payroll_id, earner_id } = row
    const common = {
      payroll_id,
      earner_id,
      name: row.earner_name ?? '',
      is_period_closed: row.is_period_closed ?? false,
    }
    const { employee_discrepancy: employee, employer_discrepancy: employer } = row
    const lines: FixLine[] = [
      {
        ...common,
        side: 'employee',
        before: readDollars(employee.withheld_tax),
        after: readDollars(employee.calculated_tax),
      },
      {
        ...common,
        side: 'employer',
        before: readDollars(employer.paid_tax),
        after: readDollars(employer.calculated_tax),
      },
    ]
    return lines.filter(({ before, after }) => before !== after)
  })
}

/** The lines without the excluded ones. Undefined if an excluded line does not exist. */
export function selectLines(fresh: AuditResult, exclude: FixBody['exclude']): FixLine[] | undefined {
  const lines = allLines(fresh)
  const left = new Set(exclude.map(({ payroll_id, side }) => lineKey(payroll_id, side)))
  const chosen = lines.filter(({ payroll_id, side }) => !left.has(lineKey(payroll_id, side)))
  return lines.length - chosen.length === left.size && left.size === exclude.length ? chosen : undefined
}

/** The total change on one side. */
export const totalOf = (lines: readonly FixLine[], side: Side): TenThousandths =>
  lines.reduce((sum, line) => (line.side === side ? sum + line.after - line.before : sum), 0n)
