import type { InputOf } from '@limber/contract/kit/call.ts'
import {
  createView,
  deleteView,
  listQueues,
  type TicketView,
  updateView,
} from '@limber/contract/support/queues/queue.ts'
import { createTag, listTags, removeTag, renameTag } from '@limber/contract/support/queues/tag.ts'
import type { TicketQueue } from '@limber/contract/support/tickets/ticket.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { ticketListsKey } from '../tickets/ticket.api.ts'
import type { TicketSearch } from '../tickets/ticket-search.ts'

// Under the key of the lists: the live topic `tickets` refreshes them too.
export const queuesQuery = queryOptions({
  queryKey: [...ticketListsKey, 'queues'],
  queryFn: ({ signal }) => send(listQueues, {}, { signal }),
})

export const tagsQuery = queryOptions({
  queryKey: [...ticketListsKey, 'tags'],
  queryFn: ({ signal }) => send(listTags, {}, { signal }),
})

function useChange<Input, Reply>(change: (input: Input) => Promise<Reply>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => cache.invalidateQueries({ queryKey: ticketListsKey }),
  })
}

const paramsOf = (id: number) => ({ params: { id: String(id) } })

export const useCreateView = () => useChange((body: InputOf<typeof createView>['body']) => send(createView, { body }))
export const useUpdateView = (id: number) =>
  useChange((body: InputOf<typeof updateView>['body']) => send(updateView, { ...paramsOf(id), body }))
export const useDeleteView = () => useChange((id: number) => send(deleteView, paramsOf(id)))

export const useCreateTag = () => useChange((body: InputOf<typeof createTag>['body']) => send(createTag, { body }))
export const useRenameTag = (id: number) =>
  useChange((body: InputOf<typeof renameTag>['body']) => send(renameTag, { ...paramsOf(id), body }))
export const useRemoveTag = (id: number) =>
  useChange((body: InputOf<typeof removeTag>['body']) => send(removeTag, { ...paramsOf(id), body }))

export type ViewFilter = Pick<TicketView, 'queue' | 'status' | 'priority' | 'kind' | 'assignee' | 'tag'>
type ScreenFilter = Omit<ViewFilter, 'queue'> & { queue: TicketQueue | null }

/** The filter of the screen without its search. */
const screenFilterOf = ({ queue, status, priority, kind, assignee, tag }: TicketSearch): ScreenFilter => ({
  queue: queue || null,
  status: status || null,
  priority: priority || null,
  // Tickets without a kind are a figure of the report, which views do not keep.
  kind: kind === 'none' ? null : kind || null,
  assignee: assignee || null,
  tag: tag || null,
})

/** The filter of the screen as a view stores it; undefined for the queue of watched tickets, which views do not have. */
export function viewFilterOf(search: TicketSearch): ViewFilter | undefined {
  const { queue, ...rest } = screenFilterOf(search)
  return queue === 'watching' ? undefined : { queue, ...rest }
}

/** The URL parameters that show a view or queue; everything that it does not filter by is cleared. */
export const searchOf = (filter: Partial<ScreenFilter>): Omit<TicketSearch, 'ticket'> => ({
  queue: filter.queue ?? '',
  status: filter.status ?? '',
  priority: filter.priority ?? '',
  kind: filter.kind ?? '',
  assignee: filter.assignee ?? '',
  tag: filter.tag ?? 0,
  q: '',
  figure: '',
  from: '',
  to: '',
  channel: '',
  page: 1,
})

/** Whether the screen shows exactly this filter. */
export const isShown = (search: TicketSearch, filter: Partial<ScreenFilter>): boolean => {
  const now = screenFilterOf(search)
  return (
    search.q === '' &&
    search.figure === '' &&
    search.channel === '' &&
    (Object.keys(now) as (keyof ScreenFilter)[]).every((key) => now[key] === (filter[key] ?? null))
  )
}
