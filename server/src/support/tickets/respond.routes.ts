import { MAX_MESSAGE_BYTES } from '@limber/contract/support/files/ticket-file.ts'
import { respondToTicket } from '@limber/contract/support/tickets/ticket.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { messageIdOf } from '#platform/mail/mail.ts'
import { findTakesOnReply } from '../assignment/assignment-setting.ts'
import { fileKey } from '../files/store-file.ts'
import { attachFiles, lockDraftFiles } from '../files/ticket-file.queries.ts'
import { findTicketMailbox } from '../inbox/inbound.queries.ts'
import { isMessageId } from '../inbox/inbound.rules.ts'
import { sendCustomerEmail } from '../inbox/send-customer-email.ts'
import { openMacro, runMacro } from '../saved-replies/run-macro.ts'
import { applyChange } from './change-tickets.ts'
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

/** The files that leave with a reply. */
async function lockFiles(db: Db, draft: { ticketId: number; workerId: number }, ids: readonly number[]) {
  if (ids.length === 0) return []
  const files = await lockDraftFiles(db, draft, ids)
  if (files.length !== ids.length) throw refuse(respondToTicket, 'no_file')
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_MESSAGE_BYTES) throw refuse(respondToTicket, 'too_large')
  return files.map(({ name, filename, mime_type: type, state }) => {
    if (state !== 'ready' || name === null) throw refuse(respondToTicket, 'unscanned')
    return { key: fileKey(name), filename, type }
  })
}

/** A reply goes to the thread and, by email, to the customer. It is refused when someone has written since. */
export const respondRoute = serve(respondToTicket, async (context) => {
  const { params, body, db, now, worker, audit, publish, emit, services } = context
  const { workerId } = worker
  if (body.workerId === undefined || body.workerId === null) throw refuse(respondToTicket, 'no_worker')
  if (body.workerId !== workerId) throw refuse(respondToTicket, 'other_worker')
  const macro = body.macro && (await openMacro(db, params.id, body.macro))
  const ticket = await lockTicket(db, params.id)
  if (!ticket) throw refuse(respondToTicket, 'not_found')
  if (ticket.merged_into_id) throw refuse(respondToTicket, 'merged', { values: { into: ticket.merged_into_id } })
  const { newest, mails, sender } = await findThread(db, ticket.id)
  if (hasUnseenMessage(body.version, newest))
    throw refuse(respondToTicket, 'replied_meanwhile', { current: await show(db, ticket.id) })
  const files = await lockFiles(db, { ticketId: ticket.id, workerId }, body.files ?? [])
  const isNewStatus = body.status !== undefined && body.status !== ticket.status
  if (isNewStatus && body.status) {
    const event = { kind: 'status', text: statusEvent(body.status), workerId } as const
    await changeTicket(db, ticket.id, { status: body.status }, event, now)
  }
  if (macro) await runMacro(context, ticket, macro)
  const isAssigning = macro?.chosen.some(({ type }) => type === 'assign')
  if (ticket.assignee_id === null && !isAssigning && (await findTakesOnReply(db)))
    await applyChange(context, [ticket], { workerId })
  const reply = await insertReply(db, { ticketId: ticket.id, workerId, content: body.message }, now)
  if (body.files && files.length > 0) await attachFiles(db, body.files, reply.id)
  const headers = threadHeaders(mails.flatMap((mail) => emailIdOf(mail, services.config.hostname)))
  const mailbox = await findTicketMailbox(db, ticket.id)
  await sendCustomerEmail(context, services, {
    key: reply.outbox_key,
    type: 'ticket_reply',
    customerId: ticket.customer_id,
    about: `ticket ${ticket.id}: reply`,
    to: sender ?? ticket.customer_email,
    subject: emailSubject(ticket, true),
    text: body.message,
    ...(headers && { headers }),
    ...(mailbox !== undefined && { mailbox }),
    ...(files.length > 0 && { files }),
  })
  const status = isNewStatus ? { before: { status: ticket.status }, after: { status: body.status } } : {}
  audit({ action: 'ticket_replied', subject: 'ticket', subjectId: ticket.id, ...status })
  const ids = { ticket: ticket.id, customer: ticket.customer_id }
  emit({ type: 'ticket.replied', of: 'ticket', ids })
  if (isNewStatus && body.status === 'closed') emit({ type: 'ticket.closed', of: 'ticket', ids })
  publish('tickets', { ticket: ticket.id })
  return show(db, ticket.id)
})
