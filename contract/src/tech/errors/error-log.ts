import { z } from 'zod'
import { Timeframe } from '#analytics/events/event.ts'
import { defineCall, type QueryOf, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Id, IdText, IntegerText, Moment, Text, Version } from '#kit/values.ts'

/** Which product failed: Limber or the customer app. */
export const ErrorSource = z.enum(['staff', 'customer'])
/** A rejected request (4xx) or a server error (5xx). */
export const StatusClass = z.enum(['4xx', '5xx'])
export const ErrorState = z.enum(['open', 'handled'])
export const ErrorSort = z.enum([
  'lastSeen',
  '-lastSeen',
  'firstSeen',
  '-firstSeen',
  'count',
  '-count',
  'people',
  '-people',
])

/** The reply to a failed call, without secrets. */
const ErrorText = z.object({
  /** The refusal's machine-readable code. */
  code: z.string().nullable(),
  /** The text that the caller saw. */
  text: z.string().nullable(),
  /** Error class and source location; never its message, which may contain personal data. */
  cause: z.string().nullable(),
})

/** People are counted up to this number; one more means "more than". */
export const MAX_PEOPLE = 1_000

/** Failed calls with the same path and status. */
export const ErrorGroup = z.object({
  id: Id,
  source: ErrorSource,
  method: z.string(),
  path: z.string(),
  status: z.int(),
  state: ErrorState,
  /** In the timeframe. */
  count: z.int(),
  /** Distinct people in the timeframe, counted up to `MAX_PEOPLE`. */
  people: z.int(),
  trend: z.array(z.int()),
  /** All time. */
  firstSeen: Moment,
  lastSeen: Moment,
  total: z.int(),
  newest: ErrorText,
  handled: z.object({ at: Moment, by: z.string().nullable(), note: z.string() }).nullable(),
  /** When the handled group failed again or was reopened. */
  reopenedAt: Moment.nullable(),
  timesReopened: z.int(),
  version: Version,
})
export type ErrorGroup = z.infer<typeof ErrorGroup>

export const ErrorOccurrence = z.object({
  id: Id,
  at: Moment,
  url: z.string(),
  /** Milliseconds until the failure. */
  ms: z.number(),
  address: z.string().nullable(),
  /** The same id is in every JSON log line of this request. */
  requestId: z.string().nullable(),
  /** The name of a customer is null for workers who may not see customers. */
  person: z.object({ kind: z.enum(['customer', 'worker']), id: Id, name: z.string().nullable() }).nullable(),
  ...ErrorText.shape,
})
export type ErrorOccurrence = z.infer<typeof ErrorOccurrence>

const params = z.strictObject({ id: IdText })
const notFound = [404, 'This error group does not exist or is no longer stored.'] as const
const stale = staleRefusal('this error group', ErrorGroup)

export const listErrors = defineCall({
  method: 'GET',
  path: '/api/tech/errors',
  summary: 'List failed calls in a timeframe, grouped by path and status',
  permission: 'errors.view',
  query: z.strictObject({
    timeframe: Timeframe.default('week'),
    class: StatusClass.optional(),
    source: ErrorSource.optional(),
    state: ErrorState.optional(),
    /** Part of the path. */
    search: z.string().trim().max(200).optional(),
    sort: ErrorSort.default('-lastSeen'),
    ...pageQuery({ limit: 25 }),
  }),
  reply: z.object({
    groups: z.array(ErrorGroup),
    pagination: Pagination,
    /** For the timeframe and source; other filters do not apply. */
    totals: z.object({ refused: z.int(), broken: z.int(), people: z.int(), open: z.int(), handled: z.int() }),
    span: z.object({ from: Moment, to: Moment }),
  }),
})
export type ErrorQuery = QueryOf<typeof listErrors>
export type ErrorList = ReplyOf<typeof listErrors>

export const exportErrors = exportCall(listErrors, 'errors')

export const readErrorGroup = defineCall({
  method: 'GET',
  path: '/api/tech/errors/:id',
  summary: 'Get an error group',
  permission: 'errors.view',
  params,
  query: z.strictObject({ timeframe: Timeframe.default('week') }),
  reply: ErrorGroup,
  refusals: { not_found: notFound },
})

export const listOccurrences = defineCall({
  method: 'GET',
  path: '/api/tech/errors/:id/occurrences',
  summary: 'List occurrences of an error group, newest first',
  permission: 'errors.view',
  params,
  query: z.strictObject({
    /** Cursor: `next` of the previous page. */
    before: z
      .string()
      .regex(/^\d{1,16}\.\d{1,16}$/)
      .optional(),
    limit: IntegerText(1, 100).default(20),
  }),
  reply: z.object({ occurrences: z.array(ErrorOccurrence), next: z.string().nullable() }),
  refusals: { not_found: notFound },
})
export type OccurrencePage = ReplyOf<typeof listOccurrences>

export const exportOccurrences = exportCall(listOccurrences, 'error-occurrences')

/** A handled group reopens automatically when the failure happens again. */
export const handleErrorGroup = defineCall({
  method: 'POST',
  path: '/api/tech/errors/:id/handle',
  summary: 'Mark an error group as handled, with a note',
  permission: 'errors.view',
  params,
  body: z.strictObject({ note: Text(500), version: Version.optional() }),
  reply: ErrorGroup,
  refusals: { not_found: notFound, stale, handled: [409, 'This error group is already marked as handled.'] },
})

export const reopenErrorGroup = defineCall({
  method: 'POST',
  path: '/api/tech/errors/:id/reopen',
  summary: 'Reopen a handled error group',
  permission: 'errors.view',
  params,
  body: z.strictObject({ note: Text(500), version: Version.optional() }),
  reply: ErrorGroup,
  refusals: { not_found: notFound, stale, open: [409, 'This error group is already open.'] },
})
