import { readCitySummary } from '@limber/contract/growth/map/city.ts'
import { readBasemap, readMap } from '@limber/contract/growth/map/map.ts'
import { readHealthOverview, readHealthTrends } from '@limber/contract/growth/overview/health.ts'
import { type ChangeTask, changeTask, createTask, listTaskAssignees } from '@limber/contract/growth/tasks/task.ts'
import type { GrowthRange } from '@limber/contract/growth/values.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { hashKey, keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { useLiveRefresh } from '#platform/live/live.ts'

const all = ['growth'] as const
const keys = {
  overview: [...all, 'overview'] as const,
  trends: [...all, 'trends'] as const,
  map: [...all, 'map'] as const,
  city: [...all, 'city'] as const,
}

export const useOverview = (range: GrowthRange) =>
  useQuery({
    queryKey: [...keys.overview, range],
    queryFn: ({ signal }) => send(readHealthOverview, { query: { range } }, { signal }),
    placeholderData: keepPreviousData,
  })

export const useTrends = (range: GrowthRange) =>
  useQuery({
    queryKey: [...keys.trends, range],
    queryFn: ({ signal }) => send(readHealthTrends, { query: { range } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** Zones in a bounding box; all zones without one. A new box cancels the previous request. */
export const useMap = (range: GrowthRange, bbox: string | undefined, isReady: boolean) =>
  useQuery({
    queryKey: [...keys.map, range, bbox],
    queryFn: ({ signal }) => send(readMap, { query: { range, ...(bbox && { bbox }) } }, { signal }),
    placeholderData: keepPreviousData,
    enabled: isReady,
  })

export const useBasemap = (isNeeded = true) =>
  useQuery({
    enabled: isNeeded,
    queryKey: [...all, 'basemap'],
    queryFn: ({ signal }) => send(readBasemap, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** A zone by id, a city outside every zone, or a place by the name in a task. */
export type Chosen = { zoneId: string } | { city: string } | { place: string }

export const useCity = (range: GrowthRange, chosen: Chosen | undefined) =>
  useQuery({
    queryKey: [...keys.city, range, chosen],
    enabled: chosen !== undefined,
    queryFn: ({ signal }) => send(readCitySummary, { query: { range, ...chosen } }, { signal }),
    // Keep the previous data only for the same place in another range, so that one place never shows the data of another.
    placeholderData: (before, query) => (hashKey([query?.queryKey.at(-1)]) === hashKey([chosen]) ? before : undefined),
  })

export const useAssignees = () =>
  useQuery({
    queryKey: [...all, 'assignees'],
    queryFn: ({ signal }) => send(listTaskAssignees, {}, { signal }),
  })

export function useCreateTask() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof createTask>['body']) => send(createTask, { body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.city }),
  })
}

export function useChangeTask() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: ChangeTask & { id: number }) =>
      send(changeTask, { params: { id: String(id) }, body }),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.city }),
  })
}

/** Reloads when figures are recalculated or a task changes. */
export const useLiveGrowth = () => useLiveRefresh('growth', all)
