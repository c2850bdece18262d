import { z } from 'zod'
import { type BodyOf, defineCall, type QueryOf, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { pageQuery } from '#kit/page.ts'
import { Day, Email, Id, IdText, Instant, Line, Moment, Text, Version } from '#kit/values.ts'
import { MAX_MESSAGE_FILES, TicketFile } from '../files/ticket-file.ts'
import { TicketPromise } from '../promises/promise.ts'
import { TicketRating } from '../ratings/rating.ts'
import { figureFilters } from '../report/figure.ts'

export const TicketStatus = z.enum(['open', 'in_progress', 'closed'])
export type TicketStatus = z.infer<typeof TicketStatus>

export const ticketStatusLabels = { open: 'Open', in_progress: 'In Progress', closed: 'Closed' } as const

export const TicketPriority = z.enum(['low', 'medium', 'high'])
export type TicketPriority = z.infer<typeof TicketPriority>

export const TicketKind = z.enum(['question', 'complaint', 'booking', 'refund'])
export type TicketKind = z.infer<typeof TicketKind>

export const ticketKindLabels = {
  question: 'Question',
  complaint: 'Complaint',
  booking: 'Booking',
  refund: 'Refund',
} as const

export const MAX_TAGS_PER_TICKET = 10

/** The lists of the desk. Closed tickets are in none of them, snoozed ones only in `snoozed` and `watching`. */
export const TicketQueue = z.enum(['mine', 'unassigned', 'breaching', 'waiting', 'high', 'watching', 'snoozed'])
export type TicketQueue = z.infer<typeof TicketQueue>

/** Maximum length of a reply, a first message or an internal note. */
export const MAX_MESSAGE_LENGTH = 20_000

/** A list row contains at most this many of the newest messages; the detail has the whole thread. */
export const MESSAGES_IN_LIST = 10

/** Delivery state of a reply to a customer. */
export const TicketDelivery = z.enum(['waiting', 'sent', 'failed'])
export type TicketDelivery = z.infer<typeof TicketDelivery>

/** The result of a check of the sender; null when the server of the mailbox made none. */
const SenderCheck = z.enum(['pass', 'fail', 'none']).nullable()

/** What an email says besides its text. */
const TicketEmail = z.object({
  /** `auto_reply`: written by a program. `bounce`: our email came back. `unreadable`: only its headers are known. */
  kind: z.enum(['message', 'auto_reply', 'bounce', 'unreadable']),
  isSpam: z.boolean(),
  spf: SenderCheck,
  dkim: SenderCheck,
  dmarc: SenderCheck,
  /** Earlier emails that it repeats. */
  quoted: z.string(),
  /** `isOnly`: the email has no other text. `hasRemote`: it asks for images of other servers. Null without HTML. */
  html: z.object({ isOnly: z.boolean(), hasRemote: z.boolean(), showsRemote: z.boolean() }).nullable(),
})
export type TicketEmail = z.infer<typeof TicketEmail>

export const TicketMessage = z.object({
  id: Id,
  from_customer: z.boolean(),
  content: z.string(),
  createdAt: Moment,
  /** The worker who wrote it, or who entered it for the customer. */
  worker: z.object({ id: Id, name: z.string() }).nullable(),
})
export type TicketMessage = z.infer<typeof TicketMessage>

const Person = z.object({ id: Id, name: z.string() })

/** The account behind the ticket's email address, as shown in lists. */
const TicketCustomer = Person.extend({ verified: z.boolean(), rank: z.string(), points: z.int() })

export const Ticket = z.object({
  id: Id,
  status: TicketStatus,
  subject: z.string(),
  customer_email: z.string(),
  createdAt: Moment,
  updatedAt: Moment,
  priority: TicketPriority,
  customer: TicketCustomer.nullable(),
  assignee: Person.nullable(),
  /** Since when the customer has been waiting for a reply; null after our reply and on closed tickets. */
  waitingSince: Moment.nullable(),
  kind: TicketKind.nullable(),
  tags: z.array(Person),
  /** Out of the queues until this moment, or until the customer writes. */
  snoozed: z.object({ until: Moment.nullable() }).nullable(),
  /** By when we promised to respond; null when nothing was promised. */
  promise: TicketPromise.nullable(),
  version: Version,
  messageCount: z.int(),
  /** The newest messages, oldest first. */
  messages: z.array(TicketMessage),
})
export type Ticket = z.infer<typeof Ticket>

export const TicketStats = z.object({ open: z.int(), in_progress: z.int(), closed: z.int() })
export type TicketStats = z.infer<typeof TicketStats>

export const TicketEvent = z.object({
  id: Id,
  kind: z.enum(['opened', 'status', 'assigned', 'priority', 'merged', 'kind', 'tags', 'snoozed', 'rating', 'linked']),
  text: z.string(),
  worker: Person.nullable(),
  createdAt: Moment,
})
export type TicketEvent = z.infer<typeof TicketEvent>

/** A ticket with its whole thread, internal notes and history. */
export const TicketDetail = Ticket.extend({
  /**
   * `email` is null for messages that did not come through a mailbox. `sender` is who wrote from another address than the
   * ticket's; the name is that of the account with that address.
   */
  messages: z.array(
    TicketMessage.extend({
      delivery: TicketDelivery.nullable(),
      sender: z.object({ address: z.string(), name: z.string().nullable() }).nullable(),
      email: TicketEmail.nullable(),
      files: z.array(TicketFile),
    }),
  ),
  notes: z.array(z.object({ id: Id, content: z.string(), worker: Person, createdAt: Moment })),
  events: z.array(TicketEvent),
  /** The newest promises, oldest first. */
  promises: z.array(TicketPromise),
  /** Null until the customer was asked. */
  rating: TicketRating.nullable(),
  /** How many of their tickets the customer rated; null without an account. */
  satisfaction: z.object({ good: z.int(), rated: z.int() }).nullable(),
  /** Where replies go: the address that the customer last wrote from. */
  replyTo: z.string(),
  /** The ticket that this one was merged into. */
  mergedInto: Id.nullable(),
  /** Other open tickets of the same customer, as merge targets. */
  others: z.array(z.object({ id: Id, subject: z.string(), status: TicketStatus, createdAt: Moment })),
})
export type TicketDetail = z.infer<typeof TicketDetail>

const permission = 'tickets.handle' as const
const params = z.strictObject({ id: IdText })
const notFound = [404, 'This ticket does not exist.'] as const
const merged = [409, 'This ticket was merged into ticket {into}. Reply there.'] as const
const stale = staleRefusal('this ticket', Ticket)
const noAssignee = [422, 'This worker may not handle tickets.'] as const
const noTag = [422, 'This tag does not exist anymore.'] as const
const past = [422, 'Select a time in the future.'] as const
/** Why one ticket cannot take a change that others can. */
export const closedSnooze = [409, 'A closed ticket cannot be snoozed. Reopen it first.'] as const
export const tooManyTags = [409, `A ticket has at most ${MAX_TAGS_PER_TICKET} tags. Remove one first.`] as const

const filters = {
  queue: TicketQueue.or(z.literal('')).default(''),
  status: TicketStatus.or(z.literal('')).default(''),
  search: z.string().trim().max(10_000).default(''),
  /** A worker's id, `me` or `none`. */
  assignee: z.union([IdText, z.enum(['me', 'none', ''])]).default(''),
  priority: TicketPriority.or(z.literal('')).default(''),
  kind: TicketKind.or(z.enum(['none', ''])).default(''),
  /** A tag's id. */
  tag: IdText.or(z.literal('')).default(''),
  /** What a number of the support report counts. */
  ...figureFilters,
}

export const listTickets = defineCall({
  method: 'GET',
  path: '/api/support/tickets',
  summary: 'Tickets, last changed or longest waiting first, searched by subject, customer and messages',
  permission,
  query: z.strictObject({ ...pageQuery({ limit: 50 }), ...filters }),
  reply: z.array(Ticket),
})
export type TicketQuery = QueryOf<typeof listTickets>

export const exportTickets = exportCall(listTickets, 'tickets')

/** Figures for the support desk, independent of the filter. */
export const TicketDesk = z.object({
  waiting: z.int(),
  /** Start of the longest wait. */
  oldestWaiting: Moment.nullable(),
  highOpen: z.int(),
  mineInProgress: z.int(),
  /** Closed tickets that changed within the last seven days. */
  closedLately: z.int(),
})
export type TicketDesk = z.infer<typeof TicketDesk>

/** `stats` and `desk` ignore the filter; `matching` counts the filtered tickets, up to a limit. */
export const countTickets = defineCall({
  method: 'GET',
  path: '/api/support/tickets/stats',
  summary: 'Ticket counts by status, and how many match a filter',
  permission,
  query: z.strictObject(filters),
  reply: z.object({ stats: TicketStats, desk: TicketDesk, matching: z.int(), isMore: z.boolean() }),
})

export const readTicket = defineCall({
  method: 'GET',
  path: '/api/support/tickets/:id',
  summary: 'One ticket with its thread, notes and history',
  permission,
  params,
  reply: TicketDetail,
  refusals: { not_found: notFound },
})

export const createTicket = defineCall({
  method: 'POST',
  path: '/api/support/tickets',
  summary: 'Create a ticket for a customer, who gets a confirmation email',
  permission: 'tickets.create',
  body: z.strictObject({
    customer_email: Email,
    subject: Line(200),
    content: Text(MAX_MESSAGE_LENGTH),
    priority: TicketPriority.default('medium'),
  }),
  reply: Ticket,
})
export type CreateTicket = BodyOf<typeof createTicket>

export const respondToTicket = defineCall({
  method: 'POST',
  path: '/api/support/tickets/:id/respond',
  summary: 'Reply to the customer by email, and optionally set the status',
  permission,
  params,
  body: z.strictObject({
    message: Text(MAX_MESSAGE_LENGTH),
    workerId: z.union([Id, IdText]).nullish(),
    /** 'Send and close' and 'Send and set In Progress'. */
    status: TicketStatus.optional(),
    /** The version on the screen; the reply is refused when someone has written since. */
    version: Version.optional(),
    /** Files that the worker uploaded for this reply. */
    files: z.array(Id).max(MAX_MESSAGE_FILES).optional(),
    /** A saved reply whose actions run with it: the version on the screen, and the places of the actions in its list. */
    macro: z.strictObject({ id: Id, version: Version, actions: z.array(z.int().min(0)).min(1).max(8) }).optional(),
  }),
  reply: TicketDetail,
  refusals: {
    no_worker: [400, 'No worker information available'],
    other_worker: [403, 'You can only send a reply in your own name.'],
    not_found: notFound,
    merged,
    no_file: [409, 'An attached file does not exist anymore. Remove it and attach it again.'],
    unscanned: [409, 'An attached file waits for the virus scanner. Try again in a few minutes.'],
    too_large: [413, 'The files of a message can have at most 25 MB together.'],
    macro_changed: [409, 'Someone changed this saved reply or its actions. Look at it again, then send.'],
    macro_blocked: [409, 'Nothing was sent. {text}: {why}'],
    replied_meanwhile: [409, 'Someone else replied. Read the new message, then send again.', TicketDetail],
  },
})
export type RespondToTicket = BodyOf<typeof respondToTicket>

export const setTicketStatus = defineCall({
  method: 'PATCH',
  path: '/api/support/tickets/:id/status',
  summary: 'Set the status of a ticket',
  permission,
  params,
  body: z.strictObject({ status: TicketStatus, version: Version.optional() }),
  reply: z.object({ ticket: Ticket, stats: TicketStats }),
  refusals: { not_found: notFound, merged, stale },
})

export const assignTicket = defineCall({
  method: 'PATCH',
  path: '/api/support/tickets/:id/assignee',
  summary: 'Assign or unassign a ticket',
  permission,
  params,
  body: z.strictObject({ workerId: Id.nullable(), version: Version.optional() }),
  reply: Ticket,
  refusals: {
    not_found: notFound,
    merged,
    stale,
    no_assignee: noAssignee,
  },
})

export const setTicketPriority = defineCall({
  method: 'PATCH',
  path: '/api/support/tickets/:id/priority',
  summary: 'Set the priority of a ticket',
  permission,
  params,
  body: z.strictObject({ priority: TicketPriority, version: Version.optional() }),
  reply: Ticket,
  refusals: { not_found: notFound, merged, stale },
})

/** Maximum number of tickets per call. */
export const MAX_AT_ONCE = 100

/** One change, applied to one ticket or to many. */
export const TicketChange = z.union([
  z.strictObject({ status: TicketStatus }),
  z.strictObject({ workerId: Id.nullable() }),
  z.strictObject({ priority: TicketPriority }),
  z.strictObject({ kind: TicketKind.nullable() }),
  z.strictObject({ addTag: Id }),
  z.strictObject({ removeTag: Id }),
  /** Until a moment; without one, until the customer writes; null ends it. */
  z.strictObject({ snooze: z.strictObject({ until: Instant.nullable() }).nullable() }),
])
export type TicketChange = z.infer<typeof TicketChange>

export const changeTicket = defineCall({
  method: 'PATCH',
  path: '/api/support/tickets/:id',
  summary: 'Set the kind, add or remove a tag, or snooze a ticket',
  permission,
  params,
  body: z.strictObject({ change: TicketChange, version: Version.optional() }),
  reply: Ticket,
  refusals: {
    not_found: notFound,
    merged,
    stale,
    no_assignee: noAssignee,
    no_tag: noTag,
    past,
    closed_snooze: closedSnooze,
    too_many_tags: tooManyTags,
  },
})

const TicketVersion = z.strictObject({ id: Id, version: Version })
const areUnique = (tickets: { id: number }[]) => new Set(tickets.map(({ id }) => id)).size === tickets.length

export const changeTickets = defineCall({
  method: 'POST',
  path: '/api/support/tickets/change-many',
  summary: 'Make one change to many tickets; stale tickets are skipped',
  permission,
  body: z.strictObject({
    /** Each with the version on the screen. */
    tickets: z
      .array(TicketVersion)
      .min(1, 'must name a ticket')
      .max(MAX_AT_ONCE, `names more than ${MAX_AT_ONCE} tickets`)
      .refine(areUnique, 'names a ticket twice'),
    change: TicketChange,
  }),
  reply: z.object({
    /** Tickets that already had the value count as neither changed nor refused. */
    changed: z.int(),
    /** The changed tickets with their new versions. */
    tickets: z.array(z.object({ id: Id, version: Version })),
    refused: z.array(z.object({ id: Id, subject: z.string(), why: z.string() })),
  }),
  refusals: { no_assignee: noAssignee, no_tag: noTag, past },
})
export type ChangeTickets = BodyOf<typeof changeTickets>
export type ChangedTickets = ReplyOf<typeof changeTickets>

export const noteTicket = defineCall({
  method: 'POST',
  path: '/api/support/tickets/:id/notes',
  summary: 'Add an internal note; the customer never sees it',
  permission,
  params,
  body: z.strictObject({ content: Text(MAX_MESSAGE_LENGTH) }),
  reply: TicketDetail,
  refusals: { not_found: notFound, merged },
})

export const mergeTicket = defineCall({
  method: 'POST',
  path: '/api/support/tickets/:id/merge',
  summary: 'Move the messages of a ticket into another one and close it',
  permission,
  params,
  body: z.strictObject({
    into: Id,
    /** The worker knows that the two addresses belong to one person. */
    isSamePerson: z.boolean().optional(),
    version: Version.optional(),
  }),
  reply: TicketDetail,
  refusals: {
    not_found: notFound,
    merged,
    stale,
    itself: [422, 'A ticket cannot be merged into itself.'],
    other_customer: [422, 'That ticket is from {email}. Merge it only if this is the same person.'],
  },
})

export const listTicketWorkers = defineCall({
  method: 'GET',
  path: '/api/support/ticket-workers',
  summary: 'Workers who may be assigned a ticket',
  permission,
  reply: z.array(
    Person.extend({ open: z.int(), /** The last day out of office; null when here. */ awayUntil: Day.nullable() }),
  ),
})

const Viewer = z.object({ workerId: Id, name: z.string(), state: z.enum(['viewing', 'typing']) })

/** Reported on opening, every 20 seconds while open, when typing starts or stops, and on leaving. */
export const PRESENCE_EVERY_SECONDS = 20

export const reportPresence = defineCall({
  method: 'POST',
  path: '/api/support/tickets/:id/presence',
  summary: 'Report viewing, typing or leaving a ticket; returns the other workers on it',
  permission,
  params,
  body: z.strictObject({ state: z.enum(['viewing', 'typing', 'left']) }),
  reply: z.object({ others: z.array(Viewer) }),
  refusals: { not_found: notFound },
})

export const listPresence = defineCall({
  method: 'GET',
  path: '/api/support/ticket-presence',
  summary: 'The other workers viewing or typing on each ticket',
  permission,
  reply: z.array(Viewer.extend({ ticket: Id })),
})
export type TicketPresence = ReplyOf<typeof listPresence>
