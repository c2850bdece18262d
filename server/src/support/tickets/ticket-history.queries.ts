import { changeTicket, ticketKindLabels, ticketStatusLabels } from '@limber/contract/support/tickets/ticket.ts'
import { sql } from 'kysely'
import { CHANGED, numericId, type RecordHistory, workerNames } from '#platform/audit/history.ts'

const tagNames = (ids: readonly number[]) => sql`select id, name from ticket_tags where id = any(${ids}::bigint[])`

export const ticketHistory: RecordHistory = {
  subject: 'ticket',
  async read(db, id) {
    const ticket = await db
      .selectFrom('tickets')
      .select(['id', 'subject', 'status', 'priority', 'kind', 'assignee_id'])
      .where('id', '=', numericId(id))
      .executeTakeFirst()
    return ticket && { name: `#${ticket.id} ${ticket.subject}`, values: { ...ticket, assignee: ticket.assignee_id } }
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
}
