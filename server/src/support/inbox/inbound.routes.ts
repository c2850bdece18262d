import { receiveTicketMessage } from '@limber/contract/support/inbox/inbound.ts'
import { serve } from '#platform/http/routes.ts'
import { recordInbound, settleInbound } from '#platform/outbox/inbound.ts'
import { admitByKey } from '#platform/security/admit-by-key.ts'
import { findAnswered, findBrought, insertBrought, insertBroughtTicket } from './inbound.queries.ts'
import { namedBy, subjectOf } from './inbound.rules.ts'

export const inboundRoutes = [
  serve(
    receiveTicketMessage,
    async ({ body, db, now, publish, request }) => {
      const { messageId, from, subject, content, references } = body
      const { id } = await recordInbound(
        { db, now, publish },
        {
          kind: 'ticket_message',
          key: messageId,
          about: 'A message of a customer',
          isSigned: true,
          payload: body,
          shows: { messageId: 'length', from: 'address', subject: 'length', content: 'length', references: 'length' },
          requestId: request.id,
          address: request.address,
        },
      )
      // The inbound row is locked until commit: of two concurrent deliveries, the second finds the message of the first.
      const known = await findBrought(db, messageId)
      if (known) return { ticketId: known.ticket_id, isNew: false }
      const answered = await findAnswered(db, namedBy(subject, references), from)
      const ticketId = answered ?? (await insertBroughtTicket(db, from, subjectOf(subject), now))
      await insertBrought(db, { ticketId, content, key: messageId }, now)
      await settleInbound({ db, now, publish }, id, { status: 'done' })
      publish('tickets', { ticket: ticketId })
      return { ticketId, isNew: answered === undefined }
    },
    { admit: admitByKey(receiveTicketMessage, 'x-support-key', ({ supportKey }) => supportKey) },
  ).expecting({ tickets_customer_id_fkey: 'conflict' }),
]
