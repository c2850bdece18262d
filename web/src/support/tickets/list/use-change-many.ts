import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { ChangedTickets, Ticket, TicketChange } from '@limber/contract/support/tickets/ticket.ts'
import { useQuery } from '@tanstack/react-query'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { doneWords, leftWords, undoOf } from '../change-words.ts'
import { ticketWorkersQuery, useChangeTickets } from '../ticket.api.ts'

const UNDO_LASTS = 10_000

/** Changes many tickets and shows the result with Undo. The toast can outlive the list. */
export function useChangeMany() {
  const { mutateAsync, isPending } = useChangeTickets()
  const { data: workers = [] } = useQuery(ticketWorkersQuery)

  const putBack = async (before: readonly Ticket[], change: TicketChange, reply: ChangedTickets) => {
    const refused: ChangedTickets['refused'] = []
    try {
      for (const body of undoOf(before, change, reply)) refused.push(...(await mutateAsync(body)).refused)
    } catch (error) {
      return void toastFailure('It could not be undone', error)
    }
    if (refused.length === 0) return void toast(`Undone for ${pluralize(reply.changed, 'ticket')}.`)
    toastFailure(`Not undone for ${pluralize(refused.length, 'ticket')}`, undefined, { detail: leftWords(refused) })
  }

  const tell = (before: readonly Ticket[], wanted: TicketChange, reply: ChangedTickets) => {
    const { changed, refused } = reply
    const assignee = 'workerId' in wanted ? workers.find(({ id }) => id === wanted.workerId)?.name : undefined
    const done = doneWords(wanted, changed, assignee)
    const undo = changed > 0 && { action: { label: 'Undo', run: () => void putBack(before, wanted, reply) } }
    if (refused.length === 0 && changed === 0) return void toast('Nothing changed: all of them stand so already.')
    if (refused.length === 0) return void toast(done, { lasts: UNDO_LASTS, ...undo })
    const left = `${pluralize(refused.length, 'ticket')} left as before`
    toastFailure(changed > 0 ? `${done}, ${left}` : left, undefined, { detail: leftWords(refused), ...undo })
  }

  const change = (before: readonly Ticket[], wanted: TicketChange) =>
    void mutateAsync({ tickets: before.map(({ id, version }) => ({ id, version })), change: wanted }).then(
      (reply) => tell(before, wanted, reply),
      (error: unknown) => toastFailure('The tickets were not changed', error),
    )
  return { change, isPending }
}
