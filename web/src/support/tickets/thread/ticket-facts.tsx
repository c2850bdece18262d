import type { TicketDetail, TicketPriority } from '@limber/contract/support/tickets/ticket.ts'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { dayText } from '#ui/format/day-text.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { Facts } from '#ui/layout/facts.tsx'
import { priorityLabels, priorityOptions } from '../priority-labels.ts'
import { ticketQuery, ticketWorkersQuery, useAssign, useSetPriority } from '../ticket.api.ts'
import styles from './ticket-facts.module.css'
import TicketSorting from './ticket-sorting.tsx'

// Loads when a ticket is first opened.
const TicketCustomer = lazy(() => import('./ticket-customer.tsx'))

function Assignee({ ticket: { id, assignee, mergedInto } }: { ticket: TicketDetail }) {
  const { data: workers = [] } = useQuery(ticketWorkersQuery)
  const assign = useAssign(id)
  // An assignee who may no longer handle tickets must stay in the list.
  const known =
    assignee && !workers.some((worker) => worker.id === assignee.id)
      ? [{ ...assignee, awayUntil: null }, ...workers]
      : workers
  const choose = (value: string) => {
    const worker = known.find((one) => String(one.id) === value)
    void assign.mutateAsync(worker ? { id: worker.id, name: worker.name } : null).then(
      (reply) => toastUndo(`Ticket #${id} ${worker ? `assigned to ${worker.name}` : 'unassigned'}.`, reply),
      (error: unknown) => toastFailure("Couldn't assign the ticket", error),
    )
  }
  return (
    <NativeSelect
      className={styles.choice ?? ''}
      aria-label="Assignee of this ticket"
      data={[
        { value: '', label: 'Unassigned' },
        ...known.map(({ id: value, name, awayUntil }) => ({
          value: String(value),
          label: awayUntil ? `${name} (away until ${dayText(awayUntil)})` : name,
        })),
      ]}
      value={assignee ? String(assignee.id) : ''}
      disabled={mergedInto !== null}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  )
}

function Priority({ ticket: { id, priority, mergedInto } }: { ticket: TicketDetail }) {
  const set = useSetPriority(id)
  const choose = (next: TicketPriority) =>
    void set.mutateAsync(next).then(
      (reply) => toastUndo(`Priority set to ${priorityLabels[next]}.`, reply),
      (error: unknown) => toastFailure("Couldn't set the priority", error),
    )
  return (
    <NativeSelect
      className={styles.choice ?? ''}
      aria-label="Priority of this ticket"
      data={priorityOptions}
      value={priority}
      disabled={mergedInto !== null}
      onChange={(event) => choose(event.currentTarget.value as TicketPriority)}
    />
  )
}

/** Assignee, priority, kind, tags, customer and their other tickets. */
export function TicketFacts({ ticket }: { ticket: TicketDetail }) {
  return (
    <div className={styles.facts}>
      <div className={styles.part}>
        <Facts>
          <Facts.Row label="Assignee">
            <Assignee ticket={ticket} />
          </Facts.Row>
          <Facts.Row label="Priority">
            <Priority ticket={ticket} />
          </Facts.Row>
          <TicketSorting ticket={ticket} />
        </Facts>
      </div>
      <Suspense>
        <TicketCustomer ticket={ticket} />
      </Suspense>
    </div>
  )
}

/** The same facts in the column beside the thread. */
export function TicketRail({ id }: { id: number }) {
  const { data } = useQuery(ticketQuery(id))
  return data ? <TicketFacts ticket={data} /> : null
}
