import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { FailureView } from '../feedback/failure-view.tsx'
import { RefetchFailure } from '../feedback/refetch-failure.tsx'
import { CellSkeleton } from '../feedback/skeleton.tsx'
import { cx } from '../layout/class-names.ts'
import { useOverflow } from '../layout/use-overflow.ts'
import styles from './data-table.module.css'
import { TableHead } from './data-table-head.tsx'
import { TableRow } from './data-table-row.tsx'
import type { Column, Selection } from './data-table-types.ts'
import { useRowNavigation } from './row-navigation.ts'
import { TableFoot } from './table-foot.tsx'
import type { TableState } from './table-state.ts'
import { useLastPage } from './use-last-page.ts'
import { useProgressiveRows } from './use-progressive-rows.ts'

export type { Column }

/** One page of rows. The `select` of a query turns a list reply into one. */
export interface TablePage<Row> {
  rows: readonly Row[]
  totalItems: number
  /** There are more rows than were counted. */
  isMore?: boolean | undefined
}

interface Props<Row> {
  /** Names the table for screen readers. */
  label: string
  query: UseQueryResult<TablePage<Row>>
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string | number
  /** Paging and sort order. Without it all rows are shown in the given order. */
  state?: TableState
  onOpen?: (row: Row) => void
  /** The row whose detail is open. */
  openKey?: string | number | null
  selection?: Selection
  empty: ReactNode
  failure?: string
  /** Turns each row into a block on phones, for rows with actions. Otherwise the table scrolls sideways. */
  isStacking?: boolean
  density?: 'normal' | 'tight' | 'two-line'
}

/** A table with a sticky header, sorting, paging, and rows that open with a click, Enter or j/k. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, query, columns, keyOf, state, onOpen, openKey, selection, empty, failure, isStacking } = props
  const wrapper = useRef<HTMLDivElement>(null)
  const isWide = useOverflow(wrapper)
  useRowNavigation(wrapper)
  useLastPage(
    query,
    ({ totalItems }) => (state ? Math.ceil(totalItems / state.limit) : 1),
    state?.page ?? 1,
    (page, how) => state?.setPage(page, how),
  )

  const rows = query.data?.rows
  const drawn = useProgressiveRows(rows ?? [])
  const width = columns.length + (selection ? 1 : 0)
  const keys = rows?.map((row) => String(keyOf(row))) ?? []
  const ghosts = Array.from({ length: Math.min(state?.limit ?? 5, 10) }, (_, place) => place)
  const notice =
    query.data === undefined && query.isError ? (
      <FailureView
        error={query.error}
        {...(failure ? { title: failure } : {})}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
      />
    ) : (
      rows?.length === 0 && empty
    )

  return (
    <div
      className={cx(styles.holder, isStacking && styles.stacking)}
      data-density={props.density ?? 'normal'}
      data-empty={query.data?.totalItems === 0 || undefined}
    >
      <RefetchFailure query={query} failure={failure} />
      <div
        ref={wrapper}
        className={styles.wrapper}
        data-wide={isWide || undefined}
        {...(isWide ? { tabIndex: 0, role: 'group', 'aria-label': label } : {})}
      >
        <table className={styles.table} aria-label={label} aria-busy={query.isFetching}>
          <TableHead columns={columns} state={state} selection={selection} keys={keys} />
          <tbody>
            {!rows &&
              !query.isError &&
              ghosts.map((place) => (
                <tr key={place}>
                  {Array.from({ length: width }, (_, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change order
                    <td key={column}>
                      <CellSkeleton row={place} column={column} />
                    </td>
                  ))}
                </tr>
              ))}
            {drawn.map((row) => (
              <TableRow
                key={keyOf(row)}
                id={String(keyOf(row))}
                row={row}
                columns={columns}
                isOpen={openKey !== undefined && openKey !== null && String(openKey) === String(keyOf(row))}
                {...(onOpen ? { onOpen } : {})}
                {...(selection ? { selection } : {})}
              />
            ))}
          </tbody>
        </table>
      </div>
      {notice}
      {state && query.data?.totalItems !== 0 && (
        <TableFoot state={state} total={query.data?.totalItems} isMore={query.data?.isMore} shown={rows?.length ?? 0} />
      )}
    </div>
  )
}
