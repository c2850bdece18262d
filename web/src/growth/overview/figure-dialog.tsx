import {
  countedFigures,
  exportFigureRows,
  type FigureName,
  type FigureRow,
} from '@limber/contract/growth/overview/figure.ts'
import type { Span } from '@limber/contract/growth/values.ts'
import { formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Link } from '@tanstack/react-router'
import { linkTo } from '#platform/routing/links.ts'
import { useCan } from '#platform/session/session.tsx'
import { CustomerLink } from '#support/public.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { Moment } from '#ui/format/moment.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { figure as figureCell, PlainTable } from '#ui/table/plain-table.tsx'
import { type TurnPage, useLastPage } from '#ui/table/use-last-page.ts'
import { useFigureRows, useFigureValues } from '../growth.api.ts'
import { dollars, rangeLabels } from '../labels.ts'
import styles from './figure-dialog.module.css'
import { definitionOf, type FigureScope, isCounted, partsOf, ratioText, valueText } from './figure-labels.ts'

interface Props {
  figure: string
  span: Span
  scope?: FigureScope
  /** The label of the place. */
  place?: string
  /** The page of the rows. */
  page: number
  onPage: TurnPage
  /** Opens one of the figures a ratio is calculated from. */
  onOpen: (figure: FigureName) => void
  onClose: () => void
}

const ofPartners: readonly string[] = ['businesses', 'upcomingRenewals', 'noRecentContact'] satisfies FigureName[]

/** Links customers and partners to their pages. */
function Name({ figure, row }: { figure: FigureName; row: FigureRow }) {
  if (row.userId !== null) return <CustomerLink id={row.userId}>{row.name}</CustomerLink>
  if (!ofPartners.includes(figure)) return row.name
  return <Link {...linkTo('/growth/business', { partner: row.id })}>{row.name}</Link>
}

interface RowProps {
  figure: FigureName
  row: FigureRow
  /** Sessions and payments have an amount; people do not. */
  hasAmount: boolean
}

function Row({ figure, row, hasAmount }: RowProps) {
  return (
    <tr>
      <td>
        <Name figure={figure} row={row} />
      </td>
      <td>{row.detail ?? '--'}</td>
      <td>{row.place ?? '--'}</td>
      <td>{dayText(row.day)}</td>
      {hasAmount && <td className={figureCell}>{row.amount === null ? '' : dollars(row.amount)}</td>}
    </tr>
  )
}

function RowTable({ figure, rows }: { figure: FigureName; rows: readonly FigureRow[] }) {
  const hasAmount = rows.some(({ amount }) => amount !== null)
  return (
    <PlainTable label="Rows behind the number" isFramed>
      <thead>
        <tr>
          <th>Name</th>
          <th>Detail</th>
          <th>Place</th>
          <th>Day</th>
          {hasAmount && <th className={figureCell}>Amount</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} figure={figure} row={row} hasAmount={hasAmount} />
        ))}
      </tbody>
    </PlainTable>
  )
}

type RowsRequest = FigureScope & Pick<Span, 'range'>

interface RowsProps {
  figure: FigureName
  asked: RowsRequest
  query: ReturnType<typeof useFigureRows>
  page: number
  onPage: TurnPage
}

/** The people, sessions or payments behind a number, with a CSV export of all of them. */
function Rows({ figure, asked, query, page, onPage }: RowsProps) {
  const total = query.data?.pagination.totalItems
  useLastPage(query, ({ pagination }) => pagination.totalPages, page, onPage)
  return (
    <>
      <div className={styles.head}>
        <h3>{total === undefined ? 'Rows' : `${pluralize(total, 'row')}`}</h3>
        <ExportButton call={exportFigureRows} params={{ figure }} query={{ ...asked }} total={total} />
      </div>
      <QueryView
        query={query}
        failure="Couldn't load rows"
        isEmpty={({ pagination }) => pagination.totalItems === 0}
        empty={<p className={styles.none}>No rows yet</p>}
      >
        {({ rows, pagination }) => (
          <>
            <RowTable figure={figure} rows={rows} />
            {pagination.totalPages > 1 && (
              <div className={styles.foot}>
                <Pager page={page} pages={pagination.totalPages} onPage={onPage} label="Pages of rows" />
              </div>
            )}
          </>
        )}
      </QueryView>
    </>
  )
}

/** The definition of a number: formula, range, last refresh and, with permission to see people, the rows behind it. */
export default function FigureDialog({ figure, span, scope, place, page, onPage, onOpen, onClose }: Props) {
  const canSeePeople = useCan('growth.people')
  const counted = isCounted(figure) ? figure : undefined
  const asked = { range: span.range, ...scope }
  const query = useFigureRows({ figure: counted ?? 'users', ...asked }, page, canSeePeople && counted !== undefined)
  const parts = partsOf(figure)
  const values = useFigureValues(parts, asked, canSeePeople)
  const words = definitionOf(figure)
  if (!words) return null
  const value = counted ? query.data && valueText(counted, query.data.value) : ratioText(figure, values)
  const range = `${rangeLabels[span.range]}, ${formatDayRange(span.from, span.to)}`
  return (
    <Dialog isOpen focusesClose onClose={onClose} title={words.label} context={place} size={760}>
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
                <button key={part} type="button" className={styles.part} onClick={() => onOpen(part)}>
                  <span>{countedFigures[part].label}</span>{' '}
                  {values[place] !== undefined && <b>{valueText(part, values[place])}</b>}
                </button>
              ))}
            </span>
          </Facts.Row>
        )}
        <Facts.Row label="Range">{words.of === 'now' ? `As of ${dayText(span.to)}` : range}</Facts.Row>
        <Facts.Row label="Last refreshed">
          <Moment at={span.refreshedAt} form="relative" />
        </Facts.Row>
      </Facts>
      {canSeePeople && counted && <Rows figure={counted} asked={asked} query={query} page={page} onPage={onPage} />}
    </Dialog>
  )
}
