import type { InputOf } from '@limber/contract/kit/call.ts'
import { previewMacro } from '@limber/contract/support/saved-replies/macro.ts'
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
  queryKey: [...savedRepliesKey, 'list'],
  queryFn: ({ signal }) => send(listSavedReplies, {}, { signal }),
})

/** What the actions would do to a ticket now. Never shown from an earlier opening. */
export const macroPreviewQuery = (ticket: number, reply: number) =>
  queryOptions({
    queryKey: [...savedRepliesKey, 'preview', ticket, reply],
    queryFn: ({ signal }) => send(previewMacro, { params: { id: String(ticket), reply: String(reply) } }, { signal }),
    gcTime: 0,
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
