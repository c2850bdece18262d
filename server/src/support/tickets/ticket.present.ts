import type { Ticket, TicketDesk, TicketDetail, TicketMessage } from '@limber/contract/support/tickets/ticket.ts'
import { presentPromise, shownPromise } from '../promises/promise.present.ts'
import { presentRating } from '../ratings/rating.present.ts'
import type { DeskRow, MessageJson, TicketDetailRow, TicketRow } from './ticket.queries.ts'

const moment = (text: string) => new Date(text).toISOString()

const presentMessage = ({ id, from_customer, content, created_at, worker }: MessageJson): TicketMessage => ({
  id,
  from_customer,
  content,
  createdAt: moment(created_at),
  worker,
})

export const presentTicket = (row: TicketRow): Ticket => ({
  id: row.id,
  status: row.status,
  subject: row.subject,
  customer_email: row.customer_email,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  priority: row.priority,
  customer: row.customer,
  assignee: row.assignee,
  waitingSince: row.status === 'closed' ? null : (row.waiting_since?.toISOString() ?? null),
  kind: row.kind,
  tags: row.tags.toSorted((a, b) => a.name.localeCompare(b.name)),
  snoozed: row.snoozed_at && row.status !== 'closed' ? { until: row.snoozed_until?.toISOString() ?? null } : null,
  promise: row.promise && presentPromise(row.promise),
  version: row.version,
  messageCount: row.message_count,
  messages: row.messages.map(presentMessage),
})

export const presentTicketDetail = (row: TicketDetailRow): TicketDetail => ({
  ...presentTicket({ ...row, promise: shownPromise(row.promises, row.status) }),
  messages: row.messages.map((message) => ({
    ...presentMessage(message),
    delivery: message.delivery,
    sender: message.sender,
    email: message.email,
    files: message.files,
  })),
  notes: row.notes.map(({ created_at, ...note }) => ({ ...note, createdAt: moment(created_at) })),
  events: row.events.map(({ created_at, ...event }) => ({ ...event, createdAt: moment(created_at) })),
  promises: row.promises.map(presentPromise),
  rating: row.rating && presentRating(row.rating),
  satisfaction: row.satisfaction,
  mergedInto: row.merged_into_id,
  replyTo: row.reply_to,
  others: row.others.map(({ created_at, ...other }) => ({ ...other, createdAt: moment(created_at) })),
})

export const presentDesk = (row: DeskRow & { waiting: number; high_open: number }): TicketDesk => ({
  waiting: row.waiting,
  oldestWaiting: row.oldest_waiting?.toISOString() ?? null,
  highOpen: row.high_open,
  mineInProgress: row.mine_in_progress,
  closedLately: row.closed_recently,
})
