import type { InputOf } from '@limber/contract/kit/call.ts'
import {
  countIntegrations,
  type Delivery,
  discardDelivery,
  listIntegrations,
  readDelivery,
  readInbound,
  retryDelivery,
} from '@limber/contract/tech/integrations/integration.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'

/** Prefix of all integration query keys. The live topic `integrations` invalidates them. */
export const integrationsKey = ['tech', 'integrations']

export const integrationsQuery = (query: NonNullable<InputOf<typeof listIntegrations>['query']>) =>
  queryOptions({
    queryKey: [...integrationsKey, 'list', query],
    queryFn: ({ signal }) => send(listIntegrations, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

export const integrationCountsQuery = queryOptions({
  queryKey: [...integrationsKey, 'counts'],
  queryFn: ({ signal }) => send(countIntegrations, {}, { signal }),
})

const deliveryKey = (id: number) => [...integrationsKey, 'delivery', id]

export const deliveryQuery = (id: number) =>
  queryOptions({
    queryKey: deliveryKey(id),
    queryFn: ({ signal }) => send(readDelivery, { params: { id: String(id) } }, { signal }),
  })

export const inboundQuery = (id: number) =>
  queryOptions({
    queryKey: [...integrationsKey, 'inbound', id],
    queryFn: ({ signal }) => send(readInbound, { params: { id: String(id) } }, { signal }),
  })

/** Changes a delivery and caches the reply, which is the updated delivery. */
function useDeliveryChange<Input>(id: number, change: (input: Input) => Promise<Delivery>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (delivery) => void cache.setQueryData(deliveryKey(id), delivery),
    onSettled: () => cache.invalidateQueries({ queryKey: integrationsKey }),
  })
}

export const useRetry = (id: number) =>
  useDeliveryChange(id, () => send(retryDelivery, { params: { id: String(id) }, body: {} }))
export const useDiscard = (id: number) =>
  useDeliveryChange(id, (body: InputOf<typeof discardDelivery>['body']) =>
    send(discardDelivery, { params: { id: String(id) }, body }),
  )
