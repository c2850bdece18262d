import type { TicketTask } from '@limber/contract/support/tickets/ticket-task.ts'
import type { TaskRow } from './ticket-task.queries.ts'

const moment = (text: string) => new Date(text).toISOString()

export const presentTask = ({ due_on, booking, is_done, created_at, ...row }: TaskRow): TicketTask => ({
  ...row,
  dueOn: due_on,
  booking: booking && {
    id: booking.id,
    startsAt: moment(booking.starts_at),
    wantedAt: booking.wanted_at === null ? null : moment(booking.wanted_at),
  },
  isDone: is_done,
  createdAt: created_at.toISOString(),
})
