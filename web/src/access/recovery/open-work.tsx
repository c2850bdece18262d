import { listTasks } from '@limber/contract/growth/tasks/task.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { countTickets, type TicketStatus } from '@limber/contract/support/tickets/ticket.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { send } from '#platform/api/api.ts'
import { linkTo } from '#platform/routing/links.ts'
import { useCan } from '#platform/session/session.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { accessKey } from '../access.api.ts'

const countOf = (status: TicketStatus, assignee: string, signal: AbortSignal) =>
  send(countTickets, { query: { status, assignee } }, { signal })

/** Counts are capped, but far above what one person has. */
const ticketsOf = (id: number, enabled: boolean) =>
  queryOptions({
    queryKey: [...accessKey, 'tickets of', id],
    queryFn: async ({ signal }) => {
      const counts = await Promise.all([
        countOf('open', String(id), signal),
        countOf('in_progress', String(id), signal),
      ])
      return counts.reduce((sum, { matching }) => sum + matching, 0)
    },
    enabled,
  })

const tasksOf = (id: number, enabled: boolean) =>
  queryOptions({
    queryKey: [...accessKey, 'tasks of', id],
    queryFn: async ({ signal }) => {
      const query = { status: 'open', assignee: String(id), limit: '1' } as const
      return (await send(listTasks, { query }, { signal })).pagination.totalItems
    },
    enabled,
  })

/** Open work that stays assigned to a disabled worker, as far as the reader may see it. */
export function OpenWork({ workerId, name }: { workerId: number; name: string }) {
  const { data: tickets = 0 } = useQuery(ticketsOf(workerId, useCan('tickets.handle')))
  const { data: tasks = 0 } = useQuery(tasksOf(workerId, useCan('growth.tab')))
  if (tickets + tasks === 0) return null
  return (
    <Banner kind="amber">
      {tickets > 0 && (
        <Link {...linkTo('/support/tickets', { assignee: String(workerId) })}>{pluralize(tickets, 'open ticket')}</Link>
      )}
      {tickets > 0 && tasks > 0 && ' and '}
      {tasks > 0 && <Link {...linkTo('/growth/team')}>{pluralize(tasks, 'open task')}</Link>} will stay assigned to{' '}
      {name} until someone reassigns them.
    </Banner>
  )
}
