import { checkHealth, readHealth } from '@limber/contract/tech/health/health.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'

/** The live topic `health` invalidates it. */
export const healthKey = ['tech', 'health']

const MINUTE = 60_000

export const healthQuery = queryOptions({
  queryKey: healthKey,
  queryFn: ({ signal }) => send(readHealth, {}, { signal }),
  // If the checks stop, no live update arrives, so poll.
  refetchInterval: MINUTE,
})

export function useCheckHealth() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => send(checkHealth, { body: {} }),
    onSuccess: (health) => void cache.setQueryData(healthKey, health),
  })
}
