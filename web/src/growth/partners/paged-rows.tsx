import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { PlainTable } from '#ui/table/plain-table.tsx'
import { type TurnPage, useLastPage } from '#ui/table/use-last-page.ts'
import styles from './partners.module.css'

interface Props<Reply, Row> {
  label: string
  query: UseQueryResult<Reply>
  rowsOf: (reply: Reply) => readonly Row[]
  /** Shown when the table is empty. */
  none: ReactNode
  page: number
  onPage: TurnPage
  /** The head and body of the table. */
  children: (rows: readonly Row[]) => ReactNode
}

/** A table with one page of rows, and a pager when there are several. */
export function PagedRows<Reply extends { pagination: { totalPages: number } }, Row>({
  label,
  query,
  rowsOf,
  none,
  page,
  onPage,
  children,
}: Props<Reply, Row>) {
  useLastPage(query, ({ pagination }) => pagination.totalPages, page, onPage)
  return (
    <QueryView
      query={query}
      isEmpty={(reply) => rowsOf(reply).length === 0}
      empty={<p className={styles.none}>{none}</p>}
    >
      {(reply) => (
        <>
          <PlainTable label={label}>{children(rowsOf(reply))}</PlainTable>
          {reply.pagination.totalPages > 1 && (
            <div className={styles.foot}>
              <Pager page={page} pages={reply.pagination.totalPages} onPage={onPage} label={`Pages of ${label}`} />
            </div>
          )}
        </>
      )}
    </QueryView>
  )
}
