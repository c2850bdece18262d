import { codeOf } from '@limber/contract/access/permissions.ts'
import {
  followUpTicket,
  linkTickets,
  listWatched,
  MAX_LINKS,
  MAX_WATCHED,
  markTicket,
  readTicketContext,
  splitTicket,
  unlinkTickets,
  watchTicket,
} from '@limber/contract/support/related/related.ts'
import { readTicket } from '@limber/contract/support/tickets/ticket.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Caller, serve } from '#platform/http/routes.ts'
import { replayTickets } from '../promises/keep-promises.ts'
import { lockUnmerged } from '../tickets/change-tickets.ts'
import { presentTicketDetail } from '../tickets/ticket.present.ts'
import { findTicketDetail, lockTicket, lockTickets } from '../tickets/ticket.queries.ts'
import { presentTask } from '../tickets/ticket-task.present.ts'
import { findTasksOf } from '../tickets/ticket-task.queries.ts'
import { findAccount } from './customer-account.queries.ts'
import { openFollowUp } from './follow-up.ts'
import {
  copyMailbox,
  countLinks,
  findLinks,
  findTicketCustomer,
  insertLink,
  insertLinkEvent,
  removeLink,
} from './link.queries.ts'
import { findSplit, moveIntoNew } from './split.queries.ts'
import { insertUnread, removeUnread } from './unread.queries.ts'
import { countWatched, findWatchedNews, findWatchers, insertWatcher, removeWatcher } from './watch.queries.ts'

export async function showDetail(db: Db, id: number) {
  const row = await findTicketDetail(db, id)
  if (!row) throw refuse(readTicket, 'not_found')
  return presentTicketDetail(row)
}

const about = (id: number) => ({ subject: 'ticket' as const, subjectId: id })
export const seesAccounts = ({ permissions }: Caller) =>
  permissions.has(codeOf('users.overview')) || permissions.has(codeOf('users.directory'))

const moment = (text: string) => new Date(text).toISOString()

async function readAccount(db: Db, customerId: number, now: Date) {
  const { bookings, payments } = await findAccount(db, customerId, now)
  return {
    bookings: bookings.map((booking) => ({ ...booking, startsAt: moment(booking.startsAt) })),
    payments: payments.map((payment) => ({ ...payment, createdAt: moment(payment.createdAt) })),
  }
}

export const relatedRoutes = [
  serve(readTicketContext, async ({ params: { id }, db, now, worker }) => {
    const customerId = await findTicketCustomer(db, id)
    if (customerId === undefined) throw refuse(readTicketContext, 'not_found')
    const accounts = seesAccounts(worker)
    return {
      links: (await findLinks(db, id)).map(({ created_at, ...link }) => ({
        ...link,
        createdAt: created_at.toISOString(),
      })),
      tasks: (await findTasksOf(db, id)).map(presentTask),
      watchers: await findWatchers(db, id),
      account: accounts && customerId !== null ? await readAccount(db, customerId, now) : null,
    }
  }),

  serve(splitTicket, async ({ params: { id }, body, db, now, worker, audit, publish }) => {
    const ticket = await lockUnmerged(splitTicket, db, id, body.version)
    const messages = await findSplit(db, id, body)
    const [first] = messages
    if (!first) throw refuse(splitTicket, 'no_message')
    if (!first.from_customer) throw refuse(splitTicket, 'not_theirs')
    if (messages.length >= ticket.message_count) throw refuse(splitTicket, 'all')
    const { workerId } = worker
    const made = await moveIntoNew(db, id, { messages, subject: body.subject, workerId }, now)
    await copyMailbox(db, id, made)
    await insertLink(db, { from: id, to: made, kind: 'split', createdBy: workerId }, now)
    await insertLinkEvent(db, made, `Split from ticket ${id}`, workerId, now)
    await insertLinkEvent(db, id, `Ticket ${made} was split off`, workerId, now)
    // Both threads changed in the past.
    await replayTickets(db, [id, made], undefined, now)
    audit({ action: 'ticket_split', ...about(id), after: { into: made, messages: messages.length } })
    publish('tickets', { ticket: id })
    publish('tickets', { ticket: made })
    return showDetail(db, made)
  }),

  serve(followUpTicket, async ({ params: { id }, db, now, worker, audit, publish }) => {
    const old = await lockTicket(db, id)
    if (!old) throw refuse(followUpTicket, 'not_found')
    if (old.merged_into_id) throw refuse(followUpTicket, 'merged', { values: { into: old.merged_into_id } })
    if (old.status !== 'closed') throw refuse(followUpTicket, 'open')
    const { workerId } = worker
    const { id: made } = await openFollowUp(db, id, { workerId, assigneeId: workerId }, now)
    audit({ action: 'ticket_followed_up', ...about(id), after: { into: made } })
    publish('tickets', { ticket: id })
    publish('tickets', { ticket: made })
    return showDetail(db, made)
  }),

  serve(linkTickets, async ({ params: { id }, body: { ticket }, db, now, worker, audit, publish }) => {
    if (ticket === id) throw refuse(linkTickets, 'itself')
    const locked = await lockTickets(db, [id, ticket])
    if (!locked.some((one) => one.id === id)) throw refuse(linkTickets, 'not_found')
    const other = locked.find((one) => one.id === ticket)
    if (!other || other.merged_into_id) throw refuse(linkTickets, 'no_other')
    for (const one of [id, ticket]) if ((await countLinks(db, one)) >= MAX_LINKS) throw refuse(linkTickets, 'too_many')
    const link = { from: id, to: ticket, kind: 'related', createdBy: worker.workerId } as const
    if (!(await insertLink(db, link, now))) throw refuse(linkTickets, 'already')
    audit({ action: 'tickets_linked', ...about(id), after: { ticket } })
    for (const one of [id, ticket]) publish('tickets', { ticket: one })
    return { id: ticket }
  }),

  serve(unlinkTickets, async ({ params: { id, other }, db, audit, publish }) => {
    if (!(await removeLink(db, id, other))) throw refuse(unlinkTickets, 'not_found')
    audit({ action: 'tickets_unlinked', ...about(id), before: { ticket: other } })
    for (const one of [id, other]) publish('tickets', { ticket: one })
    return { id: other }
  }),

  serve(watchTicket, async ({ params: { id }, body: { watches }, db, now, worker, audit, publish }) => {
    const ticket = await lockTicket(db, id)
    if (!ticket) throw refuse(watchTicket, 'not_found')
    const { workerId } = worker
    if (watches && (await countWatched(db, workerId)) >= MAX_WATCHED) throw refuse(watchTicket, 'too_many')
    const isChanged = watches ? await insertWatcher(db, id, workerId, now) : await removeWatcher(db, id, workerId)
    if (isChanged) {
      audit({ action: watches ? 'ticket_watched' : 'ticket_unwatched', ...about(id) })
      publish('tickets', { ticket: id })
    }
    return { watchers: await findWatchers(db, id) }
  }),

  serve(markTicket, async ({ params: { id }, body: { isUnread }, db, now, worker: { workerId } }) => {
    if (!(await lockTicket(db, id))) throw refuse(markTicket, 'not_found')
    if (!isUnread) await removeUnread(db, id, workerId)
    else if (!(await insertUnread(db, id, workerId, now))) throw refuse(markTicket, 'too_many')
    return { id }
  }),

  serve(listWatched, async ({ db, worker }) =>
    (await findWatchedNews(db, worker.workerId)).map(({ at, ...row }) => ({ ...row, at: at.toISOString() })),
  ),
]
