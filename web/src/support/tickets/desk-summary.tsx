import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { TicketQueue } from '@limber/contract/support/tickets/ticket.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { linkTo } from '#platform/routing/links.ts'
import { MasterSummary, SummaryList } from '#ui/layout/master-summary.tsx'
import { queuesQuery } from '../queues/queue.api.ts'
import { queueLabels } from '../queues/queue-labels.ts'

const notes: Record<TicketQueue, string> = {
  breaching: 'Promises with little time left.',
  mine: 'Assigned to you and not closed.',
  unassigned: 'No one has taken them yet.',
  waiting: 'Customers who wait for a reply, the longest wait first.',
  high: 'Open with high priority.',
  snoozed: 'They come back by themselves.',
  watching: 'You hear of every change.',
}

/** The queues of the desk with their numbers, most urgent first. */
export function DeskSummary() {
  const { data } = useQuery(queuesQuery)
  return (
    <MasterSummary title="Select a ticket to view details">
      {data && (
        <SummaryList
          title="Queues"
          rows={(Object.keys(notes) as TicketQueue[]).map((queue) => ({
            id: queue,
            name: <Link {...linkTo('/support/tickets', { queue })}>{queueLabels[queue]}</Link>,
            value: formatInteger(data.queues[queue]),
            note: notes[queue],
          }))}
          none=""
        />
      )}
    </MasterSummary>
  )
}
