import {
  type ChangePartner,
  changePartner,
  listPartners,
  listPastSessions,
  listUpcomingSessions,
  notePartner,
  type PartnerDetail,
  readPartner,
  type SendOutreach,
  sendOutreach,
} from '@limber/contract/growth/partners/partner.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { useRecordChange } from '#platform/api/record-change.ts'

/** The key prefix of all partner queries. The live topic `growth` invalidates it. */
export const partnersKey = ['growth', 'partners']

export const partnersQuery = (query: NonNullable<InputOf<typeof listPartners>['query']>) =>
  queryOptions({
    queryKey: [...partnersKey, 'list', query],
    queryFn: ({ signal }) => send(listPartners, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

type SessionsQuery = NonNullable<InputOf<typeof listPastSessions>['query']>

export const upcomingQuery = (query: SessionsQuery) =>
  queryOptions({
    queryKey: [...partnersKey, 'upcoming', query],
    queryFn: ({ signal }) => send(listUpcomingSessions, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

export const pastQuery = (query: SessionsQuery) =>
  queryOptions({
    queryKey: [...partnersKey, 'past', query],
    queryFn: ({ signal }) => send(listPastSessions, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

const oneKey = (id: number) => [...partnersKey, 'one', id]

export const partnerQuery = (id: number) =>
  queryOptions({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => send(readPartner, { params: { id: String(id) } }, { signal }),
  })

const usePartnerChange = <Input>(change: (input: Input) => Promise<PartnerDetail>) =>
  useRecordChange<typeof changePartner, Input>(change, ({ id }) => oneKey(id), partnersKey)

export const useChangePartner = (id: number) =>
  usePartnerChange((body: ChangePartner) => send(changePartner, { params: { id: String(id) }, body }))

export const useNotePartner = (id: number) =>
  usePartnerChange((body: { note: string }) => send(notePartner, { params: { id: String(id) }, body }))

export function useSendOutreach() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: SendOutreach) => send(sendOutreach, { body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: partnersKey }),
  })
}
