import { companyDay } from '@limber/contract/kit/company.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import { formatMoney } from '@limber/contract/kit/formats/money.ts'
import { parseMoney, stringifyMoney } from '@limber/contract/kit/money.ts'
import { noteRefund, requestBookingChange } from '@limber/contract/support/related/related.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { lockCustomer } from '../customers/account-action.queries.ts'
import { findMacroTicket } from '../saved-replies/macro.queries.ts'
import { bookTask } from '../tickets/book-task.ts'
import { insertNote } from '../tickets/note.queries.ts'
import { lockTicket } from '../tickets/ticket.queries.ts'
import { insertTicketNote } from '../tickets/ticket-change.queries.ts'
import { presentTask } from '../tickets/ticket-task.present.ts'
import { findTask } from '../tickets/ticket-task.queries.ts'
import { findPayment, hasOpenRequest, lockUpcoming } from './customer-account.queries.ts'
import { seesAccounts, showDetail } from './related.routes.ts'

/** What can be done for the customer of a ticket. Bookings and payments belong to the app, so it is asked. */
export const fromTicketRoutes = [
  serve(requestBookingChange, async (context) => {
    const { params, body, db, now, worker, emit } = context
    if (!seesAccounts(worker)) throw refuse(requestBookingChange, 'no_accounts')
    const ticket = await lockTicket(db, params.id)
    if (!ticket) throw refuse(requestBookingChange, 'not_found')
    if (ticket.merged_into_id) throw refuse(requestBookingChange, 'merged', { values: { into: ticket.merged_into_id } })
    const wantedAt = body.change === 'move' ? new Date(body.startsAt) : null
    if (wantedAt !== null && wantedAt <= now) throw refuse(requestBookingChange, 'past')
    const { customer_id: customerId } = ticket
    const booking = customerId === null ? undefined : await lockUpcoming(db, body.bookingId, customerId, now)
    if (!booking) throw refuse(requestBookingChange, 'no_booking')
    if (await hasOpenRequest(db, booking.id)) throw refuse(requestBookingChange, 'already')
    const id = await bookTask(context, {
      ticketId: ticket.id,
      workerId: worker.workerId,
      kind: body.change === 'move' ? 'move_booking' : 'cancel_booking',
      dueOn: companyDay(now),
      booking: { id: booking.id, startsAt: booking.starts_at, wantedAt },
    })
    if (id === undefined) throw refuse(requestBookingChange, 'too_many')
    emit({
      type: 'booking.change_requested',
      of: 'booking',
      ids: { booking: booking.id, customer: customerId, ticket: ticket.id },
      facts: { change: body.change, starts_at: wantedAt?.toISOString() ?? null },
    })
    const task = await findTask(db, id)
    if (!task) throw new Error('A task was not stored.')
    return presentTask(task)
  }),

  serve(noteRefund, async ({ params, body, db, now, worker, audit, publish }) => {
    if (!seesAccounts(worker)) throw refuse(noteRefund, 'no_accounts')
    // The account first, as everything that changes both an account and its tickets.
    const customerId = (await findMacroTicket(db, params.id))?.customer_id ?? null
    const customer = customerId === null ? undefined : await lockCustomer(db, customerId)
    const ticket = await lockTicket(db, params.id)
    if (!ticket) throw refuse(noteRefund, 'not_found')
    if (ticket.merged_into_id) throw refuse(noteRefund, 'merged', { values: { into: ticket.merged_into_id } })
    const isOpen = customer && !customer.erased_at && !customer.merged_into_id && customer.id === ticket.customer_id
    const payment = isOpen ? await findPayment(db, body.paymentId, customer.id) : undefined
    if (!customer || !payment) throw refuse(noteRefund, 'no_payment')
    const amount = parseMoney(body.amount)
    if (amount <= 0n || amount > parseMoney(payment.amount)) throw refuse(noteRefund, 'too_much')
    const paidOn = formatDay(companyDay(payment.created_at))
    const text = `Refund ${formatMoney(body.amount)} of the payment of ${formatMoney(payment.amount)} on ${paidOn}: ${body.reason}`
    await insertTicketNote(db, ticket.id, worker.workerId, text, now)
    const { id } = await insertNote(db, customer.id, worker.workerId, `Ticket ${ticket.id}. ${text}`, now)
    const after = { payment: payment.id, amount: stringifyMoney(amount) }
    audit({ action: 'refund_noted', subject: 'ticket', subjectId: ticket.id, after })
    audit({ action: 'customer_noted', subject: 'customer', subjectId: customer.id, after: { note: id } })
    publish('tickets', { ticket: ticket.id })
    publish('customers', { customer: customer.id })
    return showDetail(db, ticket.id)
  }),
]
