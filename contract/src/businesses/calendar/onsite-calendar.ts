import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { BareMoment, Day, Id, IdText, Version } from '#kit/values.ts'
import { SessionState } from '../blocks/block.ts'

/** So many days are shown at once: six weeks, as a page of a wall calendar has. */
export const MAX_CALENDAR_DAYS = 42
/** So many sessions come at once; whoever has more narrows it down. */
export const MAX_CALENDAR_SESSIONS = 500

/** Why the stretcher of a session that lies ahead could no longer be sent to it. */
export const StretcherProblem = z.enum(['in_training', 'not_certified', 'inactive'])
export type StretcherProblem = z.infer<typeof StretcherProblem>

export const CalendarSession = z.object({
  id: Id,
  version: Version,
  block_id: Id.nullable(),
  business: z.object({ id: Id, name: z.string() }),
  zone: z.object({ id: Id, name: z.string(), time_zone: z.string() }),
  stretcher: z.object({ id: Id, name: z.string() }),
  /** The day on which it begins, by the clocks of the zone. */
  day: Day,
  starts_at: BareMoment,
  ends_at: BareMoment,
  status: SessionState,
  slots: z.int(),
  taken_slots: z.int(),
  problem: StretcherProblem.nullable(),
})
export type CalendarSession = z.infer<typeof CalendarSession>

export const listSessions = defineCall({
  method: 'GET',
  path: '/api/onsite/sessions',
  summary:
    'On-site sessions of every business that begin within some days, by the clocks of their zones, the first first',
  permission: 'businesses.manage',
  query: z.strictObject({
    from: Day,
    /** The last day; it counts. */
    to: Day,
    zone: IdText.optional(),
    stretcher: IdText.optional(),
    business: IdText.optional(),
    /** All that were not cancelled unless told. */
    status: SessionState.optional(),
  }),
  reply: z.object({
    sessions: z.array(CalendarSession).max(MAX_CALENDAR_SESSIONS),
    /** Are there more than came? */
    isMore: z.boolean(),
    /** When there are none: the nearest days before and behind that have some. */
    last_before: Day.nullable(),
    next_after: Day.nullable(),
  }),
  refusals: {
    bad_range: [422, 'The last day lies before the first.'],
    too_long: [422, `The calendar shows at most ${MAX_CALENDAR_DAYS} days at once.`],
  },
})
export type SessionCalendar = ReplyOf<typeof listSessions>
