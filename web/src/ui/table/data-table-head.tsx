import { Checkbox, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { cx } from '../layout/class-names.ts'
import { Icon } from '../layout/icon.tsx'
import styles from './data-table.module.css'
import type { Column, Selection } from './data-table-types.ts'
import type { TableState } from './table-state.ts'

interface Props<Row> {
  columns: readonly Column<Row>[]
  state: TableState | undefined
  selection: Selection | undefined
  keys: readonly string[]
}

function SortButton<Row>({ column, state }: { column: Column<Row>; state: TableState }) {
  const by = column.sort ?? column.key
  const current = state.sort?.by === by ? state.sort : null
  const next = { by, isDown: current ? !current.isDown : (column.isDownFirst ?? false) }
  return (
    <button type="button" className={styles.sort} onClick={() => state.setSort(next)}>
      {column.title}
      <Icon of={(current ?? next).isDown ? IconArrowDown : IconArrowUp} size={12} />
    </button>
  )
}

function HeadWords<Row>({ column }: { column: Column<Row> }) {
  return column.hidesHead ? <VisuallyHidden>{column.title}</VisuallyHidden> : column.title
}

/** The column headers. The sorted one is marked, also for screen readers. */
export function TableHead<Row>({ columns, state, selection, keys }: Props<Row>) {
  const chosen = keys.filter((key) => selection?.ids.has(key)).length
  const orderOf = (column: Column<Row>) => {
    if (!state?.sort || !column.sort || state.sort.by !== column.sort) return undefined
    return state.sort.isDown ? 'descending' : 'ascending'
  }
  return (
    <thead className={styles.head}>
      <tr>
        {selection && (
          <th className={styles.check}>
            <Checkbox
              aria-label="Select all rows on this page"
              checked={chosen > 0 && chosen === keys.length}
              indeterminate={chosen > 0 && chosen < keys.length}
              onChange={() => selection.onChange(toggled(selection.ids, keys, chosen < keys.length))}
            />
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.key}
            scope="col"
            className={cx(column.isRight && styles.right)}
            aria-sort={orderOf(column)}
            style={column.width === undefined ? undefined : { width: column.width }}
          >
            {column.sort && state ? <SortButton column={column} state={state} /> : <HeadWords column={column} />}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function toggled(ids: ReadonlySet<string>, keys: readonly string[], isOn: boolean): Set<string> {
  const next = new Set(ids)
  for (const key of keys) {
    if (isOn) next.add(key)
    else next.delete(key)
  }
  return next
}
