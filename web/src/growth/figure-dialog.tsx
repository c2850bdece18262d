import { exportFigureRows, type FigureName, type FigureRow } from '@limber/contract/growth/figure.ts'
import type { Span } from '@limber/contract/growth/values.ts'
import { useCan } from '#platform/session.tsx'
import { CustomerLink } from '#support/public.tsx'
import { dayText } from '#ui/day-text.ts'
import { Dialog } from '#ui/dialog.tsx'
import { ExportLink } from '#ui/export-link.tsx'
import { Facts } from '#ui/facts.tsx'
import { Moment } from '#ui/moment.tsx'
import { Pager } from '#ui/pager.tsx'
import { figure as figureCell, PlainTable } from '#ui/plain-table.tsx'
import { QueryView } from '#ui/query-view.tsx'
import styles from './figure-dialog.module.css'
import { isCounted, wordsOfFigure } from './figure-words.ts'
import { useFigureRows } from './growth.api.ts'
import { dollars, rangeWords, whole } from './words.ts'

interface Props {
  figure: string
  span: Span
  /** Where it is counted; in the whole company unless told. */
  scope?: { zoneId?: string; bbox?: string }
  /** The place in words. */
  place?: string
  /** The page of the rows behind it. */
  page: number
  onPage: (page: number) => void
  onClose: () => void
}

function Row({ row }: { row: FigureRow }) {
  return (
    <tr>
      <td>{row.userId === null ? row.name : <CustomerLink id={row.userId}>{row.name}</CustomerLink>}</td>
      <td>{row.detail ?? '--'}</td>
      <td>{row.place ?? '--'}</td>
      <td>{dayText(row.day)}</td>
      <td className={figureCell}>{row.amount === null ? '' : dollars(row.amount)}</td>
    </tr>
  )
}

/** The people, sessions or payments behind a number, and all of them as a file. */
function Rows({ figure, span, scope, page, onPage }: Omit<Props, 'figure' | 'onClose'> & { figure: FigureName }) {
  const asked = { range: span.range, ...scope }
  const query = useFigureRows({ figure, ...asked }, page, true)
  const total = query.data?.pagination.totalItems
  return (
    <>
      <div className={styles.head}>
        <h3>{total === undefined ? 'Behind it' : `${whole(total)} ${total === 1 ? 'row' : 'rows'} behind it`}</h3>
        <ExportLink call={exportFigureRows} params={{ figure }} query={asked} total={total} />
      </div>
      <QueryView
        query={query}
        failure="The rows could not be read"
        isEmpty={({ pagination }) => pagination.totalItems === 0}
        empty={<p className={styles.none}>Nobody and nothing counts here.</p>}
      >
        {({ rows, pagination }) => (
          <>
            <PlainTable label="Rows behind the number" isFramed>
              <thead>
                <tr>
                  <th>Name</th>
                  <th>Detail</th>
                  <th>Place</th>
                  <th>Day</th>
                  <th className={figureCell}>Amount</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <Row key={row.id} row={row} />
                ))}
              </tbody>
            </PlainTable>
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

/** What a number means: formula, range, last refresh and, for those who may see people, the rows behind it. */
export default function FigureDialog({ figure, span, scope = {}, place, page, onPage, onClose }: Props) {
  const canSeePeople = useCan('growth.people')
  const words = wordsOfFigure(figure)
  if (!words) return null
  const range = `${rangeWords[span.range]}, ${dayText(span.from)} to ${dayText(span.to)}`
  return (
    <Dialog isOpen onClose={onClose} title={words.label} context={place} size={760}>
      <Facts>
        <Facts.Row label="Formula">{words.formula}</Facts.Row>
        <Facts.Row label="Range">{words.of === 'now' ? `As of ${dayText(span.to)}` : range}</Facts.Row>
        <Facts.Row label="Last refresh">
          <Moment at={span.refreshedAt} isRecent />
        </Facts.Row>
      </Facts>
      {canSeePeople && isCounted(figure) && (
        <Rows figure={figure} span={span} scope={scope} page={page} onPage={onPage} />
      )}
    </Dialog>
  )
}
