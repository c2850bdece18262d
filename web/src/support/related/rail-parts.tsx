import { companyDay } from '@limber/contract/kit/company.ts'
import { formatList } from '@limber/contract/kit/formats/numbers.ts'
import type { TicketContext } from '@limber/contract/support/related/related.ts'
import { ticketStatusLabels } from '@limber/contract/support/tickets/ticket.ts'
import { Checkbox, CloseButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { now } from '#platform/clock.ts'
import { withSearch } from '#platform/routing/links.ts'
import { useSession } from '#platform/session/session.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { dayText } from '#ui/format/day-text.ts'
import { Moment } from '#ui/format/moment.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { useTaskDone, useUnlink } from './related.api.ts'
import styles from './related.module.css'
import { linkLabels, taskText } from './related-labels.ts'

/** Work that the ticket left for a day. */
export function Tasks({ ticketId, tasks }: Pick<TicketContext, 'tasks'> & { ticketId: number }) {
  const { workerId } = useSession()
  const done = useTaskDone(ticketId)
  if (tasks.length === 0) return null
  const today = companyDay(now())
  const check = (task: number, isDone: boolean) =>
    void done.mutateAsync({ task, isDone }).then(
      (reply) => toastUndo(isDone ? 'Task done.' : 'Task reopened.', reply),
      (error: unknown) => toastFailure("Couldn't check off the task", error),
    )
  return (
    <section className={styles.part} aria-label="Tasks">
      <h3>Tasks</h3>
      <ul className={styles.list}>
        {tasks.map((task) => {
          const { id, worker, dueOn, isDone, kind } = task
          const due = dueOn < today && !isDone ? `was due ${dayText(dueOn)}` : dayText(dueOn)
          return (
            <li key={id} className={styles.task} data-done={isDone || undefined}>
              <Checkbox
                size="xs"
                classNames={{ label: styles.label ?? '' }}
                label={taskText(task)}
                description={[
                  worker.id === workerId ? 'You' : worker.name,
                  due,
                  !isDone && kind !== 'callback' && 'done when the app has changed it',
                ]
                  .filter(Boolean)
                  .join(', ')}
                checked={isDone}
                disabled={done.isPending}
                onChange={({ currentTarget }) => check(id, currentTarget.checked)}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Tickets that are linked to this one. */
export function Links({ ticketId, links }: Pick<TicketContext, 'links'> & { ticketId: number }) {
  const unlink = useUnlink(ticketId)
  const remove = (other: number) =>
    void unlink.mutateAsync(other).then(
      (reply) => toastUndo(`Ticket #${other} is no longer linked.`, reply),
      (error: unknown) => toastFailure("Couldn't remove the link", error),
    )
  return links.map(({ id, kind, subject, status, createdAt }) => (
    <li key={`link ${id}`} className={styles.link}>
      <Link {...withSearch<'/support/tickets'>({ ticket: id })}>{subject}</Link>
      <span className={styles.when}>
        {status === 'closed' ? <Moment at={createdAt} form="age" /> : ticketStatusLabels[status]}
      </span>
      {kind === 'related' ? (
        <CloseButton size={20} aria-label={`Remove the link to #${id}`} onClick={() => remove(id)} />
      ) : (
        <span />
      )}
      <span className={styles.kind}>
        {linkLabels[kind]} #{id}
      </span>
    </li>
  ))
}

/** Who watches the ticket. */
export function Watchers({ watchers }: Pick<TicketContext, 'watchers'>) {
  const { workerId } = useSession()
  if (watchers.length === 0) return null
  const names = watchers.map(({ id, name }) => (id === workerId ? 'You' : name))
  return (
    <section className={styles.part} aria-label="Watchers">
      <h3>Watched by</h3>
      <p>{formatList(names)}</p>
    </section>
  )
}

/** The next session of the customer, for the facts. */
export const nextSessionOf = (context: TicketContext | undefined) => context?.account?.bookings[0]

export type RailLayer = 'credits' | 'block' | 'text' | 'refund' | 'move' | 'cancel'
