import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { ChangedTickets, Ticket, TicketChange } from '@limber/contract/support/tickets/ticket.ts'
import { useQuery } from '@tanstack/react-query'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { changedText, refusedText, undoCalls } from '../bulk-change-text.ts'
import { ticketWorkersQuery } from '../ticket.api.ts'
import { useChangeTickets } from '../ticket-change.api.ts'

const UNDO_LASTS = 10_000

/** Changes many tickets and shows the result with Undo. The toast can outlive the list. */
export function useBulkChange() {
  const { mutateAsync, isPending } = useChangeTickets()
  const { data: workers = [] } = useQuery(ticketWorkersQuery)

  const undoChange = async (before: readonly Ticket[], change: TicketChange, reply: ChangedTickets) => {
    const refused: ChangedTickets['refused'] = []
    try {
      for (const body of undoCalls(before, change, reply)) refused.push(...(await mutateAsync(body)).refused)
    } catch (error) {
      return void toastFailure("Couldn't undo the change", error)
    }
    if (refused.length === 0) return void toast(`Undone for ${pluralize(reply.changed, 'ticket')}.`)
    toastFailure(`Not undone for ${pluralize(refused.length, 'ticket')}`, undefined, { detail: refusedText(refused) })
  }

  const showResult = (before: readonly Ticket[], requested: TicketChange, reply: ChangedTickets) => {
    const { changed, refused } = reply
    const assignee = 'workerId' in requested ? workers.find(({ id }) => id === requested.workerId)?.name : undefined
    const done = changedText(requested, changed, assignee)
    const undo = changed > 0 && { action: { label: 'Undo', run: () => void undoChange(before, requested, reply) } }
    if (refused.length === 0 && changed === 0)
      return void toast('Nothing changed. The tickets already have this value.')
    if (refused.length === 0) return void toast(done, { duration: UNDO_LASTS, ...undo })
    const unchanged = `${pluralize(refused.length, 'ticket')} not changed`
    toastFailure(changed > 0 ? `${done}, ${unchanged}` : unchanged, undefined, {
      detail: refusedText(refused),
      ...undo,
    })
  }

  const change = (before: readonly Ticket[], requested: TicketChange) =>
    void mutateAsync({ tickets: before.map(({ id, version }) => ({ id, version })), change: requested }).then(
      (reply) => showResult(before, requested, reply),
      (error: unknown) => toastFailure("Couldn't change the tickets", error),
    )
  return { change, isPending }
}
