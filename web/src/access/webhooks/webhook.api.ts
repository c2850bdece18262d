import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  readDelivery,
  redeliver,
  redeliverFailed,
  rotateWebhook,
  testWebhook,
  updateWebhook,
} from '@limber/contract/access/webhooks/webhook.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { useSecretMutation } from '../secrets/use-secret-mutation.ts'

/** The live topic `webhooks` refreshes it. */
export const webhooksKey = ['webhooks']

export type Shown = 'all' | 'open' | 'delivered'

const idOf = (id: number) => ({ id: String(id) })

export const webhooksQuery = queryOptions({
  queryKey: [...webhooksKey, 'list'],
  queryFn: ({ signal }) => send(listWebhooks, {}, { signal }),
})

export const deliveriesQuery = (id: number, show: Shown) =>
  infiniteQueryOptions({
    queryKey: [...webhooksKey, 'deliveries', id, show],
    queryFn: ({ signal, pageParam }) =>
      send(
        listDeliveries,
        { params: idOf(id), query: { show, ...(pageParam > 0 && { before: String(pageParam) }) } },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: ({ deliveries, hasMore }) => (hasMore ? deliveries.at(-1)?.id : undefined),
  })

export const deliveryQuery = (id: number, deliveryId: number) =>
  queryOptions({
    queryKey: [...webhooksKey, 'delivery', id, deliveryId],
    queryFn: ({ signal }) =>
      send(readDelivery, { params: { ...idOf(id), deliveryId: String(deliveryId) } }, { signal }),
  })

const useChange = <Input, Reply>(change: (input: Input) => Promise<Reply>) => useSecretMutation(webhooksKey, change)

export const useCreateEndpoint = () =>
  useChange((body: InputOf<typeof createWebhook>['body']) => send(createWebhook, { body }))

export const useUpdateEndpoint = (id: number) =>
  useChange((body: InputOf<typeof updateWebhook>['body']) => send(updateWebhook, { params: idOf(id), body }))

export const useRotateSecret = (id: number) =>
  useChange((body: InputOf<typeof rotateWebhook>['body']) => send(rotateWebhook, { params: idOf(id), body }))

export const useDeleteEndpoint = () => useChange((id: number) => send(deleteWebhook, { params: idOf(id) }))

export const useSendTest = (id: number) => useChange(() => send(testWebhook, { params: idOf(id) }))

export const useRedeliver = (id: number) =>
  useChange((deliveryId: number) => send(redeliver, { params: { ...idOf(id), deliveryId: String(deliveryId) } }))

export const useRedeliverFailed = (id: number) =>
  useChange((since: string) => send(redeliverFailed, { params: idOf(id), body: { since } }))
