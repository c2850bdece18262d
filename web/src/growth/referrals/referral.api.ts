import {
  listReferrals,
  type ReviewReferral,
  readReferral,
  readReferrals,
  reviewReferral,
} from '@limber/contract/growth/referrals/referral.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'

/** The key prefix of all referral queries. The live topic `growth` invalidates it. */
export const referralsKey = ['growth', 'referrals']

export const referralStatsQuery = queryOptions({
  queryKey: [...referralsKey, 'stats'],
  queryFn: ({ signal }) => send(readReferrals, {}, { signal }),
})

export type PeopleQuery = NonNullable<InputOf<typeof listReferrals>['query']>

export const peopleQuery = (query: PeopleQuery) =>
  queryOptions({
    queryKey: [...referralsKey, 'people', query],
    queryFn: ({ signal }) => send(listReferrals, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

const oneKey = (id: number) => [...referralsKey, 'one', id]

export const referralQuery = (id: number) =>
  queryOptions({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => send(readReferral, { params: { id: String(id) } }, { signal }),
  })

export function useReview(id: number) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: ReviewReferral) => send(reviewReferral, { params: { id: String(id) }, body }),
    onSettled: () => cache.invalidateQueries({ queryKey: referralsKey }),
  })
}
