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

/** Everything of the error log begins with this key; the live topic `errors` reads it again. */
export const errorsKey = ['tech', 'errors']
const groupKey = (id: number) => [...errorsKey, 'group', id]

const MINUTE = 60_000

export const errorsQuery = (query: NonNullable<InputOf<typeof listErrors>['query']>) =>
  queryOptions({
    queryKey: [...errorsKey, 'list', query],
    queryFn: ({ signal }) => send(listErrors, { query }, { signal }),
    placeholderData: keepPreviousData,
    // Time passes although nothing happens.
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
      // Somebody was quicker: what stands behind the form is read again, the form keeps what was typed.
      if (error instanceof CallFailure && error.status === 409) void cache.invalidateQueries({ queryKey: errorsKey })
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: errorsKey }),
  })
}

export const useHandleError = (id: number) =>
  useErrorChange((body) => send(handleErrorGroup, { params: { id: String(id) }, body }))
export const useReopenError = (id: number) =>
  useErrorChange((body) => send(reopenErrorGroup, { params: { id: String(id) }, body }))
