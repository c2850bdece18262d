import { createFeed, listFeeds, revokeFeed } from '@limber/contract/businesses/feeds/calendar-feed.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { businessesKey } from '../business/business.api.ts'

const feedsKey = [...businessesKey, 'feeds']

export const feedsQuery = queryOptions({
  queryKey: feedsKey,
  queryFn: ({ signal }) => send(listFeeds, {}, { signal }),
})

export function useCreateFeed() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof createFeed>['body']) => send(createFeed, { body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: feedsKey }),
  })
}

export function useRevokeFeed() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => send(revokeFeed, { params: { id: String(id) } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: feedsKey }),
  })
}
