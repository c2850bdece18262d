import { Checkbox } from '@mantine/core'
import type { KeyboardEvent, MouseEvent } from 'react'
import { cx } from '../layout/class-names.ts'
import styles from './data-table.module.css'
import type { Column, Selection } from './data-table-types.ts'

interface Props<Row> {
  id: string
  row: Row
  columns: readonly Column<Row>[]
  isOpen: boolean
  onOpen?: (row: Row) => void
  selection?: Selection
}

const isOwnTarget = (event: { target: EventTarget }) =>
  event.target instanceof Element &&
  event.target.closest('a, button, input, select, textarea, label, [role="button"]') !== null

// A drag that selects text is not a click on the row.
const isMarking = () => (window.getSelection()?.toString() ?? '') !== ''

/** One row. Links and buttons inside it keep working, and its text can be selected. */
export function TableRow<Row>({ id, row, columns, isOpen, onOpen, selection }: Props<Row>) {
  const open = onOpen && {
    onClick: (event: MouseEvent) => {
      if (!isOwnTarget(event) && !isMarking()) onOpen(row)
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && event.target === event.currentTarget) onOpen(row)
    },
  }
  const toggle = () => {
    if (!selection) return
    const next = new Set(selection.ids)
    if (!next.delete(id)) next.add(id)
    selection.onChange(next)
  }
  const titleOf = (column: Column<Row>) =>
    column.isTitle && onOpen ? (
      <button type="button" className={styles.title} onClick={() => onOpen(row)}>
        {column.cell(row)}
      </button>
    ) : (
      column.cell(row)
    )
  return (
    <tr
      data-row
      data-opens={onOpen ? true : undefined}
      tabIndex={-1}
      className={cx(styles.row, onOpen && styles.go, isOpen && styles.open)}
      {...(isOpen ? { 'aria-current': true } : {})}
      {...open}
    >
      {selection && (
        <td className={styles.check}>
          <Checkbox aria-label="Select row" checked={selection.ids.has(id)} onChange={toggle} />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.key}
          data-label={
            column.isTitle || column.isPlain || column.leads || column.hidesHead || column.title === ''
              ? undefined
              : column.title
          }
          className={cx(
            column.isRight && styles.right,
            column.isTitle && styles.name,
            column.wraps && styles.wraps,
            column.leads && styles.leads,
          )}
        >
          {titleOf(column)}
        </td>
      ))}
    </tr>
  )
}
