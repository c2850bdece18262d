import { respondToTicket } from '@limber/contract/support/tickets/ticket.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { messageIdOf } from '#platform/mail/mail.ts'
import { findTicketMailbox } from '../inbox/inbound.queries.ts'
import { isMessageId } from '../inbox/inbound.rules.ts'
import { sendCustomerEmail } from '../inbox/send-customer-email.ts'
import { presentTicketDetail } from './ticket.present.ts'
import { findThread, findTicketDetail, lockTicket, type ThreadMail } from './ticket.queries.ts'
import { emailSubject, hasUnseenMessage, statusEvent, threadHeaders } from './ticket.rules.ts'
import { changeTicket, insertReply } from './ticket-change.queries.ts'

async function show(db: Db, id: number) {
  const row = await findTicketDetail(db, id)
  if (!row) throw refuse(respondToTicket, 'not_found')
  return presentTicketDetail(row)
}

/** The Message-ID of an email in the thread. */
function emailIdOf({ ours, theirs }: ThreadMail, hostname: string): string[] {
  if (ours !== null) return [messageIdOf(ours, hostname)]
  return theirs !== null && isMessageId(theirs) ? [theirs] : []
}

/** A reply goes to the thread and, by email, to the customer. It is refused when someone has written since. */
export const respondRoute = serve(respondToTicket, async (context) => {
  const { params, body, db, now, worker, audit, publish, emit, services } = context
  const { workerId } = worker
  if (body.workerId === undefined || body.workerId === null) throw refuse(respondToTicket, 'no_worker')
  if (body.workerId !== workerId) throw refuse(respondToTicket, 'other_worker')
  const ticket = await lockTicket(db, params.id)
  if (!ticket) throw refuse(respondToTicket, 'not_found')
  if (ticket.merged_into_id) throw refuse(respondToTicket, 'merged', { values: { into: ticket.merged_into_id } })
  const { newest, mails } = await findThread(db, ticket.id)
  if (hasUnseenMessage(body.version, newest))
    throw refuse(respondToTicket, 'replied_meanwhile', { current: await show(db, ticket.id) })
  const isNewStatus = body.status !== undefined && body.status !== ticket.status
  if (isNewStatus && body.status) {
    const event = { kind: 'status', text: statusEvent(body.status), workerId } as const
    await changeTicket(db, ticket.id, { status: body.status }, event, now)
  }
  const version = ticket.version + (isNewStatus ? 2 : 1)
  const draft = { ticketId: ticket.id, workerId, content: body.message, version }
  const reply = await insertReply(db, draft, now)
  const headers = threadHeaders(mails.flatMap((mail) => emailIdOf(mail, services.config.hostname)))
  const mailbox = await findTicketMailbox(db, ticket.id)
  await sendCustomerEmail(context, services, {
    key: reply.outbox_key,
    type: 'ticket_reply',
    customerId: ticket.customer_id,
    about: `ticket ${ticket.id}: reply`,
    to: ticket.customer_email,
    subject: emailSubject(ticket, true),
    text: body.message,
    ...(headers && { headers }),
    ...(mailbox !== undefined && { mailbox }),
  })
  const status = isNewStatus ? { before: { status: ticket.status }, after: { status: body.status } } : {}
  audit({ action: 'ticket_replied', subject: 'ticket', subjectId: ticket.id, ...status })
  const ids = { ticket: ticket.id, customer: ticket.customer_id }
  emit({ type: 'ticket.replied', of: 'ticket', ids })
  if (isNewStatus && body.status === 'closed') emit({ type: 'ticket.closed', of: 'ticket', ids })
  publish('tickets', { ticket: ticket.id })
  return show(db, ticket.id)
})
