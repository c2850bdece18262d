import type { InputOf, ReplyOf } from '@limber/contract/kit/call.ts'
import {
  addEarner,
  type EarnerList,
  type EarnerReply,
  listEarnerCandidates,
  listEarners,
  readEarner,
  recordProfile,
} from '@limber/contract/payroll/earners/earner.ts'
import { addEntry, cancelEntry, listUnpaidSessions } from '@limber/contract/payroll/entries/entry.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { payrollKey } from '../payroll.api.ts'

export type Earner = EarnerList['earners'][number]
export type Profile = EarnerReply['history'][number]
export type ProfileInput = InputOf<typeof recordProfile>['body']

export const earnersQuery = (query: NonNullable<InputOf<typeof listEarners>['query']>) =>
  queryOptions({
    queryKey: [...payrollKey, 'earners', query],
    queryFn: ({ signal }) => send(listEarners, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

export type Candidate = ReplyOf<typeof listEarnerCandidates>['candidates'][number]

export const candidatesQuery = (search: string) =>
  queryOptions({
    queryKey: [...payrollKey, 'earner-candidates', search],
    queryFn: ({ signal }) => send(listEarnerCandidates, { query: { search } }, { signal }),
    placeholderData: keepPreviousData,
  })

export function useAddEarner() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof addEarner>['body']) => send(addEarner, { body }),
    onSuccess: (earner) => cache.setQueryData(earnerKey(earner.id), earner),
    onSettled: () => cache.invalidateQueries({ queryKey: payrollKey }),
  })
}

const earnerKey = (id: number) => [...payrollKey, 'earner', id]

export const earnerQuery = (id: number) =>
  queryOptions({
    queryKey: earnerKey(id),
    queryFn: ({ signal }) => send(readEarner, { params: { id: String(id) } }, { signal }),
    enabled: id > 0,
  })

export const unpaidSessionsQuery = (id: number) =>
  queryOptions({
    queryKey: [...payrollKey, 'unpaid-sessions', id],
    queryFn: ({ signal }) => send(listUnpaidSessions, { params: { id: String(id) } }, { signal }),
  })

export type EntryInput = InputOf<typeof addEntry>['body']

export function useAddEntry() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: EntryInput) => send(addEntry, { body }),
    onSettled: () => cache.invalidateQueries({ queryKey: payrollKey }),
  })
}

export function useCancelEntry(id: number) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof cancelEntry>['body']) => send(cancelEntry, { params: { id: String(id) }, body }),
    onSettled: () => cache.invalidateQueries({ queryKey: payrollKey }),
  })
}

export function useRecordProfile(id: number) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: ProfileInput) => send(recordProfile, { params: { id: String(id) }, body }),
    onSuccess: (earner) => {
      cache.setQueryData(earnerKey(id), earner)
      void cache.invalidateQueries({ queryKey: payrollKey })
    },
  })
}
