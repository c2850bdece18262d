import { formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { AuditResult } from '@limber/contract/payroll/audit/audit.ts'
import { type Stat, StatStrip } from '#ui/charts/stat-strip.tsx'
import { Dollars, severityOf } from '../dollars.tsx'
import { daysIn } from '../labels.ts'
import styles from './tax-audit.module.css'

function Verdict({ difference, verb }: { difference: number; verb: string }) {
  if (!severityOf(difference)) return <span className={styles.even}>No net difference</span>
  return (
    <span className={difference < 0 ? styles.under : styles.over}>
      {difference < 0 ? 'Under' : 'Over'}
      {verb}
    </span>
  )
}

export function AuditFigures({ result }: { result: AuditResult }) {
  const { period_start, period_end, total_discrepancies, significant = 0, warnings = 0 } = result
  const stats: Stat[] = [
    {
      id: 'period',
      label: 'Period',
      value: formatInteger(daysIn(period_start, period_end)),
      unit: period_start === period_end ? 'day' : 'days',
      note: formatDayRange(period_start, period_end),
    },
    {
      id: 'entries',
      label: 'Entries checked',
      value: formatInteger(result.total_entries_checked),
      note: pluralize(Object.keys(result.earner_summary).length, 'earner'),
    },
    {
      id: 'discrepancies',
      label: 'Discrepancies',
      value: formatInteger(total_discrepancies),
      note: `${formatInteger(significant)} significant, ${pluralize(warnings, 'warning')}`,
    },
    {
      id: 'employee',
      label: 'Employee discrepancy',
      value: <Dollars of={result.total_employee_discrepancy} isSigned />,
      change: <Verdict difference={result.total_employee_discrepancy} verb="withheld" />,
    },
    {
      id: 'employer',
      label: 'Employer discrepancy',
      value: <Dollars of={result.total_employer_discrepancy} isSigned />,
      change: <Verdict difference={result.total_employer_discrepancy} verb="paid" />,
    },
  ]
  return (
    <div className={styles.figures}>
      <StatStrip label="Totals" stats={stats} />
    </div>
  )
}
