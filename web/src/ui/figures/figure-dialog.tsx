import type { CallDefinition } from '@limber/contract/kit/call.ts'
import type { ExportCall } from '@limber/contract/kit/export.ts'
import type { FigureDefinition, FigureRow } from '@limber/contract/kit/figure.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Pagination } from '@limber/contract/kit/page.ts'
import { keepPreviousData, queryOptions, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { send } from '#platform/api/api.ts'
import { type Needs, useCan } from '#platform/session/session.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { QueryView } from '../feedback/query-view.tsx'
import { dayText } from '../format/day-text.ts'
import { Facts } from '../layout/facts.tsx'
import { ExportButton } from '../table/export-button.tsx'
import { Pager } from '../table/pager.tsx'
import { figure as figureCell, PlainTable } from '../table/plain-table.tsx'
import { type TurnPage, useLastPage } from '../table/use-last-page.ts'
import styles from './figure-dialog.module.css'

interface FigureReply {
  value: number | null
  rows: FigureRow[]
  pagination: Pagination
}

/** A call that lists the rows of a figure, by page. */
type FigureCall = CallDefinition & {
  params: z.ZodType<unknown, { figure: string }>
  query: z.ZodType<unknown, Record<string, string | undefined>>
  reply: z.ZodType<FigureReply>
}

/** Figures with one list of rows: how to ask for them, and how to show them. */
export interface FigureSet {
  /** Figures with rows. */
  counted: Readonly<Record<string, FigureDefinition>>
  /** Figures calculated from others. */
  ratios?: Readonly<Record<string, FigureDefinition>>
  list: FigureCall
  file: ExportCall
  /** Prefix of the query keys. A live update of the area invalidates it. */
  key: readonly unknown[]
  /** The value of a figure, or the amount of one of its rows. */
  text: (name: string, value: number | null, isRow?: boolean) => string
  /** A ratio from the values of its parts, unless the screen says it. */
  ratioText?: (name: string, parts: readonly (number | null | undefined)[]) => string | undefined
  /** The name of a row, with a link to its record. */
  nameOf?: (name: string, row: FigureRow) => ReactNode
}

interface Props {
  set: FigureSet
  figure: string
  /** The filters of the rows. */
  query?: Readonly<Record<string, string | undefined>>
  /** The values that the screen shows already, as text. */
  values?: Readonly<Record<string, ReactNode>>
  /** The place or record the figure belongs to. */
  context?: string | undefined
  /** More rows about the figure, such as its range. */
  facts?: ReactNode
  page: number
  onPage: TurnPage
  onOpen: (figure: string) => void
  onClose: () => void
}

const rowsQuery = (set: FigureSet, figure: string, query: object, page: number, enabled: boolean) =>
  queryOptions({
    queryKey: [...set.key, 'rows', figure, query, page],
    queryFn: ({ signal }) =>
      send(set.list, { params: { figure }, query: { ...query, page: String(page), limit: '10' } }, { signal }),
    placeholderData: keepPreviousData,
    enabled,
  })

interface RowsProps extends Pick<Props, 'set' | 'figure' | 'page' | 'onPage'> {
  asked: object
  query: UseQueryResult<FigureReply>
}

function RowTable({ set: { text, nameOf }, figure, rows }: Pick<RowsProps, 'set' | 'figure'> & FigureReply) {
  const has = (field: 'detail' | 'place' | 'day' | 'amount') => rows.some((row) => row[field] !== null)
  const shown = { detail: has('detail'), place: has('place'), day: has('day'), amount: has('amount') }
  return (
    <PlainTable label="Rows behind the number" isFramed>
      <thead>
        <tr>
          <th>Name</th>
          {shown.detail && <th>Detail</th>}
          {shown.place && <th>Place</th>}
          {shown.day && <th>Day</th>}
          {shown.amount && <th className={figureCell}>Amount</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>{nameOf?.(figure, row) ?? row.name}</td>
            {shown.detail && <td>{row.detail ?? '--'}</td>}
            {shown.place && <td>{row.place ?? '--'}</td>}
            {shown.day && <td>{dayText(row.day)}</td>}
            {shown.amount && (
              <td className={figureCell}>{row.amount === null ? '' : text(figure, row.amount, true)}</td>
            )}
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}

/** The records behind a number, with a CSV export of all of them. */
function Rows({ set, figure, asked, query, page, onPage }: RowsProps) {
  const total = query.data?.pagination.totalItems
  useLastPage(query, ({ pagination }) => pagination.totalPages, page, onPage)
  return (
    <>
      <div className={styles.head}>
        <h3>{total === undefined ? 'Rows' : pluralize(total, 'row')}</h3>
        <ExportButton call={set.file} params={{ figure }} query={{ ...asked }} total={total} />
      </div>
      <QueryView
        query={query}
        failure="Couldn't load rows"
        isEmpty={({ pagination }) => pagination.totalItems === 0}
        empty={<p className={styles.none}>No rows yet</p>}
      >
        {(reply) => (
          <>
            <RowTable set={set} figure={figure} {...reply} />
            {reply.pagination.totalPages > 1 && (
              <div className={styles.foot}>
                <Pager page={page} pages={reply.pagination.totalPages} onPage={onPage} label="Pages of rows" />
              </div>
            )}
          </>
        )}
      </QueryView>
    </>
  )
}

/** The definition of a number: its formula, its parts and, with permission to see them, the rows behind it. */
export function FigureDialog({ set, figure, query = {}, values = {}, context, facts, page, ...on }: Props) {
  const canSeeRows = useCan(set.list.permission as Needs)
  const isCounted = figure in set.counted
  const asked = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''))
  const rows = useQuery(rowsQuery(set, figure, asked, page, canSeeRows && isCounted))
  const words = set.counted[figure] ?? set.ratios?.[figure]
  const parts = words?.parts ?? []
  const partRows = useQueries({ queries: parts.map((part) => rowsQuery(set, part, asked, 1, canSeeRows)) })
  if (!words) return null
  const partValues = partRows.map(({ data }) => data?.value)
  const counted = isCounted && rows.data && !rows.isPlaceholderData ? set.text(figure, rows.data.value) : undefined
  const value = counted ?? values[figure] ?? set.ratioText?.(figure, partValues)
  return (
    <Dialog isOpen focusesClose onClose={on.onClose} title={words.label} context={context} size={760}>
      <Facts>
        {value !== undefined && (
          <Facts.Row label="Value">
            <b>{value}</b>
          </Facts.Row>
        )}
        <Facts.Row label="Formula">{words.formula}</Facts.Row>
        {parts.length > 0 && (
          <Facts.Row label="Based on">
            <span className={styles.parts}>
              {parts.map((part, place) => (
                <button key={part} type="button" className={styles.part} onClick={() => on.onOpen(part)}>
                  <span>{set.counted[part]?.label}</span>{' '}
                  {partValues[place] !== undefined && <b>{set.text(part, partValues[place])}</b>}
                </button>
              ))}
            </span>
          </Facts.Row>
        )}
        {facts}
      </Facts>
      {canSeeRows && isCounted && (
        <Rows set={set} figure={figure} asked={asked} query={rows} page={page} onPage={on.onPage} />
      )}
    </Dialog>
  )
}
