import { receiveMessage, receiveMessageState } from '@limber/contract/support/texts/message.ts'
import { runWork } from '#platform/db/work.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type RequestFacts, serve } from '#platform/http/routes.ts'
import { recordInbound, settleInbound } from '#platform/outbox/inbound.ts'
import { isSignedText, textError, textState } from '#platform/outbox/texts.ts'
import type { Services } from '#platform/services.ts'
import { applyConsent } from './opt-out.ts'
import { insertReceived, saveDeliveryState, setSid } from './text.queries.ts'
import { consentRequest, InboundText, TextReport } from './text.rules.ts'

type Outcome = 'done' | 'bad_signature' | 'malformed'

// Twilio signs the public URL, whatever proxy the request came through.
const isSigned = ({ config }: Services, { raw }: RequestFacts, fields: Record<string, string>) =>
  config.texts !== undefined &&
  isSignedText(config.texts.authToken, raw.headers['x-twilio-signature'], config.publicUrl + raw.url, fields)

export const textHookRoutes = [
  serve(
    receiveMessage,
    async ({ body, request, reply, services, now }) => {
      if (!services.texts) throw refuse(receiveMessage, 'not_connected')
      const signed = isSigned(services, request, body)
      const read = InboundText.safeParse(body)
      const actor = { call: 'POST /api/hooks/twilio/message', requestId: request.id }
      const outcome = await runWork<Outcome>(services, actor, async (work) => {
        const { id, isKnown } = await recordInbound(work, {
          kind: 'text_message',
          key: body.MessageSid ?? '',
          about: 'A text message',
          isSigned: signed,
          payload: body,
          visibleFields: { MessageSid: 'plain', From: 'phone', To: 'phone', Body: 'length', NumMedia: 'plain' },
          requestId: request.id,
          address: request.address,
        })
        if (!signed) return 'bad_signature'
        if (isKnown) return 'done'
        if (!read.success) {
          await settleInbound(work, id, { status: 'failed', error: 'The request could not be read.' })
          return 'malformed'
        }
        const { MessageSid: sid, From: from_number, To: to_number, Body, NumMedia: media } = read.data
        await insertReceived(work.db, {
          sid,
          is_outgoing: false,
          from_number,
          to_number,
          body: Body,
          media,
          state: 'received',
          error: null,
          sent_at: now,
          worker_id: null,
          outbox_key: null,
        })
        const asked = consentRequest(Body)
        if (asked) await applyConsent(work.db, from_number, asked, now)
        await settleInbound(work, id, { status: 'done' })
        work.publish('texts')
        return 'done'
      })
      if (outcome !== 'done') throw refuse(receiveMessage, outcome)
      reply.header('content-type', 'text/xml; charset=utf-8')
      return '<?xml version="1.0" encoding="UTF-8"?><Response></Response>'
    },
    { transaction: 'none' },
  ),

  serve(
    receiveMessageState,
    async ({ body, query: { key }, request, services }) => {
      if (!services.texts) throw refuse(receiveMessageState, 'not_connected')
      const signed = isSigned(services, request, body)
      const read = TextReport.safeParse(body)
      const actor = { call: 'POST /api/hooks/twilio/status', requestId: request.id }
      const outcome = await runWork<Outcome>(services, actor, async (work) => {
        const { id, isKnown } = await recordInbound(work, {
          kind: 'text_status',
          key: `${body.MessageSid}:${body.MessageStatus}`,
          about: 'Text message state',
          isSigned: signed,
          payload: body,
          visibleFields: {
            MessageSid: 'plain',
            MessageStatus: 'plain',
            ErrorCode: 'plain',
            To: 'phone',
            From: 'phone',
          },
          requestId: request.id,
          address: request.address,
        })
        if (!signed) return 'bad_signature'
        if (isKnown) return 'done'
        if (!read.success) {
          await settleInbound(work, id, { status: 'failed', error: 'The request could not be read.' })
          return 'malformed'
        }
        const { MessageSid: sid, MessageStatus: status, ErrorCode: code } = read.data
        if (key) await setSid(work.db, key, sid)
        if (await saveDeliveryState(work.db, sid, textState(status), textError(code))) work.publish('texts')
        await settleInbound(work, id, { status: 'done' })
        return 'done'
      })
      if (outcome !== 'done') throw refuse(receiveMessageState, outcome)
      return { success: true as const }
    },
    { transaction: 'none' },
  ),
]
