import type { InputOf } from '@limber/contract/kit/call.ts'
import {
  type BookingChange,
  followUpTicket,
  linkTickets,
  listWatched,
  markTicket,
  noteRefund,
  readTicketContext,
  requestBookingChange,
  type SplitTicket,
  splitTicket,
  unlinkTickets,
  watchTicket,
} from '@limber/contract/support/related/related.ts'
import { createTask, listMyTasks, setTaskDone } from '@limber/contract/support/tickets/ticket-task.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { queuesQuery } from '../queues/queue.api.ts'
import { cacheDetail, paramsOf, ticketKey, ticketListsKey } from '../tickets/ticket.api.ts'

/** Everything around a ticket. Live messages about the ticket refresh it, because its key begins with the ticket's. */
export const contextQuery = (ticketId: number) =>
  queryOptions({
    queryKey: [...ticketKey(ticketId), 'context'],
    queryFn: ({ signal }) => send(readTicketContext, paramsOf(ticketId), { signal }),
  })

export const readWatched = (signal: AbortSignal) => send(listWatched, {}, { signal })
export const readMyTasks = (signal: AbortSignal) => send(listMyTasks, {}, { signal })

/** A change around a ticket; the ticket and the lists are read again. */
function useChange<Input, Reply>(ticketId: number, change: (input: Input) => Promise<Reply>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      void cache.invalidateQueries({ queryKey: ticketKey(ticketId) })
      void cache.invalidateQueries({ queryKey: ticketListsKey })
    },
  })
}

export const useSplit = (id: number) =>
  useChange(id, (body: SplitTicket) => send(splitTicket, { ...paramsOf(id), body }))

export const useFollowUp = (id: number) => useChange(id, () => send(followUpTicket, { ...paramsOf(id), body: {} }))

export const useLink = (id: number) =>
  useChange(id, (body: { ticket: number }) => send(linkTickets, { ...paramsOf(id), body }))

export const useUnlink = (id: number) =>
  useChange(id, (other: number) => send(unlinkTickets, { params: { id: String(id), other: String(other) } }))

export const useWatch = (id: number) =>
  useChange(id, (watches: boolean) => send(watchTicket, { ...paramsOf(id), body: { watches } }))

/** Marks a ticket unread for this worker, or read again. */
export function useMarkUnread(id: number) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (isUnread: boolean) => send(markTicket, { ...paramsOf(id), body: { isUnread } }),
    onMutate: (isUnread) =>
      cache.setQueryData(
        queuesQuery.queryKey,
        (before) =>
          before && { ...before, unread: [...before.unread.filter((one) => one !== id), ...(isUnread ? [id] : [])] },
      ),
    onSettled: () => cache.invalidateQueries({ queryKey: queuesQuery.queryKey }),
  })
}

export const useCreateTask = (id: number) =>
  useChange(id, (body: InputOf<typeof createTask>['body']) => send(createTask, { ...paramsOf(id), body }))

export const useTaskDone = (id: number) =>
  useChange(id, ({ task, isDone }: { task: number; isDone: boolean }) =>
    send(setTaskDone, { params: { id: String(task) }, body: { isDone } }),
  )

export const useBookingChange = (id: number) =>
  useChange(id, (body: BookingChange) => send(requestBookingChange, { ...paramsOf(id), body }))

export function useRefundNote(id: number) {
  const cache = useQueryClient()
  return useChange(id, async (body: InputOf<typeof noteRefund>['body']) => {
    const ticket = await send(noteRefund, { ...paramsOf(id), body })
    cacheDetail(cache, ticket)
    return ticket
  })
}
