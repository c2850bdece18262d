import { z } from 'zod'
import { type BodyOf, defineCall, staleRefusal } from '#kit/call.ts'
import { Id, IdText, Line, Moment, Version } from '#kit/values.ts'
import { TicketKind, TicketPriority, TicketQueue, TicketStatus } from '../tickets/ticket.ts'

/** The queues that a view can filter by. What someone watches is theirs alone. */
export const ViewQueue = TicketQueue.exclude(['watching'])
export type ViewQueue = z.infer<typeof ViewQueue>

const filters = {
  queue: ViewQueue.nullable(),
  status: TicketStatus.nullable(),
  priority: TicketPriority.nullable(),
  kind: TicketKind.nullable(),
  /** A worker's id, `me` for whoever opens the view, or `none`. */
  assignee: z
    .string()
    .regex(/^(me|none|[1-9]\d{0,14})$/)
    .nullable(),
  tag: Id.nullable(),
}

/** A saved filter. A shared one is seen by everyone who handles tickets. */
export const TicketView = z.object({
  id: Id,
  name: z.string(),
  isShared: z.boolean(),
  owner: z.object({ id: Id, name: z.string() }),
  ...filters,
  /** How many tickets the viewer finds with it. */
  count: z.int(),
  version: Version,
})
export type TicketView = z.infer<typeof TicketView>

export const MAX_VIEWS_PER_WORKER = 20
/** Own views and those that others share. */
export const MAX_VIEWS_SHOWN = 60

const permission = 'tickets.handle' as const
const params = z.strictObject({ id: IdText })
const fields = {
  name: Line(60),
  isShared: z.boolean(),
  queue: filters.queue.default(null),
  status: filters.status.default(null),
  priority: filters.priority.default(null),
  kind: filters.kind.default(null),
  assignee: filters.assignee.default(null),
  tag: filters.tag.default(null),
}
const notFound = [404, 'This view does not exist.'] as const
const nameTaken = [409, 'You have another view with this name.'] as const
const noTag = [422, 'This tag does not exist anymore.'] as const
const notYours = [403, 'Only the owner of a view can change it.'] as const
const stale = staleRefusal('this view', TicketView)

export const listQueues = defineCall({
  method: 'GET',
  path: '/api/support/ticket-queues',
  summary: 'The queues and saved views of a worker with the number of tickets in each',
  permission,
  reply: z.object({
    queues: z.object({
      mine: z.int(),
      unassigned: z.int(),
      breaching: z.int(),
      waiting: z.int(),
      high: z.int(),
      watching: z.int(),
      snoozed: z.int(),
      all: z.int(),
    }),
    views: z.array(TicketView),
    /** The tickets that the worker marked unread. */
    unread: z.array(Id),
    /** Mailboxes that could not be read for some minutes; null when one never was. */
    failingMailboxes: z.array(z.object({ address: z.string(), readAt: Moment.nullable() })),
  }),
})

export const createView = defineCall({
  method: 'POST',
  path: '/api/support/ticket-views',
  summary: 'Save a filter as a view',
  permission,
  body: z.strictObject(fields),
  reply: TicketView,
  refusals: {
    name_taken: nameTaken,
    no_tag: noTag,
    too_many: [422, `You have reached the limit of ${MAX_VIEWS_PER_WORKER} views. Delete one first.`],
  },
})
export type ViewDraft = BodyOf<typeof createView>

export const updateView = defineCall({
  method: 'PUT',
  path: '/api/support/ticket-views/:id',
  summary: 'Change the name, the filter or the sharing of an own view',
  permission,
  params,
  body: z.strictObject({ ...fields, version: Version }),
  reply: TicketView,
  refusals: { not_found: notFound, not_yours: notYours, name_taken: nameTaken, no_tag: noTag, stale },
})

export const deleteView = defineCall({
  method: 'DELETE',
  path: '/api/support/ticket-views/:id',
  summary: 'Delete an own view',
  permission,
  params,
  reply: z.object({ id: Id }),
  refusals: { not_found: notFound, not_yours: notYours },
})
