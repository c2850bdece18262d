import type { Timeframe } from '@limber/contract/analytics/events/event.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import {
  type ErrorGroup,
  handleErrorGroup,
  listErrors,
  listOccurrences,
  readErrorGroup,
  reopenErrorGroup,
} from '@limber/contract/tech/errors/error-log.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { CallFailure } from '#platform/api/call-failure.ts'

/** Prefix of all error log query keys. The live topic `errors` invalidates them. */
export const errorsKey = ['tech', 'errors']
const groupKey = (id: number) => [...errorsKey, 'group', id]

const MINUTE = 60_000

export const errorsQuery = (query: NonNullable<InputOf<typeof listErrors>['query']>) =>
  queryOptions({
    queryKey: [...errorsKey, 'list', query],
    queryFn: ({ signal }) => send(listErrors, { query }, { signal }),
    placeholderData: keepPreviousData,
    // The timeframe moves even without new errors.
    refetchInterval: MINUTE,
  })

export const errorGroupQuery = (id: number, timeframe: Timeframe) =>
  queryOptions({
    queryKey: [...groupKey(id), timeframe],
    queryFn: ({ signal }) => send(readErrorGroup, { params: { id: String(id) }, query: { timeframe } }, { signal }),
  })

export const occurrencesQuery = (id: number, before: string) =>
  queryOptions({
    queryKey: [...groupKey(id), 'occurrences', before],
    queryFn: ({ signal }) =>
      send(listOccurrences, { params: { id: String(id) }, query: before ? { before } : {} }, { signal }),
    placeholderData: keepPreviousData,
  })

type Note = InputOf<typeof handleErrorGroup>['body']

function useErrorChange(change: (note: Note) => Promise<ErrorGroup>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onError: (error) => {
      // Someone else changed the group: reload it behind the form, which keeps its input.
      if (error instanceof CallFailure && error.status === 409) void cache.invalidateQueries({ queryKey: errorsKey })
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: errorsKey }),
  })
}

export const useHandleError = (id: number) =>
  useErrorChange((body) => send(handleErrorGroup, { params: { id: String(id) }, body }))
export const useReopenError = (id: number) =>
  useErrorChange((body) => send(reopenErrorGroup, { params: { id: String(id) }, body }))
