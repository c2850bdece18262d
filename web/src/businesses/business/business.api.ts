import {
  archiveBusiness,
  type Business,
  createBusiness,
  deleteBusiness,
  listBusinesses,
  readBusiness,
  restoreBusiness,
  updateBusiness,
} from '@limber/contract/businesses/business/business.ts'
import { listZones, type ZoneList } from '@limber/contract/businesses/zones/zone.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'

/** The key prefix of all queries of this area. The live topic `businesses` invalidates it. */
export const businessesKey = ['businesses']
export const businessKey = (id: number) => [...businessesKey, 'business', id]

type ListFilter = NonNullable<InputOf<typeof listBusinesses>['query']>

export const businessesQuery = (query: ListFilter) =>
  queryOptions({
    queryKey: [...businessesKey, 'list', query],
    queryFn: ({ signal }) => send(listBusinesses, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

export const businessQuery = (id: number) =>
  queryOptions({
    queryKey: [...businessKey(id), 'record'],
    queryFn: ({ signal }) => send(readBusiness, { params: { id: String(id) } }, { signal }),
  })

/** All zones, for a select. Loads page after page, because a large company has more than one page. */
export const zonesQuery = queryOptions({
  queryKey: [...businessesKey, 'zones', 'all'],
  queryFn: async ({ signal }) => {
    const zones: ZoneList['zones'] = []
    for (let page = 1; ; page += 1) {
      const reply = await send(listZones, { query: { page: String(page), limit: '1000' } }, { signal })
      zones.push(...reply.zones)
      if (page >= reply.pagination.totalPages) return { zones }
    }
  },
  staleTime: 60_000,
})

/** A mutation that reloads every list of this area. */
export function useChange<Input, Reply>(change: (input: Input) => Promise<Reply>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => void cache.invalidateQueries({ queryKey: businessesKey }),
  })
}

export const useCreateBusiness = () =>
  useChange((body: InputOf<typeof createBusiness>['body']) => send(createBusiness, { body }))

export function useUpdateBusiness() {
  const cache = useQueryClient()
  const keep = (saved: Business) => cache.setQueryData(businessQuery(saved.id).queryKey, saved)
  return useChange(async (body: InputOf<typeof updateBusiness>['body']) => {
    const saved = await send(updateBusiness, { body })
    keep(saved)
    return saved
  })
}

type Target = { id: number; version: number }

export const useDeleteBusiness = () => useChange((body: Target) => send(deleteBusiness, { body }))
export const useArchiveBusiness = () => useChange((body: Target) => send(archiveBusiness, { body }))
export const useRestoreBusiness = () => useChange((body: Target) => send(restoreBusiness, { body }))
