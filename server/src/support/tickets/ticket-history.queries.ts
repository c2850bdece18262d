import { linkTickets, unlinkTickets } from '@limber/contract/support/related/related.ts'
import {
  changeTicket,
  type TicketChange,
  ticketKindLabels,
  ticketStatusLabels,
} from '@limber/contract/support/tickets/ticket.ts'
import { createTask, setTaskDone } from '@limber/contract/support/tickets/ticket-task.ts'
import { sql } from 'kysely'
import {
  type ActionFacts,
  CHANGED,
  numericId,
  type Opposite,
  type RecordHistory,
  workerNames,
} from '#platform/audit/history.ts'
import { snoozeOf } from './ticket.rules.ts'
import { removeCallback } from './ticket-task.queries.ts'

const tagNames = (ids: readonly number[]) => sql`select id, name from ticket_tags where id = any(${ids}::bigint[])`

type Fits = (now: { tags: number[]; snoozed: string | null }, facts: ActionFacts) => boolean

const changing = (change: (facts: ActionFacts) => TicketChange, fits: Fits): Opposite => ({
  call: changeTicket,
  input: (id, facts) => ({ params: { id }, body: { change: change(facts) } }),
  fits: (now, facts) => fits(now as Parameters<Fits>[0], facts),
})

const hasTag = ({ tags }: Parameters<Fits>[0], tag: unknown) => tags.includes(Number(tag))

/** A snooze as the audit log has it. */
const readSnooze = (snoozed: unknown) =>
  typeof snoozed === 'string' ? { until: snoozed === 'reply' ? null : snoozed } : null

const finishing = (isDone: boolean): Opposite => ({
  call: setTaskDone,
  input: (_, { after }) => ({ params: { id: String(after.task) }, body: { isDone } }),
  fits: ({ doneTasks }, { after }) => (doneTasks as number[]).includes(Number(after.task)) !== isDone,
})

const linked = ({ links }: ActionFacts['after'], ticket: unknown) => (links as number[]).includes(Number(ticket))

export const ticketHistory: RecordHistory = {
  subject: 'ticket',
  async read(db, id) {
    const ticket = await db
      .selectFrom('tickets')
      .select(['id', 'subject', 'status', 'priority', 'kind', 'assignee_id', 'tags', 'snoozed_at', 'snoozed_until'])
      .select([
        sql<
          number[]
        >`array(select k.id::int from ticket_tasks k where k.ticket_id = tickets.id and k.done_at is not null)`.as(
          'doneTasks',
        ),
        sql<
          number[]
        >`array(select k.id::int from ticket_tasks k where k.ticket_id = tickets.id and k.kind = 'callback' and k.done_at is null)`.as(
          'openCallbacks',
        ),
        sql<number[]>`array(select l.to_id::int from ticket_links l where l.from_id = tickets.id
          union all select l.from_id::int from ticket_links l where l.to_id = tickets.id)`.as('links'),
      ])
      .where('id', '=', numericId(id))
      .executeTakeFirst()
    if (!ticket) return
    const values = { ...ticket, assignee: ticket.assignee_id, snoozed: snoozeOf(ticket), tags: ticket.tags.map(Number) }
    return { name: `#${ticket.id} ${ticket.subject}`, values }
  },
  fields: [
    { name: 'status', label: 'Status', choiceLabels: ticketStatusLabels },
    { name: 'priority', label: 'Priority', choiceLabels: { low: 'Low', medium: 'Medium', high: 'High' } },
    { name: 'kind', label: 'Kind', choiceLabels: ticketKindLabels },
    { name: 'assignee', label: 'Assigned to', names: workerNames },
    { name: 'tag', label: 'Tag', names: tagNames },
    { name: 'snoozed', label: 'Snoozed until', kind: 'moment', choiceLabels: { reply: 'The customer replies' } },
  ],
  actions: {
    ticket_created: 'created this ticket',
    ticket_replied: 'replied to the customer',
    ticket_noted: 'added an internal note',
    ticket_status: CHANGED,
    ticket_priority: CHANGED,
    ticket_kind: CHANGED,
    ticket_assigned: CHANGED,
    ticket_tagged: 'added a tag',
    ticket_untagged: 'removed a tag',
    ticket_snoozed: 'changed the snooze',
    ticket_rated: 'received a rating',
    ticket_merged: 'merged this ticket into another one',
    ticket_split: 'moved messages to a new ticket',
    ticket_followed_up: 'created a follow-up ticket',
    tickets_linked: 'linked a ticket',
    tickets_unlinked: 'unlinked a ticket',
    ticket_watched: 'started watching',
    ticket_unwatched: 'stopped watching',
    ticket_file_added: 'added a file',
    ticket_file_removed: 'removed a file',
    ticket_task_booked: 'added a task',
    ticket_task_removed: 'undid booking a call-back',
    ticket_task_done: 'finished a task',
    ticket_task_reopened: 'reopened a task',
    refund_noted: 'noted a refund',
  },
  restores: [
    {
      ...{ call: changeTicket, fields: ['status', 'priority', 'kind'] },
      input: (id, change) => ({ params: { id }, body: { change } }),
      // Closing may ask the customer for a rating.
      fits: (value) => value !== 'closed',
    },
    {
      ...{ call: changeTicket, fields: ['assignee'] },
      input: (id, { assignee }) => ({ params: { id }, body: { change: { workerId: assignee } } }),
    },
  ],
  opposites: {
    ticket_tagged: changing(
      ({ after }) => ({ removeTag: Number(after.tag) }),
      (now, { after }) => hasTag(now, after.tag),
    ),
    ticket_untagged: changing(
      ({ before }) => ({ addTag: Number(before.tag) }),
      (now, { before }) => !hasTag(now, before.tag),
    ),
    ticket_snoozed: changing(
      ({ before }) => ({ snooze: readSnooze(before.snoozed) }),
      ({ snoozed }, { after }) => snoozed === (after.snoozed ?? null),
    ),
    ticket_task_booked: {
      call: createTask,
      async takeBack({ db, audit, publish }, id, { after }) {
        const task = Number(after.task)
        if (!(await removeCallback(db, task, id))) return false
        audit({ action: 'ticket_task_removed', subject: 'ticket', subjectId: id, before: after })
        publish('tickets', { ticket: id })
        return true
      },
      fits: ({ openCallbacks }, { after }) => (openCallbacks as number[]).includes(Number(after.task)),
    },
    ticket_task_done: finishing(false),
    ticket_task_reopened: finishing(true),
    tickets_linked: {
      call: unlinkTickets,
      input: (id, { after }) => ({ params: { id, other: String(after.ticket) } }),
      fits: (now, { after }) => linked(now, after.ticket),
    },
    tickets_unlinked: {
      call: linkTickets,
      input: (id, { before }) => ({ params: { id }, body: { ticket: before.ticket } }),
      fits: (now, { before }) => !linked(now, before.ticket),
    },
  },
}
