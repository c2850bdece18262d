import { createZone, deleteZone, listZones, readZone, updateZone } from '@limber/contract/businesses/zones/zone.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { businessesKey, useChange } from '../business/business.api.ts'

export const zoneListQuery = (search: string) =>
  queryOptions({
    queryKey: [...businessesKey, 'zones', search],
    queryFn: ({ signal }) => send(listZones, { query: search ? { search } : {} }, { signal }),
    placeholderData: keepPreviousData,
  })

export const zoneQuery = (id: number) =>
  queryOptions({
    queryKey: [...businessesKey, 'zone', id],
    queryFn: ({ signal }) => send(readZone, { params: { id: String(id) } }, { signal }),
  })

export const useCreateZone = () => useChange((body: InputOf<typeof createZone>['body']) => send(createZone, { body }))
export const useUpdateZone = () => useChange((body: InputOf<typeof updateZone>['body']) => send(updateZone, { body }))
export const useDeleteZone = () => useChange((body: InputOf<typeof deleteZone>['body']) => send(deleteZone, { body }))
