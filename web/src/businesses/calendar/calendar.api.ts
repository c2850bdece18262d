import { listSessions, type SessionCalendar } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { listStretchers, readStretcher } from '@limber/contract/stretchers/stretcher.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { businessesKey } from '../business/business.api.ts'
import type { CalendarSearch } from './calendar-search.ts'

export const calendarKey = [...businessesKey, 'calendar']

type Filter = NonNullable<InputOf<typeof listSessions>['query']>

/** The filter of a week. */
export const calendarFilter = (monday: string, { zone, stretcher, status }: CalendarSearch): Filter => ({
  from: monday,
  to: addDays(monday, 6),
  ...(zone > 0 && { zone: String(zone) }),
  ...(stretcher > 0 && { stretcher: String(stretcher) }),
  ...(status !== '' && { status }),
})

const MINUTE = 60_000

/** The sessions of a week. New filters keep the previous sessions visible while loading; another week starts empty. */
export function calendarQuery(monday: string, search: CalendarSearch) {
  const filter = calendarFilter(monday, search)
  return queryOptions({
    queryKey: [...calendarKey, filter],
    queryFn: ({ signal }) => send(listSessions, { query: filter }, { signal }),
    placeholderData: (before: SessionCalendar | undefined, query) =>
      (query?.queryKey.at(-1) as Filter | undefined)?.from === monday ? before : undefined,
    // Sessions start and end as time passes.
    refetchInterval: MINUTE,
  })
}

/** The sessions of some days, of every zone. */
export const sessionsQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: [...calendarKey, 'days', from, to],
    queryFn: ({ signal }) => send(listSessions, { query: { from, to } }, { signal }),
  })

const SHOWN = '20'

/** The first stretchers whose name or email contains the query. */
export const findStretchersQuery = (search: string) =>
  queryOptions({
    queryKey: [...calendarKey, 'stretchers', search],
    queryFn: ({ signal }) => send(listStretchers, { query: { limit: SHOWN, ...(search && { search }) } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** The selected stretcher. */
export const selectedStretcherQuery = (id: number) =>
  queryOptions({
    queryKey: [...calendarKey, 'stretcher', id],
    queryFn: ({ signal }) => send(readStretcher, { params: { id: String(id) } }, { signal }),
    enabled: id > 0,
  })
