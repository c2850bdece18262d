import type { InputOf } from '@limber/contract/kit/call.ts'
import {
  assignTicket,
  countTickets,
  listTickets,
  listTicketWorkers,
  noteTicket,
  type RespondToTicket,
  readTicket,
  respondToTicket,
  setTicketPriority,
  setTicketStatus,
  type Ticket,
  type TicketDetail,
  type TicketPriority,
  type TicketStatus,
} from '@limber/contract/support/tickets/ticket.ts'
import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { CallFailure, currentOf } from '#platform/api/call-failure.ts'
import { now } from '#platform/clock.ts'

/** Lists, counts and the workers' open tickets: any ticket change can affect them. */
export const ticketListsKey = ['support', 'tickets']
export const rowsKey = [...ticketListsKey, 'rows']
const countsKey = [...ticketListsKey, 'counts']
export const ticketKey = (id: number) => ['support', 'ticket', id]

export const PAGE = 50

/** Adds the exact error text of the specification to a failed list. */
async function withListError<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof CallFailure) || error.code === 'not_json') throw error
    const { status, code, message, retryAfter } = error
    const text = `Failed to fetch tickets: ${status === 0 ? '' : `${status} `}${message}`
    throw new CallFailure(status, { error: text, code }, retryAfter)
  }
}

export const ticketsQuery = (query: NonNullable<InputOf<typeof listTickets>['query']>) =>
  queryOptions({
    queryKey: [...rowsKey, query],
    queryFn: ({ signal }) => withListError(send(listTickets, { query }, { signal })),
    placeholderData: keepPreviousData,
  })

export const ticketCountsQuery = (query: NonNullable<InputOf<typeof countTickets>['query']>) =>
  queryOptions({
    queryKey: [...countsKey, query],
    queryFn: ({ signal }) => withListError(send(countTickets, { query }, { signal })),
    placeholderData: keepPreviousData,
  })

export const ticketWorkersQuery = queryOptions({
  queryKey: [...ticketListsKey, 'workers'],
  queryFn: ({ signal }) => send(listTicketWorkers, {}, { signal }),
})

const POLL_FAST = 3_000
const POLL_SLOW = 30_000
const FRESH_FOR = 60_000

/** Polls while an email is being delivered; less often when it takes long because the mail server is down. */
function pollInterval(ticket: TicketDetail | undefined): number | false {
  const waiting = ticket?.messages.filter(({ delivery }) => delivery === 'waiting') ?? []
  const newest = waiting.at(-1)
  if (!newest) return false
  return now().getTime() - Date.parse(newest.createdAt) < FRESH_FOR ? POLL_FAST : POLL_SLOW
}

export const ticketQuery = (id: number) =>
  queryOptions({
    queryKey: ticketKey(id),
    queryFn: ({ signal }) => send(readTicket, { params: { id: String(id) } }, { signal }),
    refetchInterval: ({ state }) => pollInterval(state.data),
  })

/** Writes a changed ticket to all caches; the detail keeps its whole thread. */
function cacheTicket(cache: QueryClient, { messages, ...ticket }: Ticket): void {
  cache.setQueryData(ticketQuery(ticket.id).queryKey, (before) => before && { ...before, ...ticket })
  cache.setQueriesData<Ticket[]>({ queryKey: rowsKey }, (rows) =>
    rows?.map((row) => (row.id === ticket.id ? { ...row, ...ticket, messages } : row)),
  )
}

export const cacheDetail = (cache: QueryClient, ticket: TicketDetail) =>
  cache.setQueryData(ticketQuery(ticket.id).queryKey, ticket)

interface Change<Input, Body> {
  bodyOf: (input: Input, version: { version?: number }) => Body
  request: (body: Body) => Promise<Ticket>
  /** The expected result, shown until the server responds. */
  optimistic: (input: Input) => Partial<Ticket>
}

/** One change by the worker. Its body is built when its turn comes and reused for retries. */
interface Action<Input, Body> {
  input: Input
  body?: Body
}

/** An optimistic change that is rolled back when refused. Changes to one ticket run one after another. */
export function useTicketChange<Input, Body>(id: number, { bodyOf, request, optimistic }: Change<Input, Body>) {
  const cache = useQueryClient()
  const { queryKey } = ticketQuery(id)
  const { mutateAsync } = useMutation({
    scope: { id: `ticket-${id}` },
    mutationFn: (action: Action<Input, Body>) => {
      const version = cache.getQueryData(queryKey)?.version
      action.body ??= bodyOf(action.input, version === undefined ? {} : { version })
      return request(action.body)
    },
    onMutate: async ({ input }) => {
      await cache.cancelQueries({ queryKey })
      const before = cache.getQueryData(queryKey)
      if (before) cacheTicket(cache, { ...before, ...optimistic(input) })
      return before
    },
    onSuccess: (ticket) => cacheTicket(cache, ticket),
    onError: (error, _action, before) => {
      const current = currentOf<typeof setTicketStatus>(error) ?? before
      if (current) cacheTicket(cache, current)
    },
    onSettled: () => {
      void cache.invalidateQueries({ queryKey })
      void cache.invalidateQueries({ queryKey: ticketListsKey })
    },
  })
  return {
    mutateAsync: (input: Input) => mutateAsync({ input }),
  }
}

export const paramsOf = (id: number) => ({ params: { id: String(id) } })

export const useSetStatus = (id: number) =>
  useTicketChange(id, {
    bodyOf: (status: TicketStatus, version) => ({ status, ...version }),
    request: async (body) => (await send(setTicketStatus, { ...paramsOf(id), body })).ticket,
    optimistic: (status) => ({ status }),
  })

export const useSetPriority = (id: number) =>
  useTicketChange(id, {
    bodyOf: (priority: TicketPriority, version) => ({ priority, ...version }),
    request: (body) => send(setTicketPriority, { ...paramsOf(id), body }),
    optimistic: (priority) => ({ priority }),
  })

export const useAssign = (id: number) =>
  useTicketChange(id, {
    bodyOf: (worker: Ticket['assignee'], version) => ({ workerId: worker?.id ?? null, ...version }),
    request: (body) => send(assignTicket, { ...paramsOf(id), body }),
    optimistic: (assignee) => ({ assignee }),
  })

/** A reply or note. Both the response and the conflict contain the current ticket. */
function useThreadChange<Input>(change: (input: Input) => Promise<TicketDetail>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (ticket) => void cacheDetail(cache, ticket),
    onError: (error) => {
      const current = currentOf<typeof respondToTicket, 'replied_meanwhile'>(error, 'replied_meanwhile')
      if (current) cacheDetail(cache, current)
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ticketListsKey }),
  })
}

export const useRespond = (id: number) =>
  useThreadChange((body: RespondToTicket) => send(respondToTicket, { ...paramsOf(id), body }))

export const useNote = (id: number) =>
  useThreadChange((body: { content: string }) => send(noteTicket, { ...paramsOf(id), body }))
