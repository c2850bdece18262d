import type { InputOf } from '@limber/contract/kit/call.ts'
import {
  adjustCredits,
  blockUser,
  correctContact,
  eraseUser,
  exportUser,
  listDuplicates,
  mergeUsers,
  readContact,
  sendVerification,
  unblockUser,
} from '@limber/contract/support/customers/account.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { usersKey } from '../user.api.ts'

const params = (id: number) => ({ id: String(id) })

/** Always fresh: the form starts from the current values. */
export const contactQuery = (id: number) =>
  queryOptions({
    queryKey: [...usersKey, 'contact', id],
    queryFn: ({ signal }) => send(readContact, { params: params(id) }, { signal }),
    staleTime: 0,
  })

export const duplicatesQuery = (id: number) =>
  queryOptions({
    queryKey: [...usersKey, 'duplicates', id],
    queryFn: ({ signal }) => send(listDuplicates, { params: params(id) }, { signal }),
  })

/** An account action; it refreshes all customer queries whether it succeeds or fails. */
function useAction<Body, Reply>(act: (body: Body) => Promise<Reply>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSettled: () => cache.invalidateQueries({ queryKey: usersKey }),
  })
}

export const useBlock = (id: number) =>
  useAction((body: InputOf<typeof blockUser>['body']) => send(blockUser, { params: params(id), body }))
export const useUnblock = (id: number) =>
  useAction((body: InputOf<typeof unblockUser>['body']) => send(unblockUser, { params: params(id), body }))
export const useCredits = (id: number) =>
  useAction((body: InputOf<typeof adjustCredits>['body']) => send(adjustCredits, { params: params(id), body }))
export const useCorrectContact = (id: number) =>
  useAction((body: InputOf<typeof correctContact>['body']) => send(correctContact, { params: params(id), body }))
export const useVerification = (id: number) =>
  useAction((body: InputOf<typeof sendVerification>['body']) => send(sendVerification, { params: params(id), body }))
export const useMerge = (id: number) =>
  useAction((body: InputOf<typeof mergeUsers>['body']) => send(mergeUsers, { params: params(id), body }))
export const useErase = (id: number) =>
  useAction((body: InputOf<typeof eraseUser>['body']) => send(eraseUser, { params: params(id), body }))
export const useExport = (id: number) =>
  useMutation({
    mutationFn: (body: InputOf<typeof exportUser>['body']) => send(exportUser, { params: params(id), body }),
  })
