import {
  listSessions,
  MAX_CALENDAR_DAYS,
  MAX_CALENDAR_SESSIONS,
} from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { daysBetween } from '@limber/contract/kit/days.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { presentCalendarSession } from './onsite-calendar.present.ts'
import { findCalendar, findNearest } from './onsite-calendar.queries.ts'

export const onsiteCalendarRoutes = [
  serve(listSessions, async ({ query, db, now }) => {
    const days = daysBetween(query.from, query.to) + 1
    if (days < 1) throw refuse(listSessions, 'bad_range')
    if (days > MAX_CALENDAR_DAYS) throw refuse(listSessions, 'too_long')
    const found = await findCalendar(db, query, { now, most: MAX_CALENDAR_SESSIONS + 1 })
    const nearest = found.length > 0 ? { last_before: null, next_after: null } : await findNearest(db, query, now)
    return {
      sessions: found.slice(0, MAX_CALENDAR_SESSIONS).map((row) => presentCalendarSession(row, now)),
      isMore: found.length > MAX_CALENDAR_SESSIONS,
      ...nearest,
    }
  }),
]
