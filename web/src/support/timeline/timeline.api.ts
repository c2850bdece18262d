import type { QueryOf } from '@limber/contract/kit/call.ts'
import { countTimeline, listTimeline } from '@limber/contract/support/timeline/timeline.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'

const timelineKey = (id: number) => ['support', 'timeline', id]
const params = (id: number) => ({ id: String(id) })

export type TimelineFilter = Partial<Pick<QueryOf<typeof listTimeline>, 'group' | 'search' | 'until'>>

const FIRST = 30
const LATEST = 5
const MORE = 100

/** The entries of a customer, a page at a time. */
export const timelineQuery = (id: number, filter: TimelineFilter, first = FIRST) =>
  infiniteQueryOptions({
    queryKey: [...timelineKey(id), 'entries', filter, first],
    queryFn: ({ pageParam, signal }) =>
      send(
        listTimeline,
        {
          params: params(id),
          query: { ...filter, limit: String(pageParam ? MORE : first), ...(pageParam && { before: pageParam }) },
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

/** The newest entries, to see whether there are new ones. */
export const newestQuery = (id: number, filter: TimelineFilter) =>
  queryOptions({
    queryKey: [...timelineKey(id), 'newest', filter],
    queryFn: ({ signal }) =>
      send(listTimeline, { params: params(id), query: { ...filter, limit: String(FIRST) } }, { signal }),
    staleTime: 0,
  })

export const timelineCountsQuery = (id: number) =>
  queryOptions({
    queryKey: [...timelineKey(id), 'counts'],
    queryFn: ({ signal }) => send(countTimeline, { params: params(id) }, { signal }),
  })

/** The last few entries, for the column beside another record. */
export const latestQuery = (id: number, exceptTicket?: number) =>
  queryOptions({
    queryKey: [...timelineKey(id), 'latest', exceptTicket ?? null],
    queryFn: ({ signal }) =>
      send(
        listTimeline,
        {
          params: params(id),
          query: { limit: String(LATEST), ...(exceptTicket && { exceptTicket: String(exceptTicket) }) },
        },
        { signal },
      ),
  })
