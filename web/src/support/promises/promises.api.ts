import type { InputOf } from '@limber/contract/kit/call.ts'
import { readPromises, type SavedPromises, savePromises } from '@limber/contract/support/promises/promise.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'

/** The live topic `promises` refreshes it. */
export const promisesKey = ['support', 'promises']

export const promisesQuery = queryOptions({
  queryKey: promisesKey,
  queryFn: ({ signal }) => send(readPromises, {}, { signal }),
})

export const useSavePromises = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof savePromises>['body']) => send(savePromises, { body }),
    onSuccess: (saved: SavedPromises) => cache.setQueryData(promisesKey, saved),
  })
}
