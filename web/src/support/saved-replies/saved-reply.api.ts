import type { InputOf } from '@limber/contract/kit/call.ts'
import {
  createSavedReply,
  deleteSavedReply,
  listSavedReplies,
  updateSavedReply,
} from '@limber/contract/support/saved-replies/saved-reply.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'

/** The live topic `saved-replies` refreshes it. */
export const savedRepliesKey = ['support', 'saved-replies']

export const savedRepliesQuery = queryOptions({
  queryKey: savedRepliesKey,
  queryFn: ({ signal }) => send(listSavedReplies, {}, { signal }),
})

function useChange<Input, Reply>(change: (input: Input) => Promise<Reply>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => cache.invalidateQueries({ queryKey: savedRepliesKey }),
  })
}

export const useCreateReply = () =>
  useChange((body: InputOf<typeof createSavedReply>['body']) => send(createSavedReply, { body }))

export const useUpdateReply = (id: number) =>
  useChange((body: InputOf<typeof updateSavedReply>['body']) =>
    send(updateSavedReply, { params: { id: String(id) }, body }),
  )

export const useDeleteReply = () => useChange((id: number) => send(deleteSavedReply, { params: { id: String(id) } }))
