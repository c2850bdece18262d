import { z } from 'zod'
import { type BodyOf, defineCall, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { Money } from '#kit/money.ts'
import { Id, IdText, Instant, Line, Moment, Text, Version } from '#kit/values.ts'
import { Ticket, TicketDetail, TicketStatus } from '../tickets/ticket.ts'
import { TicketTask } from '../tickets/ticket-task.ts'

const Person = z.object({ id: Id, name: z.string() })

/** A customer's reply reopens a ticket that was closed for at most this long. Later, it starts a follow-up. */
export const REOPENS_WITHIN_DAYS = 14

/** Open tickets that a worker can watch. */
export const MAX_WATCHED = 100
export const MAX_LINKS = 50
/** Tickets that a worker can keep marked unread. */
export const MAX_UNREAD = 200

const permission = 'tickets.handle' as const
const params = z.strictObject({ id: IdText })
const notFound = [404, 'This ticket does not exist.'] as const
const merged = [409, 'This ticket was merged into ticket {into}. Reply there.'] as const
const stale = staleRefusal('this ticket', Ticket)

/** How another ticket is related, seen from this one. */
export const TicketLinkKind = z.enum(['split_from', 'split_into', 'follow_up_of', 'followed_by', 'related'])
export type TicketLinkKind = z.infer<typeof TicketLinkKind>

export const readTicketContext = defineCall({
  method: 'GET',
  path: '/api/support/tickets/:id/context',
  summary: 'What is around a ticket: linked tickets, tasks, watchers, and bookings and payments of its customer',
  permission,
  params,
  reply: z.object({
    links: z.array(
      z.object({ kind: TicketLinkKind, id: Id, subject: z.string(), status: TicketStatus, createdAt: Moment }),
    ),
    tasks: z.array(TicketTask),
    watchers: z.array(Person),
    /** Upcoming bookings and recent payments; null without permission to see accounts, or without an account. */
    account: z
      .object({
        bookings: z.array(
          z.object({
            id: Id,
            startsAt: Moment,
            status: z.string(),
            stretcher: z.string().nullable(),
            /** A change was requested that the app has not made yet. */
            isRequested: z.boolean(),
          }),
        ),
        payments: z.array(z.object({ id: Id, createdAt: Moment, type: z.string(), amount: Money })),
      })
      .nullable(),
  }),
  refusals: { not_found: notFound },
})
export type TicketContext = ReplyOf<typeof readTicketContext>

export const splitTicket = defineCall({
  method: 'POST',
  path: '/api/support/tickets/:id/split',
  summary: 'Move a message, or it and the later ones, into a new ticket that refers to this one',
  permission,
  params,
  body: z.strictObject({
    messageId: Id,
    takes: z.enum(['one', 'rest']),
    subject: Line(200),
    version: Version.optional(),
  }),
  reply: TicketDetail,
  refusals: {
    not_found: notFound,
    merged,
    stale,
    no_message: [422, 'This message is not in this ticket anymore.'],
    not_theirs: [422, 'A new ticket must begin with a message of the customer.'],
    all: [422, 'At least one message must stay in this ticket.'],
  },
})
export type SplitTicket = BodyOf<typeof splitTicket>

export const followUpTicket = defineCall({
  method: 'POST',
  path: '/api/support/tickets/:id/follow-up',
  summary: 'Open a new ticket of the same customer that refers to a closed one',
  permission,
  params,
  body: z.strictObject({}),
  reply: TicketDetail,
  refusals: { not_found: notFound, merged, open: [409, 'This ticket is still open. Reply here.'] },
})

export const linkTickets = defineCall({
  method: 'POST',
  path: '/api/support/tickets/:id/links',
  summary: 'Link another ticket as related',
  permission,
  params,
  body: z.strictObject({ ticket: Id }),
  reply: z.object({ id: Id }),
  refusals: {
    not_found: notFound,
    no_other: [422, 'There is no ticket with this number.'],
    itself: [422, 'This is the number of the same ticket.'],
    already: [409, 'These tickets are linked already.'],
    too_many: [422, `A ticket has at most ${MAX_LINKS} links.`],
  },
})

export const unlinkTickets = defineCall({
  method: 'DELETE',
  path: '/api/support/tickets/:id/links/:other',
  summary: 'Remove a link that was made by hand',
  permission,
  params: z.strictObject({ id: IdText, other: IdText }),
  reply: z.object({ id: Id }),
  refusals: { not_found: [404, 'These tickets are not linked, or one was made from the other.'] },
})

export const watchTicket = defineCall({
  method: 'POST',
  path: '/api/support/tickets/:id/watch',
  summary: 'Watch a ticket, or stop watching it',
  permission,
  params,
  body: z.strictObject({ watches: z.boolean() }),
  reply: z.object({ watchers: z.array(Person) }),
  refusals: {
    not_found: notFound,
    too_many: [422, `You watch ${MAX_WATCHED} open tickets. Stop watching some of them first.`],
  },
})

export const markTicket = defineCall({
  method: 'POST',
  path: '/api/support/tickets/:id/unread',
  summary: 'Mark a ticket unread for me, or read again',
  permission,
  params,
  body: z.strictObject({ isUnread: z.boolean() }),
  reply: z.object({ id: Id }),
  refusals: {
    not_found: notFound,
    too_many: [422, `You keep ${MAX_UNREAD} tickets unread. Open some of them first.`],
  },
})

export const listWatched = defineCall({
  method: 'GET',
  path: '/api/support/watched-tickets',
  summary: 'Tickets that I watch in which others did something since I last looked',
  permission,
  reply: z.array(
    z.object({
      id: Id,
      subject: z.string(),
      /** The newest change by others. */
      change: z.string(),
      at: Moment,
    }),
  ),
})

export const requestBookingChange = defineCall({
  method: 'POST',
  path: '/api/support/tickets/:id/booking-requests',
  summary: 'Ask the app to move or cancel a booking of the customer: a webhook event and a task',
  permission,
  params,
  body: z.union([
    z.strictObject({ change: z.literal('move'), bookingId: Id, startsAt: Instant }),
    z.strictObject({ change: z.literal('cancel'), bookingId: Id }),
  ]),
  reply: TicketTask,
  refusals: {
    not_found: notFound,
    merged,
    no_accounts: [403, 'You may not see bookings of customers.'],
    no_booking: [422, 'This booking is not of this customer, or it has begun or was canceled.'],
    past: [422, 'Select a time in the future.'],
    already: [409, 'There is an open request for this booking already.'],
    too_many: [422, 'You have too many open tasks. Finish some of them first.'],
  },
})
export type BookingChange = BodyOf<typeof requestBookingChange>

export const noteRefund = defineCall({
  method: 'POST',
  path: '/api/support/tickets/:id/refund-note',
  summary: 'Note on the ticket and on the customer that a payment is to be refunded',
  permission,
  params,
  body: z.strictObject({ paymentId: Id, amount: Money, reason: Text(500) }),
  reply: TicketDetail,
  refusals: {
    not_found: notFound,
    merged,
    no_accounts: [403, 'You may not see payments of customers.'],
    no_payment: [422, 'This payment is not of this customer, or it was not completed.'],
    too_much: [422, 'The refund must be more than $0 and at most the payment.'],
  },
})
