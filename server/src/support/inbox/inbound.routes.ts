import { receiveTicketMessage } from '@limber/contract/support/inbox/inbound.ts'
import { serve } from '#platform/http/routes.ts'
import { recordInbound, settleInbound } from '#platform/outbox/inbound.ts'
import { assignTickets } from '../assignment/assign-tickets.ts'
import { handOverReply } from '../assignment/hand-over.ts'
import { placeReply } from '../related/follow-up.ts'
import {
  findReceived,
  findRepliedTicket,
  insertInboundMessage,
  insertInboundTicket,
  linkForwarded,
} from './inbound.queries.ts'
import { referencesOf, ticketSubject } from './inbound.rules.ts'

export const inboundRoutes = [
  serve(receiveTicketMessage, async ({ body, db, now, audit, publish, request }) => {
    const { messageId, from, to, subject, content, references } = body
    const { id } = await recordInbound(
      { db, now, publish },
      {
        kind: 'ticket_message',
        key: messageId,
        about: 'Customer message',
        isSigned: true,
        payload: body,
        visibleFields: {
          messageId: 'length',
          from: 'address',
          to: 'address',
          subject: 'length',
          content: 'length',
          references: 'length',
        },
        requestId: request.id,
        address: request.address,
      },
    )
    // The inbound row is locked until commit: of two concurrent deliveries, the second finds the message of the first.
    const known = await findReceived(db, messageId)
    if (known) return { ticketId: known.ticket_id, isNew: false }
    const answered = await findRepliedTicket(db, referencesOf(subject, references), from)
    const place = answered === undefined ? undefined : await placeReply(db, answered, now)
    const replied = place?.old === undefined ? place?.id : undefined
    const ticketId = place?.id ?? (await insertInboundTicket(db, from, ticketSubject(subject), now))
    if (place === undefined && to !== undefined) await linkForwarded(db, ticketId, to)
    await insertInboundMessage(db, { ticketId, content, sender: from, key: messageId }, now)
    await settleInbound({ db, now, publish }, id, { status: 'done' })
    if (replied === undefined) await assignTickets({ db, now, audit, publish }, [ticketId])
    else await handOverReply({ db, now, audit, publish }, ticketId)
    publish('tickets', { ticket: ticketId })
    if (place?.old !== undefined) publish('tickets', { ticket: place.old })
    return { ticketId, isNew: replied === undefined }
  }).expecting({ tickets_customer_id_fkey: 'conflict' }),
]
