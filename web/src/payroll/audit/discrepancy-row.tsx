import type { Discrepancy } from '@limber/contract/payroll/audit/audit.ts'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, useId } from 'react'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { cx } from '#ui/layout/class-names.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { Difference, Dollars } from '../dollars.tsx'
import { entryName, labelOf, severityLabels, severityMeaning } from '../labels.ts'
import styles from './discrepancy-table.module.css'
import { ExplanationView } from './explanation.tsx'

interface Props {
  row: Discrepancy
  isOpen: boolean
  onToggle: () => void
}

const isInteractive = (event: MouseEvent) =>
  event.target instanceof Element && event.target.closest('a, button') !== null
const isSelectingText = () => (window.getSelection()?.toString() ?? '') !== ''

/** One entry with both sides; expanded, it shows the steps of the calculation. */
export function DiscrepancyRow({ row, isOpen, onToggle }: Props) {
  const id = useId()
  const { employee_discrepancy: employee, employer_discrepancy: employer, severity = 'significant' } = row
  const quiet = cx(styles.right, styles.quiet)
  const edge = cx(quiet, styles.edge)
  return (
    <>
      <tr
        data-row
        data-opens
        tabIndex={-1}
        className={cx(styles.row, isOpen && styles.open)}
        onClick={(event: MouseEvent) => {
          if (!isInteractive(event) && !isSelectingText()) onToggle()
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Enter' && event.target === event.currentTarget) onToggle()
        }}
      >
        <td className={styles.toggle}>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            aria-label={`Show steps for ${entryName(row.payroll_id)}`}
            onClick={onToggle}
          >
            <Icon of={isOpen ? IconChevronDown : IconChevronRight} size={14} />
          </button>
        </td>
        <td className={styles.code}>{entryName(row.payroll_id)}</td>
        <td>
          <span className={styles.name}>{row.earner_name ?? row.earner_id}</span>
          {row.filing_status && <span className={styles.under}>{labelOf(row.filing_status)}</span>}
        </td>
        <td className={styles.quiet}>{dayText(row.date)}</td>
        <td className={styles.right}>
          <Dollars of={row.amount} />
        </td>
        <td className={edge}>
          <Dollars of={employee.withheld_tax} />
        </td>
        <td className={quiet}>
          <Dollars of={employee.calculated_tax} />
        </td>
        <td className={styles.right}>
          <Difference of={employee.discrepancy} />
        </td>
        <td className={edge}>
          <Dollars of={employer.paid_tax} />
        </td>
        <td className={quiet}>
          <Dollars of={employer.calculated_tax} />
        </td>
        <td className={styles.right}>
          <Difference of={employer.discrepancy} />
        </td>
        <td>
          <StatusBadge meaning={severityMeaning[severity]}>{severityLabels[severity]}</StatusBadge>
        </td>
      </tr>
      {isOpen && (
        <tr className={styles.expansion} id={id}>
          <td colSpan={12}>
            <div className={styles.inside}>
              <ExplanationView id={row.payroll_id} />
            </div>
          </td>
        </tr>
      )}
    </>
  )
}
