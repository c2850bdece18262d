import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { CallDefinition, ReplyInputOf } from '@limber/contract/kit/call.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { BYTE_ORDER_MARK, type CsvCell, csvLine } from '@limber/contract/kit/csv.ts'
import type { ExportCall } from '@limber/contract/kit/export.ts'
import { writeAuditRow } from '../db/work.ts'
import { type Caller, type Context, type ReplyFacts, type Route, serve } from '../http/routes.ts'

const BATCH = 1000

type Scalar = string | number | boolean | null | undefined

/** A header, and how to print the value below it. */
type Column<V> = readonly [header: string, cell: (value: V) => CsvCell]

/**
 * The columns of a list by field, in order: a header, or one or more columns for a value with parts. Every field of the
 * list's rows has an entry, so that a new field cannot be forgotten. An empty entry leaves out what only programs need.
 */
export type Columns<R> = {
  readonly [K in keyof R]-?: ([R[K]] extends [Scalar] ? string : never) | readonly Column<R[K]>[]
}

/** Leaves out a field that only programs need, such as a version. */
export const NO_COLUMN = [] as const

/** Several values in one cell. */
export const listed = (values: readonly string[]): string => values.join(', ')

/** A value with parts in one cell. */
export const json = (value: unknown): CsvCell => (value === null || value === undefined ? null : JSON.stringify(value))

type Rows<R> = AsyncGenerator<readonly R[], void>

/** How one list is exported. */
export interface Export {
  call: ExportCall
  columns: Columns<never>
  rowsOf(reply: unknown): readonly object[]
  next?: ((reply: unknown) => string | number | null) | undefined
  cursor: 'before' | 'pageToken'
  /** Names what is exported, when a list has more than one kind. */
  file?: ((context: Context) => string) | undefined
  /** All rows, in batches. */
  read(list: Route, context: Context): Rows<object>
}

interface Definition<L extends CallDefinition, R> {
  /** The rows of a reply of the list. */
  rows(reply: ReplyInputOf<L>): readonly R[]
  columns: Columns<NoInfer<R>>
  /** For a list with a cursor: that of the next page. */
  next?(reply: ReplyInputOf<L>): string | number | null
  /** The parameter of the cursor. Default: `before`. */
  cursor?: 'before' | 'pageToken'
  /**
   * Reads the rows itself, in batches after the last row. For lists that can be long: paging by offset reads all earlier
   * rows again.
   */
  batches?(context: Context<L>, limit: number): Rows<NoInfer<R>>
  file?(context: Context<L>): string
}

/** Pages of the list itself, longer than its screen shows them, up to the last. */
async function* readPages({ rowsOf, next, cursor: name }: Export, list: Route, context: Context): Rows<object> {
  const part = list.call.method === 'GET' ? 'query' : 'body'
  const filters = context.query as object | undefined
  let cursor: string | number | null | undefined
  for (let page = 1; ; page++) {
    const from = cursor ?? (name === 'pageToken' ? '' : undefined)
    const paging = next ? { limit: BATCH, [name]: from } : { page, limit: BATCH }
    const reply = await list.handle({ ...context, [part]: { ...filters, ...paging } } as Context)
    const rows = rowsOf(reply)
    yield rows
    cursor = next?.(reply)
    if (next ? !cursor : rows.length !== BATCH) return
  }
}

/** Walks rows by key: asks for those after the last one until there are no more. */
export async function* walkAfter<R>(limit: number, find: (last: R | undefined) => Promise<R[]>): AsyncGenerator<R[]> {
  for (let last: R | undefined; ; ) {
    const rows = await find(last)
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    last = rows.at(-1)
  }
}

/** Exports a list. Its rows come from the list's own handler, unless `batches` reads them. */
export function exporting<L extends CallDefinition, R extends object>(
  call: ExportCall<L>,
  { batches, ...of }: Definition<L, R>,
): Export {
  const one: Export = {
    call,
    columns: of.columns as Columns<never>,
    rowsOf: of.rows as Export['rowsOf'],
    next: of.next as Export['next'],
    cursor: of.cursor ?? 'before',
    file: of.file as Export['file'],
    read: (list, context) =>
      batches ? (batches(context as unknown as Context<L>, BATCH) as Rows<object>) : readPages(one, list, context),
  }
  return one
}

/** The header line's cells, and those of a row. */
export function tableOf<R extends object>(columns: Columns<R>) {
  const columnsOf = (given: string | readonly Column<unknown>[]): readonly Column<unknown>[] =>
    typeof given === 'string' ? [[given, (value) => value as CsvCell]] : given
  const list = Object.entries(columns as unknown as Record<string, string | readonly Column<unknown>[]>).flatMap(
    ([field, given]) =>
      columnsOf(given).map(([header, cell]) => ({ header, read: (row: R) => cell(row[field as keyof R]) })),
  )
  return { headers: list.map(({ header }) => header), cells: (row: R) => list.map(({ read }) => read(row)) }
}

/** Filters that people type. They may name a person, and the audit log is append-only. */
const typed = new Set(['search', 'recipient', 'number'])
const filterOf = ({ params, query }: { params?: unknown; query?: unknown }) =>
  Object.fromEntries(
    Object.entries({ ...(params as object | undefined), ...(query as object | undefined) })
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => [name, typed.has(name) ? '•••' : value]),
  )

/** Makes the reply a download with this name. */
export function downloadCsv(reply: ReplyFacts, name: string) {
  reply.header('content-type', 'text/csv; charset=utf-8')
  reply.header('content-disposition', `attachment; filename="${name}.csv"`)
  reply.header('cache-control', 'no-store')
}

type Taken = Pick<Context, 'services' | 'request'> & { worker: Caller | null }

/** Records who took what. */
export const recordExport = (
  call: CallDefinition,
  context: Taken & { params?: unknown; query?: unknown },
  what: string,
  rows: number,
  isComplete = true,
) =>
  writeAuditRow(
    context.services,
    {
      call: `${call.method} ${call.path}`,
      workerId: context.worker?.workerId,
      workerName: context.worker?.name,
      address: context.request.address,
      requestId: context.request.id,
    },
    { action: 'exported', subject: 'export', subjectId: what, after: { filter: filterOf(context), rows, isComplete } },
  )

/** A route that exports a list. */
export interface ExportRoute extends Route {
  exports: Export
}

/** Streams an export. A batch is read when the one before it has been sent, so memory does not grow with the list. */
function serveExport(one: Export, list: Route): ExportRoute {
  const { call, columns, file, read } = one
  const route = serve<CallDefinition>(
    call,
    async (context) => {
      const { reply, now } = context
      const name = file?.(context) ?? call.exports.file
      const { headers, cells } = tableOf<object>(columns)
      const batches = read(list, context)[Symbol.asyncIterator]()
      // Read the first batch before the reply starts: the list may refuse.
      const first = await batches.next()
      downloadCsv(reply, `${name}-${companyDay(now)}`)
      async function* lines() {
        let count = 0
        let isComplete = false
        try {
          yield BYTE_ORDER_MARK + csvLine(headers)
          for (let batch = first; !batch.done; batch = await batches.next()) {
            count += batch.value.length
            if (batch.value.length > 0) yield batch.value.map((row) => csvLine(cells(row))).join('')
            // Let other requests run, also when the reader takes everything at once.
            await setImmediate()
          }
          isComplete = true
        } finally {
          // Also when the reader stops early: rows up to there have left the company.
          await recordExport(call, context, call.exports.file, count, isComplete)
        }
      }
      return Readable.from(lines(), { objectMode: false, highWaterMark: 64 * 1024 })
    },
    { mayLag: true },
  )
  return { ...route, exports: one }
}

/** Adds the exports of lists to their routes. */
export function withExports(routes: readonly Route[], exports: readonly Export[]): readonly Route[] {
  const listOf = ({ call }: Export) => {
    const list = routes.find((route) => route.call === call.exports.list)
    if (!list) throw new Error(`${call.path} exports a list that this area does not serve`)
    return list
  }
  return [...routes, ...exports.map((each) => serveExport(each, listOf(each)))]
}
