import {
  type CalendarSession,
  listSessions,
  type SessionCalendar,
} from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { listStretchers } from '@limber/contract/stretchers/stretcher.ts'
import { serveCompany } from '../business/businesses.testing.ts'

/** A session on Tuesday, November 18, 2036, 9:00 AM – 1:00 PM in Los Angeles. */
export const makeSession = (more: Partial<CalendarSession> = {}): CalendarSession => ({
  id: 40,
  version: 2,
  block_id: 11,
  business: { id: 1, name: 'Mission Inn Hospitality' },
  zone: { id: 3, name: 'Riverside', time_zone: 'America/Los_Angeles' },
  stretcher: { id: 21, name: 'Renata Solis' },
  day: '2036-11-18',
  starts_at: '2036-11-18T17:00:00.000',
  ends_at: '2036-11-18T21:00:00.000',
  status: 'scheduled',
  slots: 12,
  taken_slots: 5,
  problem: null,
  ...more,
})

export const makeCalendar = (
  sessions: CalendarSession[] = [],
  more: Partial<SessionCalendar> = {},
): SessionCalendar => ({ sessions, isMore: false, last_before: null, next_after: null, ...more })

/** A stub server that returns these sessions for every week. */
export const serveCalendar = (sessions: CalendarSession[] = [], more: Partial<SessionCalendar> = {}) =>
  serveCompany()
    .answer(listSessions, makeCalendar(sessions, more))
    .answer(listStretchers, {
      stretchers: [],
      pagination: paginate(1, 20, 0),
      counts: { active: 0, in_training: 0, inactive: 0, not_certified: 0 },
    })
