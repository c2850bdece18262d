import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { Day, Id, IdText, Moment } from '#kit/values.ts'

export const TaskKind = z.enum(['callback', 'move_booking', 'cancel_booking'])
export type TaskKind = z.infer<typeof TaskKind>

const Person = z.object({ id: Id, name: z.string() })

/** Work that a ticket leaves for a day: a call to the customer, or a booking to change in the app. */
export const TicketTask = z.object({
  id: Id,
  kind: TaskKind,
  ticket: z.object({ id: Id, subject: z.string() }),
  /** The customer's name, or the address of the ticket. */
  customer: z.string(),
  worker: Person,
  dueOn: Day,
  booking: z.object({ id: Id, startsAt: Moment, wantedAt: Moment.nullable() }).nullable(),
  /** Checked off by a worker, or the booking was changed since. */
  isDone: z.boolean(),
  createdAt: Moment,
})
export type TicketTask = z.infer<typeof TicketTask>

/** Beyond this, a list of tasks is no longer worked through. */
export const MAX_OPEN_TASKS = 100

const permission = 'tickets.handle' as const
const params = z.strictObject({ id: IdText })

export const listMyTasks = defineCall({
  method: 'GET',
  path: '/api/support/ticket-tasks',
  summary: 'My open tasks from tickets, first due first',
  permission,
  reply: z.array(TicketTask),
})

export const createTask = defineCall({
  method: 'POST',
  path: '/api/support/tickets/:id/tasks',
  summary: 'Book a call-back to the customer of a ticket',
  permission,
  params,
  body: z.strictObject({ dueOn: Day, workerId: Id }),
  reply: TicketTask,
  refusals: {
    not_found: [404, 'This ticket does not exist.'],
    merged: [409, 'This ticket was merged into ticket {into}. Reply there.'],
    no_assignee: [422, 'This worker may not handle tickets.'],
    past: [422, 'Select today or a later day.'],
    too_many: [422, `This worker has ${MAX_OPEN_TASKS} open tasks. Finish some of them first.`],
  },
})

export const setTaskDone = defineCall({
  method: 'POST',
  path: '/api/support/ticket-tasks/:id/done',
  summary: 'Check off a task, or open it again',
  permission,
  params,
  body: z.strictObject({ isDone: z.boolean() }),
  reply: TicketTask,
  refusals: { not_found: [404, 'This task does not exist.'] },
})
