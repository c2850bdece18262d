import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { BareMoment, Day, Id, IdText, Version } from '#kit/values.ts'
import { SessionState } from '../blocks/block.ts'

/** How many days are shown at once: six weeks, like a page of a wall calendar. */
export const MAX_CALENDAR_DAYS = 42
/** How many sessions are returned at once. Filters narrow down larger results. */
export const MAX_CALENDAR_SESSIONS = 500

/** Why the stretcher of an upcoming session is no longer ready for it. */
export const StretcherProblem = z.enum(['in_training', 'not_certified', 'inactive'])
export type StretcherProblem = z.infer<typeof StretcherProblem>

export const CalendarSession = z.object({
  id: Id,
  version: Version,
  block_id: Id.nullable(),
  business: z.object({ id: Id, name: z.string() }),
  zone: z.object({ id: Id, name: z.string(), time_zone: z.string() }),
  stretcher: z.object({ id: Id, name: z.string() }),
  /** The day the session starts, in the zone's time zone. */
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
  summary: 'On-site sessions of every business that start on these days in their time zones, earliest first',
  permission: 'businesses.manage',
  query: z.strictObject({
    from: Day,
    /** The last day, included. */
    to: Day,
    zone: IdText.optional(),
    stretcher: IdText.optional(),
    business: IdText.optional(),
    /** By default all sessions that were not canceled. */
    status: SessionState.optional(),
  }),
  reply: z.object({
    sessions: z.array(CalendarSession).max(MAX_CALENDAR_SESSIONS),
    /** Whether there are more sessions than returned. */
    isMore: z.boolean(),
    /** When there are none: the nearest days before and after that have sessions. */
    last_before: Day.nullable(),
    next_after: Day.nullable(),
  }),
  refusals: {
    bad_range: [422, 'The last day is before the first day.'],
    too_long: [422, `The calendar shows at most ${MAX_CALENDAR_DAYS} days at once.`],
  },
})
export type SessionCalendar = ReplyOf<typeof listSessions>

export const exportSessions = exportCall(listSessions, 'onsite-sessions')
