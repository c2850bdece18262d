import { z } from 'zod'
import { Day } from '#kit/values.ts'

/**
 * What the support report counts: tickets, each at most once per range. A range is two days of the company, both
 * included. The same definition finds the tickets behind a number. Merged tickets count as the ticket that was kept.
 */
export const TicketFigure = z.enum(['opened', 'replied', 'closed', 'kept', 'missed', 'good', 'bad', 'backlog'])
export type TicketFigure = z.infer<typeof TicketFigure>

export const ticketFigureLabels: Record<TicketFigure, string> = {
  /** Opened in the range. */
  opened: 'Opened',
  /** Their first response is in the range. */
  replied: 'First responses',
  /** Closed in the range, and still closed. */
  closed: 'Closed',
  /** Promises ended in the range, and each one was kept. */
  kept: 'Promises kept',
  /** Promises ended in the range, and at least one was missed. */
  missed: 'Promises missed',
  /** Rated in the range. */
  good: 'Rated good',
  bad: 'Rated bad',
  /** Opened in the range, and not closed yet. */
  backlog: 'Not closed',
}

/** How a ticket came in. `worker`: entered by a worker. `api`: by another program, such as the company's app. */
export const TicketChannel = z.enum(['email', 'worker', 'api'])
export type TicketChannel = z.infer<typeof TicketChannel>

export const ticketChannelLabels: Record<TicketChannel, string> = {
  email: 'Email',
  worker: 'Entered by a worker',
  api: 'App or program',
}

/** Parameters of a list of tickets that show what a number of the report counts. */
export const figureFilters = {
  figure: TicketFigure.or(z.literal('')).default(''),
  from: Day.or(z.literal('')).default(''),
  to: Day.or(z.literal('')).default(''),
  channel: TicketChannel.or(z.literal('')).default(''),
}

export const reportGroups = ['week', 'agent', 'channel', 'kind', 'tag'] as const
export const ReportGroup = z.enum(reportGroups)
export type ReportGroup = z.infer<typeof ReportGroup>

/** Times in minutes; null without tickets. */
const Times = z.object({ median: z.number(), p90: z.number() }).nullable()

export const ReportRow = z.object({
  /** Of a week its first day in the range, of a person or a tag the id; `none` for tickets without one. */
  key: z.string(),
  label: z.string(),
  /** The days that its numbers are about. */
  from: Day,
  to: Day,
  opened: z.int(),
  replied: z.int(),
  closed: z.int(),
  kept: z.int(),
  missed: z.int(),
  good: z.int(),
  bad: z.int(),
  /** Time from opening to the first response, of `replied`. */
  firstReply: Times,
  /** Time from opening to closing, of `closed`. */
  resolution: Times,
})
export type ReportRow = z.infer<typeof ReportRow>

/** Open tickets of an age. */
export const Backlog = z.object({
  age: z.enum(['today', 'week', 'month', 'older']),
  /** The days on which they were opened. */
  from: Day.or(z.literal('')),
  to: Day,
  tickets: z.int(),
})
export type Backlog = z.infer<typeof Backlog>
