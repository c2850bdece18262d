import {
  allowImages,
  listDraftFiles,
  readMessageHtml,
  readTicketFile,
  removeTicketFile,
  uploadTicketFile,
} from '@limber/contract/support/files/ticket-file.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { addressOf, type SendOptions } from '#platform/api/request.ts'
import { ticketKey } from '../tickets/ticket.api.ts'

const at = (id: number) => ({ params: { id: String(id) } })

/** Where a file is shown, or downloaded under its name. */
export const fileUrl = (id: number) => addressOf(readTicketFile, at(id))
export const downloadUrl = (id: number) => addressOf(readTicketFile, { ...at(id), query: { download: '1' } })
export const htmlUrl = (messageId: number) => addressOf(readMessageHtml, at(messageId))

export const draftFilesQuery = (ticketId: number) =>
  queryOptions({
    queryKey: [...ticketKey(ticketId), 'draft-files'],
    queryFn: ({ signal }) => send(listDraftFiles, at(ticketId), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const uploadFile = (ticketId: number, file: File, options: SendOptions) =>
  send(uploadTicketFile, { ...at(ticketId), body: { file } }, options)

export const removeFile = (id: number) => send(removeTicketFile, at(id))

export function useAllowImages(ticketId: number, messageId: number) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (isAllowed: boolean) => send(allowImages, { ...at(ticketId), body: { messageId, isAllowed } }),
    onSettled: () => cache.invalidateQueries({ queryKey: ticketKey(ticketId) }),
  })
}
