import type { Discrepancy } from '@limber/contract/payroll/audit/audit.ts'
import { VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { cx } from '#ui/layout/class-names.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { useOverflow } from '#ui/layout/use-overflow.ts'
import { useRowNavigation } from '#ui/table/row-navigation.ts'
import type { Sort } from '#ui/table/table-state.ts'
import { DiscrepancyRow } from './discrepancy-row.tsx'
import styles from './discrepancy-table.module.css'

interface Props {
  rows: readonly Discrepancy[]
  sort: Sort | null
  onSort: (sort: Sort) => void
  /** The expanded entry; 0 for none. */
  open: number
  onOpen: (entry: number) => void
}

interface HeadProps {
  by: string
  sort: Sort | null
  onSort: (sort: Sort) => void
  className?: string | undefined
  children: ReactNode
}

function SortHead({ by, sort, onSort, className, children }: HeadProps) {
  const current = sort?.by === by ? sort : null
  const isDown = current ? !current.isDown : true
  const order = current && (current.isDown ? 'descending' : 'ascending')
  return (
    <th scope="col" className={className} {...(order ? { 'aria-sort': order } : {})}>
      <button type="button" className={styles.sort} onClick={() => onSort({ by, isDown })}>
        {children}
        <Icon of={(current?.isDown ?? true) ? IconArrowDown : IconArrowUp} size={12} />
      </button>
    </th>
  )
}

/** Employee and employer side of each entry. A row expands to the steps of the calculation. */
export function DiscrepancyTable({ rows, sort, onSort, open, onOpen }: Props) {
  const wrapper = useRef<HTMLDivElement>(null)
  const isWide = useOverflow(wrapper)
  useRowNavigation(wrapper)
  const order = { sort, onSort }
  const right = styles.right
  const edge = cx(styles.right, styles.edge)
  return (
    <div
      ref={wrapper}
      className={styles.wrapper}
      {...(isWide ? { tabIndex: 0, role: 'group', 'aria-label': 'Discrepancies' } : {})}
    >
      <table className={styles.table} aria-label="Discrepancies">
        <thead>
          <tr className={styles.groups}>
            <td colSpan={5} />
            <th scope="colgroup" colSpan={3} className={styles.edge}>
              Employee
            </th>
            <th scope="colgroup" colSpan={3} className={styles.edge}>
              Employer
            </th>
            <td />
          </tr>
          <tr>
            <th scope="col" className={styles.toggle}>
              <VisuallyHidden>Steps</VisuallyHidden>
            </th>
            <th scope="col">Payroll</th>
            <SortHead by="earner" {...order}>
              Earner
            </SortHead>
            <SortHead by="date" {...order}>
              Date
            </SortHead>
            <SortHead by="amount" className={right} {...order}>
              Amount
            </SortHead>
            <th scope="col" className={edge}>
              Withheld
            </th>
            <th scope="col" className={right}>
              Calculated
            </th>
            <SortHead by="employee" className={right} {...order}>
              Difference
            </SortHead>
            <th scope="col" className={edge}>
              Paid
            </th>
            <th scope="col" className={right}>
              Calculated
            </th>
            <SortHead by="employer" className={right} {...order}>
              Difference
            </SortHead>
            <th scope="col">Severity</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <DiscrepancyRow
              key={row.payroll_id}
              row={row}
              isOpen={row.payroll_id === open}
              onToggle={() => onOpen(row.payroll_id === open ? 0 : row.payroll_id)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}
