import type { InputOf } from '@limber/contract/kit/call.ts'
import {
  createSuggestion,
  deleteSuggestion,
  listSuggestions,
  readSuggestion,
  reviewSuggestion,
} from '@limber/contract/support/suggestions/kb-suggestion.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { withFailurePrefix } from '#platform/api/prefix-failure.ts'

/** Prefix of all suggestion queries; the live topic `suggestions` refreshes them. */
export const suggestionsKey = ['support', 'suggestions']
const params = (id: number) => ({ id: String(id) })

export const suggestionsQuery = (query: NonNullable<InputOf<typeof listSuggestions>['query']>) =>
  queryOptions({
    queryKey: [...suggestionsKey, 'list', query],
    queryFn: ({ signal }) => send(listSuggestions, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

export const suggestionQuery = (id: number) =>
  queryOptions({
    queryKey: [...suggestionsKey, 'one', id],
    queryFn: async ({ signal }) => (await send(readSuggestion, { params: params(id) }, { signal })).data,
  })

function useChange<Input, Reply>(change: (input: Input) => Promise<Reply>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => cache.invalidateQueries({ queryKey: suggestionsKey }),
  })
}

export const useCreateSuggestion = () =>
  useChange((body: InputOf<typeof createSuggestion>['body']) =>
    withFailurePrefix('Failed to create suggestion', send(createSuggestion, { body })),
  )

export const useReviewSuggestion = (id: number) =>
  useChange(async (body: InputOf<typeof reviewSuggestion>['body']) => {
    const { data } = await withFailurePrefix(
      'Failed to review suggestion',
      send(reviewSuggestion, { params: params(id), body }),
    )
    return data
  })

export const useDeleteSuggestion = () =>
  useChange((input: InputOf<typeof deleteSuggestion>) => send(deleteSuggestion, input))
