import { paginate } from '@limber/contract/kit/page.ts'
import { listUsers } from '@limber/contract/support/customers/customer.ts'
import { listUserTickets, readUser } from '@limber/contract/support/customers/user.ts'
import { listDraftFiles } from '@limber/contract/support/files/ticket-file.ts'
import { listQueues } from '@limber/contract/support/queues/queue.ts'
import { listTags } from '@limber/contract/support/queues/tag.ts'
import { readTicketContext } from '@limber/contract/support/related/related.ts'
import { listSavedReplies } from '@limber/contract/support/saved-replies/saved-reply.ts'
import {
  countTickets,
  listPresence,
  listTickets,
  listTicketWorkers,
  readTicket,
  reportPresence,
  type Ticket,
  type TicketDetail,
} from '@limber/contract/support/tickets/ticket.ts'
import { listTimeline } from '@limber/contract/support/timeline/timeline.ts'
import { FakeServer } from '#platform/testing/testing.tsx'

type Message = TicketDetail['messages'][number]

export const makeMessage = (more: Partial<Message> = {}): Message => ({
  id: 1,
  from_customer: true,
  content: 'My card was charged two times.',
  createdAt: '2026-11-14T18:12:00.000Z',
  worker: null,
  delivery: null,
  sender: null,
  email: null,
  files: [],
  ...more,
})

export const makeTicket = (more: Partial<TicketDetail> = {}): TicketDetail => {
  const messages = more.messages ?? [makeMessage()]
  return {
    id: 4127,
    status: 'open',
    subject: 'Charged twice for Saturday session',
    customer_email: 'camille.okafor@example.com',
    createdAt: '2026-11-14T18:12:00.000Z',
    updatedAt: '2026-11-14T18:12:00.000Z',
    priority: 'high',
    customer: { id: 31, name: 'Camille Okafor', verified: true, rank: 'Gold', points: 2_340 },
    assignee: null,
    waitingSince: '2026-11-14T18:12:00.000Z',
    kind: null,
    tags: [],
    snoozed: null,
    promise: null,
    version: 1,
    messageCount: messages.length,
    notes: [],
    events: [],
    mergedInto: null,
    promises: [],
    rating: null,
    satisfaction: null,
    replyTo: more.customer_email ?? 'camille.okafor@example.com',
    others: [],
    ...more,
    messages,
  }
}

const rowOf = ({
  notes: _n,
  events: _e,
  promises: _p,
  rating: _r,
  satisfaction: _s,
  mergedInto: _m,
  replyTo: _t,
  others: _o,
  ...ticket
}: TicketDetail): Ticket => ({
  ...ticket,
  messages: ticket.messages.map(({ delivery: _d, sender: _s, email: _e, files: _f, ...message }) => message),
})

/** A server with these tickets, which a test can change while the screen is open. */
export function serveTickets(...tickets: TicketDetail[]) {
  const state = { tickets }
  const find = (id: number) => state.tickets.find((one) => one.id === id) ?? makeTicket({ id })
  const put = (ticket: TicketDetail) => {
    state.tickets = state.tickets.map((one) => (one.id === ticket.id ? ticket : one))
    return ticket
  }
  const statsOf = () => {
    const of = (status: string) => state.tickets.filter((one) => one.status === status).length
    return { open: of('open'), in_progress: of('in_progress'), closed: of('closed') }
  }
  const server = new FakeServer()
    .answer(listTickets, ({ query }) =>
      state.tickets
        .filter((one) => !query.status || one.status === query.status)
        .filter((one) => query.queue !== 'waiting' || one.waitingSince !== null)
        .map(rowOf),
    )
    .answer(countTickets, () => ({
      stats: statsOf(),
      desk: { waiting: 1, oldestWaiting: '2026-11-14T18:12:00.000Z', highOpen: 1, mineInProgress: 2, closedLately: 3 },
      matching: state.tickets.length,
      isMore: false,
    }))
    .answer(readTicket, ({ params }) => find(params.id))
    .answer(listTicketWorkers, [
      { id: 7, name: 'Priya Raman', open: 2, awayUntil: null },
      { id: 8, name: 'Dana Whitfield', open: 4, awayUntil: null },
    ])
    .answer(listTags, [{ id: 3, name: 'short session', tickets: 12, version: 1 }])
    .answer(listQueues, {
      queues: { mine: 2, unassigned: 0, breaching: 0, waiting: 1, high: 1, watching: 0, snoozed: 0, all: 3 },
      views: [],
      unread: [],
      failingMailboxes: [],
    })
    .answer(listPresence, [])
    .answer(readTicketContext, { links: [], tasks: [], watchers: [], account: null })
    .answer(listTimeline, { entries: [], next: null, failed: [] })
    .answer(listDraftFiles, [])
    .answer(listSavedReplies, [])
    .answer(listUsers, { users: [], pagination: { ...paginate(1, 5, 0), pages: 0 } })
    .answer(reportPresence, { others: [] })
    .answer(listUserTickets, { recentTickets: [], ticketHistory: [] })
    .answer(readUser, {
      personalInfo: { id: 31, email: 'camille.okafor@example.com', name: 'Camille Okafor', phone: null },
      accountStatus: {
        joinDate: '2025-01-01T00:00:00.000Z',
        lastLogin: null,
        emailVerified: true,
        waiverSigned: true,
        totalLogins: 4,
        status: 'active',
        blockedReason: null,
        blockedBy: null,
        mergedInto: null,
        isErased: false,
        isStretcher: false,
        eraseBar: null,
      },
      engagement: {
        customerType: 'individual',
        valueTier: 'high',
        lifecycleStage: 'active',
        score: 80,
        points: 2_340,
        totalPointsEarned: 4_000,
        rank: 'Gold',
        credits: 3,
      },
      activity: {
        bookings: { total: 27, lastBooking: '2026-11-14T16:00:00.000Z' },
        referrals: { total: 0, successful: 0, by: null, people: [] },
        rewards: { total: 0, lastRedemption: null },
        tickets: null,
      },
      recentSupport: [],
      glance: { zone: null, isLocated: false, nextSession: null, promises: null },
      version: 1,
    })
  return { server, state, find, put, rowOf, statsOf }
}
