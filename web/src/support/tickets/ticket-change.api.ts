import type { InputOf } from '@limber/contract/kit/call.ts'
import {
  type ChangedTickets,
  type ChangeTickets,
  changeTicket,
  changeTickets,
  createTicket,
  mergeTicket,
  type Ticket,
  type TicketChange,
} from '@limber/contract/support/tickets/ticket.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import {
  cacheDetail,
  paramsOf,
  rowsKey,
  ticketKey,
  ticketListsKey,
  ticketQuery,
  ticketWorkersQuery,
  useTicketChange,
} from './ticket.api.ts'

/** What can be shown before the server responds: names of new tags are not known here. */
function expectedPart(change: TicketChange): Partial<Ticket> {
  if ('kind' in change) return change
  if ('snooze' in change) return { snoozed: change.snooze }
  return {}
}

/** Kind, tags and snoozing of one ticket. */
export const useChangeTicket = (id: number) =>
  useTicketChange(id, {
    bodyOf: (change: TicketChange, version) => ({ change, ...version }),
    request: (body) => send(changeTicket, { ...paramsOf(id), body }),
    optimistic: expectedPart,
  })

/** The part of a ticket that a bulk change sets, with the assignee's name from `workers`. */
function changedPart({ change }: ChangeTickets, workers: readonly Named[]): Partial<Ticket> {
  if ('workerId' in change) return { assignee: workers.find(({ id }) => id === change.workerId) ?? null }
  return 'status' in change || 'priority' in change ? change : expectedPart(change)
}

type Named = NonNullable<Ticket['assignee']>

/** Writes a bulk change to the caches, so that the next change uses the new versions. */
function cacheChanged(cache: QueryClient, part: Partial<Ticket>, { tickets }: ChangedTickets): void {
  const versions = new Map(tickets.map(({ id, version }) => [id, version]))
  const changed = <T extends Ticket>(ticket: T): T => {
    const version = versions.get(ticket.id)
    return version === undefined ? ticket : { ...ticket, ...part, version }
  }
  cache.setQueriesData<Ticket[]>({ queryKey: rowsKey }, (rows) => rows?.map(changed))
  for (const { id } of tickets)
    cache.setQueryData(ticketQuery(id).queryKey, (before) => (before ? changed(before) : before))
}

/** One change to many tickets. Tickets that someone else changed are left unchanged. */
export function useChangeTickets() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: ChangeTickets) => send(changeTickets, { body }),
    onSuccess: (reply, body) => {
      const workers = cache.getQueryData(ticketWorkersQuery.queryKey) ?? []
      const named = workers.map(({ id, name }) => ({ id, name }))
      cacheChanged(cache, changedPart(body, named), reply)
    },
    onSettled: (_reply, _error, { tickets }) => {
      void cache.invalidateQueries({ queryKey: ticketListsKey })
      for (const { id } of tickets) void cache.invalidateQueries({ queryKey: ticketKey(id) })
    },
  })
}

export function useMerge(id: number) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof mergeTicket>['body']) => send(mergeTicket, { ...paramsOf(id), body }),
    onSuccess: (ticket) => void cacheDetail(cache, ticket),
    onSettled: () => {
      void cache.invalidateQueries({ queryKey: ticketKey(id) })
      void cache.invalidateQueries({ queryKey: ticketListsKey })
    },
  })
}

export function useCreateTicket() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof createTicket>['body']) => send(createTicket, { body }),
    onSettled: () => cache.invalidateQueries({ queryKey: ticketListsKey }),
  })
}
