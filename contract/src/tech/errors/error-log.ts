import { z } from 'zod'
import { Timeframe } from '#analytics/events/event.ts'
import { defineCall, type QueryOf, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Id, IdText, IntegerText, Moment, Text, Version } from '#kit/values.ts'

/** Which product failed: this one, or the customers' own. */
export const ErrorSource = z.enum(['staff', 'customer'])
/** Refused by us (4xx), or our own fault (5xx). */
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

/** What a failed call said, without anything secret. */
const ErrorText = z.object({
  /** The refusal's code, as a program reads it. */
  code: z.string().nullable(),
  /** The words the caller read. */
  text: z.string().nullable(),
  /** What kind of error it was and where in the source it arose; never its message. */
  cause: z.string().nullable(),
})

/** So many people are counted for an error: one more stands for more. */
export const MAX_PEOPLE = 1_000

/** Failed events of one path with one status. */
export const ErrorGroup = z.object({
  id: Id,
  source: ErrorSource,
  method: z.string(),
  path: z.string(),
  status: z.int(),
  state: ErrorState,
  /** Within the timeframe. */
  count: z.int(),
  /** Different people within the timeframe, counted up to `MAX_PEOPLE`. */
  people: z.int(),
  trend: z.array(z.int()),
  /** Ever. */
  firstSeen: Moment,
  lastSeen: Moment,
  total: z.int(),
  newest: ErrorText,
  handled: z.object({ at: Moment, by: z.string().nullable(), note: z.string() }).nullable(),
  /** When it came again, or was opened again, after it had been handled. */
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
  /** Stands in every line of the JSON log about this request. */
  requestId: z.string().nullable(),
  /** Without the right to see customers, a customer has no name here. */
  person: z.object({ kind: z.enum(['customer', 'worker']), id: Id, name: z.string().nullable() }).nullable(),
  ...ErrorText.shape,
})
export type ErrorOccurrence = z.infer<typeof ErrorOccurrence>

const params = z.strictObject({ id: IdText })
const notFound = [404, 'This group of errors does not exist, or is no longer kept.'] as const
const stale = staleRefusal('this group', ErrorGroup)

export const listErrors = defineCall({
  method: 'GET',
  path: '/api/tech/errors',
  summary: 'Failed events of a timeframe, grouped by path and status',
  permission: 'errors.view',
  query: z.strictObject({
    timeframe: Timeframe.default('week'),
    class: StatusClass.optional(),
    source: ErrorSource.optional(),
    state: ErrorState.optional(),
    /** A part of the path. */
    search: z.string().trim().max(200).optional(),
    sort: ErrorSort.default('-lastSeen'),
    ...pageQuery({ limit: 25 }),
  }),
  reply: z.object({
    groups: z.array(ErrorGroup),
    pagination: Pagination,
    /** Of the timeframe and the source, whatever else is filtered. */
    totals: z.object({ refused: z.int(), broken: z.int(), people: z.int(), open: z.int(), handled: z.int() }),
    span: z.object({ from: Moment, to: Moment }),
  }),
})
export type ErrorQuery = QueryOf<typeof listErrors>
export type ErrorList = ReplyOf<typeof listErrors>

export const readErrorGroup = defineCall({
  method: 'GET',
  path: '/api/tech/errors/:id',
  summary: 'One group of errors',
  permission: 'errors.view',
  params,
  query: z.strictObject({ timeframe: Timeframe.default('week') }),
  reply: ErrorGroup,
  refusals: { not_found: notFound },
})

export const listOccurrences = defineCall({
  method: 'GET',
  path: '/api/tech/errors/:id/occurrences',
  summary: 'Single occurrences of a group, newest first',
  permission: 'errors.view',
  params,
  query: z.strictObject({
    /** What the page before gave as `next`. */
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

/** A handled group opens again by itself when the failure comes again. */
export const handleErrorGroup = defineCall({
  method: 'POST',
  path: '/api/tech/errors/:id/handle',
  summary: 'Mark a group of errors as handled, with a note',
  permission: 'errors.view',
  params,
  body: z.strictObject({ note: Text(500), version: Version.optional() }),
  reply: ErrorGroup,
  refusals: { not_found: notFound, stale, handled: [409, 'This group is marked as handled already.'] },
})

export const reopenErrorGroup = defineCall({
  method: 'POST',
  path: '/api/tech/errors/:id/reopen',
  summary: 'Open a handled group of errors again',
  permission: 'errors.view',
  params,
  body: z.strictObject({ note: Text(500), version: Version.optional() }),
  reply: ErrorGroup,
  refusals: { not_found: notFound, stale, open: [409, 'This group is open already.'] },
})
