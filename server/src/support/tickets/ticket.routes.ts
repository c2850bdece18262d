import { companyDay } from '@limber/contract/kit/company.ts'
import {
  countTickets,
  createTicket,
  listPresence,
  listTickets,
  listTicketWorkers,
  mergeTicket,
  noteTicket,
  readTicket,
  reportPresence,
  type TicketQuery,
} from '@limber/contract/support/tickets/ticket.ts'
import { DAY, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { containing, containingPhone, hasTrigram } from '#platform/db/like.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { assignTickets } from '../assignment/assign-tickets.ts'
import { sendCustomerEmail } from '../inbox/send-customer-email.ts'
import { moveRelated } from '../related/link.queries.ts'
import { spanOf } from '../report/span.ts'
import { HANDLE_PERMISSION, lockUnmerged, showTicket } from './change-tickets.ts'
import { findPresence, recordPresence } from './presence.queries.ts'
import { respondRoute } from './respond.routes.ts'
import { presentDesk, presentTicket, presentTicketDetail } from './ticket.present.ts'
import {
  countMatching,
  findDesk,
  findTicketDetail,
  findTickets,
  lockTicket,
  lockTickets,
  readTicketCounts,
  type TicketFilter,
} from './ticket.queries.ts'
import { confirmationText, emailSubject, MIN_MESSAGE_SEARCH, ticketNumber } from './ticket.rules.ts'
import {
  changeTicket,
  findTicketWorkers,
  insertFirstMessage,
  insertTicket,
  insertTicketNote,
  moveThread,
} from './ticket-change.queries.ts'
import { ticketChangeRoutes } from './ticket-change.routes.ts'

const RECENTLY_CLOSED = 7 * DAY

/** Which tickets the list shows. */
export function ticketsOf(query: Omit<TicketQuery, 'page' | 'limit'>, workerId: number): TicketFilter {
  const { search, queue, assignee, tag, status, priority, kind, figure, channel } = query
  return {
    pattern: search === '' ? undefined : containing(search),
    number: ticketNumber(search),
    phone: containingPhone(search),
    inMessages: search.length >= MIN_MESSAGE_SEARCH,
    canUseIndex: hasTrigram(search),
    queue: queue === 'mine' ? { mine: workerId } : queue === 'watching' ? { watchedBy: workerId } : queue,
    status,
    priority,
    kind,
    tag,
    channel,
    figure: figure ? { name: figure, ...spanOf(query) } : undefined,
    assignee: assignee === 'me' ? workerId : assignee,
  }
}

async function showDetail(db: Db, id: number) {
  const row = await findTicketDetail(db, id)
  if (!row) throw refuse(readTicket, 'not_found')
  return presentTicketDetail(row)
}

const about = (id: number) => ({ subject: 'ticket' as const, subjectId: id })

export const ticketRoutes = [
  serve(listTickets, async ({ query: { page, limit, ...query }, db, worker }) =>
    (await findTickets(db, ticketsOf(query, worker.workerId), limit, (page - 1) * limit)).map(presentTicket),
  ),

  serve(countTickets, async ({ query, db, now, worker }) => {
    const { stats, ...counts } = await readTicketCounts(db)
    const desk = await findDesk(db, worker.workerId, shift(now, -RECENTLY_CLOSED))
    return {
      stats,
      desk: presentDesk({ ...counts, ...desk }),
      ...(await countMatching(db, ticketsOf(query, worker.workerId))),
    }
  }),

  serve(readTicket, ({ params, db }) => showDetail(db, params.id)),

  serve(listTicketWorkers, ({ db, now }) => findTicketWorkers(db, HANDLE_PERMISSION, companyDay(now))),

  serve(createTicket, async (context) => {
    const { body, db, now, worker, audit, publish, services } = context
    const ticket = await insertTicket(db, body, worker.workerId, now)
    const key = `ticket-opened-${ticket.id}`
    await insertFirstMessage(db, ticket.id, { content: body.content, workerId: worker.workerId, outboxKey: key }, now)
    await sendCustomerEmail(context, services, {
      key,
      type: 'ticket_confirmation',
      customerId: ticket.customer_id,
      about: `ticket ${ticket.id}: confirmation`,
      to: body.customer_email,
      subject: emailSubject({ id: ticket.id, subject: body.subject }, false),
      text: confirmationText(body.content),
    })
    audit({ action: 'ticket_created', ...about(ticket.id), after: { priority: body.priority } })
    await assignTickets(context, [ticket.id])
    publish('tickets', { ticket: ticket.id })
    return showTicket(db, ticket.id)
  }).expecting({ tickets_customer_id_fkey: 'conflict' }),

  respondRoute,

  ...ticketChangeRoutes,

  serve(noteTicket, async ({ params: { id }, body, db, now, worker, audit, publish }) => {
    const ticket = await lockTicket(db, id)
    if (!ticket) throw refuse(noteTicket, 'not_found')
    if (ticket.merged_into_id) throw refuse(noteTicket, 'merged', { values: { into: ticket.merged_into_id } })
    await insertTicketNote(db, id, worker.workerId, body.content, now)
    audit({ action: 'ticket_noted', ...about(id) })
    publish('tickets', { ticket: id })
    return showDetail(db, id)
  }),

  serve(mergeTicket, async ({ params: { id }, body, db, now, worker, audit, publish, emit }) => {
    const { into, version } = body
    if (into === id) throw refuse(mergeTicket, 'itself')
    // Lock the lower id first, so that two opposite merges cannot deadlock.
    await lockTickets(db, [id, into])
    const source = await lockUnmerged(mergeTicket, db, id, version)
    const target = await lockUnmerged(mergeTicket, db, into, undefined)
    if (source.customer_email !== target.customer_email && body.isSamePerson !== true)
      throw refuse(mergeTicket, 'other_customer', { values: { email: target.customer_email } })
    const { workerId } = worker
    await changeTicket(db, id, {}, { kind: 'merged', text: `Merged into ticket ${into}`, workerId }, now)
    await changeTicket(db, into, {}, { kind: 'merged', text: `Ticket ${id} was merged into this one`, workerId }, now)
    await moveThread(db, id, into, target.version + 2, now)
    await moveRelated(db, id, into)
    audit({ action: 'ticket_merged', ...about(id), after: { into } })
    if (source.status !== 'closed')
      emit({ type: 'ticket.closed', of: 'ticket', ids: { ticket: id, customer: source.customer_id } })
    publish('tickets', { ticket: id })
    publish('tickets', { ticket: into })
    return showDetail(db, into)
  }),

  serve(listPresence, ({ db, now, worker }) => findPresence(db, worker.workerId, now)),

  serve(
    reportPresence,
    async ({ params, body, db, now, worker }) => {
      const presence = { ticketId: params.id, workerId: worker.workerId, name: worker.name, state: body.state }
      const others = await recordPresence(db, presence, now)
      if (!others) throw refuse(reportPresence, 'not_found')
      return { others }
    },
    { transaction: 'none' },
  ),
]
