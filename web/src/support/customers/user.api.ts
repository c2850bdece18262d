import type { InputOf } from '@limber/contract/kit/call.ts'
import { listUsers } from '@limber/contract/support/customers/customer.ts'
import { addNote, listNotes } from '@limber/contract/support/customers/note.ts'
import {
  listUserBookings,
  listUserRewards,
  listUserTickets,
  listUserTransactions,
  readUser,
  readUserAnalytics,
} from '@limber/contract/support/customers/user.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { withFailurePrefix } from '#platform/api/prefix-failure.ts'
import type { UserSearch } from './user-search.ts'

/** Prefix of all customer queries; the live topic `customers` refreshes them. */
export const usersKey = ['support', 'users']
const userKey = (id: number) => [...usersKey, 'one', id]
const params = (id: number) => ({ id: String(id) })

export const usersQuery = (query: NonNullable<InputOf<typeof listUsers>['query']>) =>
  queryOptions({
    queryKey: [...usersKey, 'list', query],
    queryFn: ({ signal }) => send(listUsers, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

const PER_PAGE = 20

/** The page of the list that a search shows. */
export const listOf = ({ page, status, q }: Pick<UserSearch, 'page' | 'status' | 'q'>) => ({
  ...{ page: String(page), limit: String(PER_PAGE), status },
  ...(q ? { search: q } : {}),
})

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: [...userKey(id), 'detail'],
    queryFn: ({ signal }) => send(readUser, { params: params(id) }, { signal }),
  })

export const userTicketsKey = [...usersKey, 'tickets']
export const userTicketsQuery = (id: number) =>
  queryOptions({
    queryKey: [...userTicketsKey, id],
    queryFn: ({ signal }) => send(listUserTickets, { params: params(id) }, { signal }),
  })

export const userRewardsQuery = (id: number) =>
  queryOptions({
    queryKey: [...userKey(id), 'rewards'],
    queryFn: ({ signal }) => send(listUserRewards, { params: params(id) }, { signal }),
  })

export const userAnalyticsQuery = (id: number) =>
  queryOptions({
    queryKey: [...userKey(id), 'analytics'],
    queryFn: ({ signal }) => send(readUserAnalytics, { params: params(id) }, { signal }),
  })

export const PAGE_SIZE = 50
const pageOf = (page: number) => ({ page: String(page), limit: String(PAGE_SIZE) })

export const userTransactionsQuery = (id: number, page = 1) =>
  queryOptions({
    queryKey: [...userKey(id), 'transactions', page],
    queryFn: ({ signal }) => send(listUserTransactions, { params: params(id), query: pageOf(page) }, { signal }),
  })

export const userBookingsQuery = (id: number, page = 1) =>
  queryOptions({
    queryKey: [...userKey(id), 'bookings', page],
    queryFn: ({ signal }) => send(listUserBookings, { params: params(id), query: pageOf(page) }, { signal }),
  })

const notesKey = (id: number) => [...userKey(id), 'notes']

export const notesQuery = (id: number) =>
  queryOptions({
    queryKey: notesKey(id),
    queryFn: ({ signal }) => send(listNotes, { params: params(id) }, { signal }),
  })

export function useAddNote(id: number) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof addNote>['body']) =>
      withFailurePrefix('Failed to add note', send(addNote, { params: params(id), body })),
    onSuccess: () => cache.invalidateQueries({ queryKey: notesKey(id) }),
  })
}
