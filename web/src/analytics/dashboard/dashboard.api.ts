import { readDashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import { type AnalyticsEvent, listEvents, readEvent, type Timeframe } from '@limber/contract/analytics/events/event.ts'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { send } from '#platform/api/api.ts'
import { useLive } from '#platform/live/live.ts'
import type { TablePage } from '#ui/table/data-table.tsx'

const keys = {
  dashboard: ['analytics', 'dashboard'] as const,
  events: ['analytics', 'events'] as const,
  event: ['analytics', 'event'] as const,
}

export interface DashboardQuery {
  timeframeEvents: Timeframe
  timeframePerformance: Timeframe
  actionTypeFilter: string
}

const MINUTE = 60_000

/** The figures. The previous ones stay visible while new ones load. */
export const useDashboard = (query: DashboardQuery) =>
  useQuery({
    queryKey: [...keys.dashboard, query],
    queryFn: ({ signal }) => send(readDashboard, { query }, { signal }),
    placeholderData: keepPreviousData,
    // The window moves with time, even without new events.
    refetchInterval: MINUTE,
  })

/** One page of the events of a timeframe. */
export const useEvents = (timeframeEvents: Timeframe, actionTypeFilter: string, page: number, limit: number) =>
  useQuery({
    queryKey: [...keys.events, { timeframeEvents, actionTypeFilter, page, limit }],
    queryFn: ({ signal }) =>
      send(
        listEvents,
        { query: { timeframeEvents, actionTypeFilter, page: String(page), limit: String(limit) } },
        { signal },
      ),
    select: ({ events, pagination }): TablePage<AnalyticsEvent> => ({
      rows: events,
      totalItems: pagination.totalItems,
    }),
    placeholderData: keepPreviousData,
  })

/** One event by id; disabled while the id is empty. */
export const useEvent = (id: string) =>
  useQuery({
    queryKey: [...keys.event, id],
    queryFn: ({ signal }) => send(readEvent, { params: { id } }, { signal }),
    enabled: id !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })

const MIN_REFRESH_INTERVAL = 5_000

/** Reloads when the figures change, at most every five seconds. Pages after the first stay as they are. */
export function useLiveFigures(isOnFirstPage: boolean): void {
  const cache = useQueryClient()
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const readAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => () => clearTimeout(waiting.current), [])
  const read = () => {
    waiting.current = undefined
    readAt.current = performance.now()
    void cache.invalidateQueries({ queryKey: keys.dashboard })
    if (isOnFirstPage) void cache.invalidateQueries({ queryKey: keys.events })
  }
  useLive('analytics', () => {
    const wait = readAt.current + MIN_REFRESH_INTERVAL - performance.now()
    if (wait <= 0) read()
    else waiting.current ??= setTimeout(read, wait)
  })
}
