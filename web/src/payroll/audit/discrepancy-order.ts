import type { AuditResult, Discrepancy } from '@limber/contract/payroll/audit/audit.ts'
import type { Sort } from '#ui/table/table-state.ts'
import type { TaxAuditSearch } from './tax-audit-search.ts'

const keys: Record<string, (row: Discrepancy) => number | string> = {
  date: (row) => row.date,
  amount: (row) => row.amount,
  earner: (row) => row.earner_name ?? '',
  employee: (row) => Math.abs(row.employee_discrepancy.discrepancy),
  employer: (row) => Math.abs(row.employer_discrepancy.discrepancy),
}

/** Filtered and sorted discrepancies. The sort is stable. */
export function filterDiscrepancies(
  { discrepancies }: AuditResult,
  { severity, earner }: Pick<TaxAuditSearch, 'severity' | 'earner'>,
  sort: Sort | null,
): Discrepancy[] {
  const filtered = discrepancies.filter(
    (row) => (severity === '' || row.severity === severity) && (earner === 0 || row.earner_id === earner),
  )
  const key = keys[sort?.by ?? ''] ?? keys.date
  if (!key) return filtered
  const direction = sort?.isDown === false ? 1 : -1
  return filtered.sort((a, b) => {
    const [x, y] = [key(a), key(b)]
    return x === y ? 0 : x < y ? -direction : direction
  })
}

export const discrepancyHeads = [
  'payroll_id',
  'earner_id',
  'earner_name',
  'filing_status',
  'date',
  'type',
  'amount',
  'withheld_tax',
  'employee_calculated_tax',
  'employee_discrepancy',
  'paid_tax',
  'employer_calculated_tax',
  'employer_discrepancy',
  'severity',
]

export const discrepancyCells = (row: Discrepancy) => [
  row.payroll_id,
  row.earner_id,
  row.earner_name,
  row.filing_status,
  row.date,
  row.type,
  row.amount,
  row.employee_discrepancy.withheld_tax,
  row.employee_discrepancy.calculated_tax,
  row.employee_discrepancy.discrepancy,
  row.employer_discrepancy.paid_tax,
  row.employer_discrepancy.calculated_tax,
  row.employer_discrepancy.discrepancy,
  row.severity,
]
