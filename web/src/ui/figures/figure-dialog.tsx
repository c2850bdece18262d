import type { CallDefinition } from '@limber/contract/kit/call.ts'
import type { ExportCall } from '@limber/contract/kit/export.ts'
import type { FigureDefinition, FigureRow } from '@limber/contract/kit/figure.ts'
import { formatPercent, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Pagination } from '@limber/contract/kit/page.ts'
import { IconAlertTriangle, IconChevronLeft, IconCircleCheck } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useRef, useState } from 'react'
import type { z } from 'zod'
import { send } from '#platform/api/api.ts'
import { type Needs, useCan } from '#platform/session/session.tsx'
import { Change } from '../charts/change.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { QueryView } from '../feedback/query-view.tsx'
import { BlockSkeleton } from '../feedback/skeleton.tsx'
import { SearchField } from '../form/search-field.tsx'
import { dayText } from '../format/day-text.ts'
import { Moment } from '../format/moment.tsx'
import { isLetterKey } from '../keyboard/is-page-key.ts'
import { useWindowKeys } from '../keyboard/use-window-keys.ts'
import { CopyButton } from '../layout/copy-button.tsx'
import { Icon } from '../layout/icon.tsx'
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
  /** Whether the rows can be searched. */
  hasSearch?: true
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
  /** What the figure covers, such as its range. */
  period?: ReactNode
  /** The filters of the period before, to compare with. */
  before?: Readonly<Record<string, string | undefined>> | undefined
  /** When it was computed, if not just now. Null before the first time. */
  refreshedAt?: string | null | undefined
  page: number
  onPage: TurnPage
  onOpen: (figure: string) => void
  onClose: () => void
}

const given = (query: object) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''))

const rowsQuery = (set: FigureSet, figure: string, query: object, page: number, enabled: boolean) =>
  queryOptions({
    queryKey: [...set.key, 'rows', figure, query, page],
    queryFn: ({ signal }) =>
      send(set.list, { params: { figure }, query: { ...query, page: String(page), limit: String(PAGE) } }, { signal }),
    placeholderData: keepPreviousData,
    enabled,
  })

/** Rows that fit on a page need no search. */
const PAGE = 10

interface RowsProps extends Pick<Props, 'set' | 'figure' | 'page' | 'onPage'> {
  asked: object
  search: string
  onSearch: (search: string) => void
  query: UseQueryResult<FigureReply>
}

/** Units whose rows add up. Of the others, stars and minutes are averages, and days a median. */
const SUMS: readonly FigureDefinition['unit'][] = ['dollars', 'credits', 'rewards', 'milliseconds', 'events']

/** To the ten-thousandth, which is as exact as money is. */
const exact = (value: number) => Math.round(value * 10_000) / 10_000

/** What the shown rows leave of the figure; undefined if its rows do not add up to it. */
function restOf(definition: FigureDefinition | undefined, { value, rows }: FigureReply): number | undefined {
  if (!SUMS.includes(definition?.unit) || value === null) return undefined
  return exact(rows.reduce((rest, { amount }) => rest - (amount ?? 0), value))
}

interface TableProps extends Pick<RowsProps, 'set' | 'figure' | 'search'> {
  reply: FigureReply
}

function RowTable({ set, figure, search, reply }: TableProps) {
  const { text, nameOf } = set
  const { rows, value, pagination } = reply
  const has = (field: 'detail' | 'place' | 'day' | 'amount') => rows.some((row) => row[field] !== null)
  const shown = { detail: has('detail'), place: has('place'), day: has('day'), amount: has('amount') }
  const columns = 1 + [shown.detail, shown.place, shown.day].filter(Boolean).length
  // The rows that were found do not add up to the figure.
  const rest = search === '' ? restOf(set.counted[figure], reply) : undefined
  const others = pagination.totalItems - rows.length
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
      {shown.amount && rest !== undefined && (
        <tfoot>
          {others > 0 && (
            <tr className={styles.rest}>
              <td colSpan={columns}>{pluralize(others, 'other row')}</td>
              <td className={figureCell}>{text(figure, rest)}</td>
            </tr>
          )}
          <tr>
            <td colSpan={columns}>Total</td>
            <td className={figureCell}>{text(figure, value)}</td>
          </tr>
        </tfoot>
      )}
    </PlainTable>
  )
}

/** The records behind a number, with a CSV export of all of them. */
function Rows({ set, figure, asked, search, onSearch, query, page, onPage }: RowsProps) {
  const total = query.data?.pagination.totalItems
  useLastPage(query, ({ pagination }) => pagination.totalPages, page, onPage)
  return (
    <section className={styles.part}>
      <div className={styles.head}>
        <h3>{total === undefined ? 'Rows' : `${pluralize(total, 'row')}${search === '' ? '' : ' found'}`}</h3>
        <div className={styles.tools}>
          {set.hasSearch && (search !== '' || (total !== undefined && total > PAGE)) && (
            <SearchField label="Search rows" placeholder="Search rows" value={search} onFind={onSearch} />
          )}
          <ExportButton
            call={set.file}
            params={{ figure }}
            query={{ ...asked, ...(search && { search }) }}
            total={total}
          />
        </div>
      </div>
      <QueryView
        query={query}
        loading={<BlockSkeleton height={204} />}
        failure="Couldn't load rows"
        isEmpty={({ pagination }) => pagination.totalItems === 0}
        empty={
          <p className={styles.none}>
            {search === '' ? 'Nothing matches this definition yet.' : `No row contains “${search}”.`}
          </p>
        }
      >
        {(reply) => (
          <>
            <RowTable set={set} figure={figure} search={search} reply={reply} />
            {reply.pagination.totalPages > 1 && (
              <div className={styles.pages}>
                <Pager page={page} pages={reply.pagination.totalPages} onPage={onPage} label="Pages of rows" />
              </div>
            )}
          </>
        )}
      </QueryView>
    </section>
  )
}

/** Whether the rows and the figure agree, as far as the rows are all shown, and when it was computed. */
function Agreement({
  set,
  figure,
  reply,
  refreshedAt,
}: Pick<Props, 'set' | 'figure' | 'refreshedAt'> & { reply: FigureReply | undefined }) {
  const rest = reply && restOf(set.counted[figure], reply)
  const isWhole = reply !== undefined && reply.pagination.totalItems === reply.rows.length
  const differs = isWhole && rest !== undefined && rest !== 0
  return (
    <span className={styles.agreement} data-differs={differs || undefined}>
      {differs ? (
        <>
          <Icon of={IconAlertTriangle} size={14} /> The rows differ from the figure by {set.text(figure, rest)}.
        </>
      ) : (
        reply && (
          <>
            <Icon of={IconCircleCheck} size={14} />
            {isWhole && rest === 0
              ? 'The rows add up to the figure.'
              : `Calculated from ${reply.pagination.totalItems === 1 ? 'this row' : `these ${pluralize(reply.pagination.totalItems, 'row')}`}.`}
          </>
        )
      )}
      {refreshedAt !== undefined && (
        <span>
          Last refreshed: <Moment key={refreshedAt} at={refreshedAt} form="relative" />
        </span>
      )}
    </span>
  )
}

interface FormulaProps extends Pick<Props, 'set' | 'onOpen'> {
  words: FigureDefinition
  value: ReactNode
  parts: readonly (FigureReply | undefined)[]
}

/** The calculation, in boxes that open. */
function Formula({ set, words, value, parts, onOpen }: FormulaProps) {
  const names = words.parts ?? []
  return (
    <section className={styles.part}>
      <h3>Formula</h3>
      <div className={styles.formula}>
        {names.map((name, place) => (
          <Fragment key={name}>
            <button type="button" className={styles.box} onClick={() => onOpen(name)}>
              <span>{set.counted[name]?.label}</span>{' '}
              {parts[place] !== undefined && <b>{set.text(name, parts[place].value)}</b>}
              {parts[place] !== undefined && <small>{pluralize(parts[place].pagination.totalItems, 'row')}</small>}
            </button>
            <span className={styles.sign}>{words.signs?.[place]}</span>
          </Fragment>
        ))}
        <span className={styles.sign}>=</span>
        <div className={styles.box} data-result>
          <span>{words.label}</span> <b>{value ?? '…'}</b>
        </div>
      </div>
    </section>
  )
}

/** The change from the period before, as far as there was one. */
function Compared({
  set,
  figure,
  reply,
  before,
}: { before: FigureReply } & Pick<TableProps, 'set' | 'figure' | 'reply'>) {
  if (reply.value === null || before.value === null) return null
  const by = reply.value - before.value
  const size = Math.abs(by)
  return (
    <p className={styles.period}>
      <Change
        by={by}
        text={before.value === 0 ? set.text(figure, size) : formatPercent((size / Math.abs(before.value)) * 100, 1)}
        good="neither"
      />{' '}
      {by === 0 ? 'Same as' : by > 0 ? 'Up from' : 'Down from'} {set.text(figure, before.value)} in the period before.
    </p>
  )
}

/** The figures that led here, the first one first. Opening another one in the address begins again. */
function useTrail({ figure, onOpen }: Pick<Props, 'figure' | 'onOpen'>) {
  const [trail, setTrail] = useState<readonly string[]>([figure])
  const isOn = trail.at(-1) === figure
  const before = isOn ? trail.slice(0, -1) : []
  const open = (next: string) => {
    setTrail([...before, figure, next])
    onOpen(next)
  }
  const backTo = (place: number) => {
    const next = before[place]
    if (next === undefined) return
    setTrail(before.slice(0, place + 1))
    onOpen(next)
  }
  return { before, open, backTo }
}

/** The definition of a number: its formula, its parts and, with permission to see them, the rows behind it. */
export function FigureDialog({
  set,
  figure,
  query = {},
  values = {},
  context,
  period,
  before: filtersBefore,
  refreshedAt,
  page,
  ...on
}: Props) {
  const [search, setSearch] = useState('')
  const canSeeRows = useCan(set.list.permission as Needs)
  const isCounted = figure in set.counted
  const asked = given(query)
  const all = useQuery(rowsQuery(set, figure, asked, search === '' ? page : 1, canSeeRows && isCounted))
  const found = useQuery(rowsQuery(set, figure, { ...asked, search }, page, canSeeRows && isCounted && search !== ''))
  const rows = search === '' ? all : found
  const compared = useQuery(
    rowsQuery(set, figure, given(filtersBefore ?? {}), 1, canSeeRows && isCounted && filtersBefore !== undefined),
  )
  const words = set.counted[figure] ?? set.ratios?.[figure]
  const parts = words?.parts ?? []
  const partRows = useQueries({ queries: parts.map((part) => rowsQuery(set, part, asked, 1, canSeeRows)) })
  const { before, open, backTo } = useTrail({ figure, onOpen: on.onOpen })
  const body = useRef<HTMLDivElement>(null)
  useWindowKeys((event) => {
    if (!isLetterKey(event) || event.defaultPrevented) return
    if (event.key === 'Backspace') backTo(before.length - 1)
    if (event.key === '/') {
      event.preventDefault()
      body.current?.querySelector<HTMLInputElement>('[data-section-search]')?.focus()
    }
    if (event.key === 'd') body.current?.querySelector<HTMLAnchorElement>('a[data-export]')?.click()
  })
  if (!words) return null
  const reply = isCounted && !all.isPlaceholderData ? all.data : undefined
  const ratio = set.ratioText?.(
    figure,
    partRows.map(({ data }) => data?.value),
  )
  const value = (reply && set.text(figure, reply.value)) ?? values[figure] ?? ratio
  const labelOf = (name: string) => (set.counted[name] ?? set.ratios?.[name])?.label ?? name
  return (
    <Dialog
      isOpen
      focusesClose
      onClose={on.onClose}
      title={words.label}
      context={context}
      size={880}
      foot={
        (reply || refreshedAt !== undefined) && (
          <Agreement set={set} figure={figure} reply={reply} refreshedAt={refreshedAt} />
        )
      }
    >
      <div ref={body} className={styles.body}>
        {before.length > 0 && (
          <nav className={styles.trail} aria-label="Figures">
            {before.map((name, place) => (
              <button key={name} type="button" onClick={() => backTo(place)}>
                <Icon of={IconChevronLeft} size={14} />
                {labelOf(name)}
              </button>
            ))}
          </nav>
        )}
        <div className={styles.top}>
          <div>
            <p className={styles.value}>
              {value ?? '…'}
              <CopyButton text={window.location.href} label="Copy link" />
            </p>
            {period && <p className={styles.period}>{period}</p>}
            {filtersBefore && reply && compared.data && !compared.isPlaceholderData && (
              <Compared set={set} figure={figure} reply={reply} before={compared.data} />
            )}
          </div>
          <p className={styles.definition}>{words.formula}</p>
        </div>
        {parts.length > 0 && canSeeRows && (
          <Formula set={set} words={words} value={value} parts={partRows.map(({ data }) => data)} onOpen={open} />
        )}
        {canSeeRows && isCounted && (
          <Rows
            {...{ set, figure, asked, search, page }}
            onSearch={(next) => {
              setSearch(next)
              on.onPage(1, { replace: true })
            }}
            query={rows}
            onPage={on.onPage}
          />
        )}
      </div>
    </Dialog>
  )
}
