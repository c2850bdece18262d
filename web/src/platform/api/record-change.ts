import type { CallDefinition, CurrentOf } from '@limber/contract/kit/call.ts'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { currentOf } from './call-failure.ts'

/** Changes one record. Both the reply and a stale refusal carry the current record, which goes into the cache. */
export function useRecordChange<C extends CallDefinition, Input>(
  change: (input: Input) => Promise<CurrentOf<C, 'stale'>>,
  keyOf: (record: CurrentOf<C, 'stale'>) => QueryKey,
  /** The queries to refetch afterwards. */
  queryKey: QueryKey,
) {
  const cache = useQueryClient()
  const keep = (record: CurrentOf<C, 'stale'>) => void cache.setQueryData(keyOf(record), record)
  return useMutation({
    mutationFn: change,
    onSuccess: keep,
    onError: (error) => {
      const current = currentOf<C>(error)
      if (current) keep(current)
    },
    onSettled: () => cache.invalidateQueries({ queryKey }),
  })
}
