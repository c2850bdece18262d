import { createHash, timingSafeEqual } from 'node:crypto'
import { receiveMetaLeads, verifyMetaHook } from '@limber/contract/marketing/meta/meta.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { recordInbound } from '#platform/outbox/inbound.ts'
import { fetchLeadMessage } from './fetch-meta-lead.ts'
import { insertLeadgen } from './meta.queries.ts'
import { isSigned, readAnnouncement } from './meta.rules.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

// The notification contains no personal data, so all fields may be shown.
const shows = { leadgen_id: 'plain', page_id: 'plain', form_id: 'plain', ad_id: 'plain' } as const

export const metaHookRoutes = [
  serve(verifyMetaHook, ({ query, services, reply }) => {
    const { meta } = services.config
    if (!meta) throw refuse(verifyMetaHook, 'not_connected')
    if (!timingSafeEqual(digest(query['hub.verify_token']), digest(meta.verifyToken)))
      throw refuse(verifyMetaHook, 'wrong_token')
    reply.header('content-type', 'text/plain; charset=utf-8')
    return query['hub.challenge']
  }),

  serve(
    receiveMetaLeads,
    async (context) => {
      const { request, services, db, now, enqueue } = context
      const { meta } = services.config
      if (!meta) throw refuse(receiveMetaLeads, 'not_connected')
      const { bytes, raw, id: requestId, address } = request
      const about = { kind: 'lead', visibleFields: shows, requestId, address }
      if (!isSigned(bytes, raw.headers['x-hub-signature-256'], meta.appSecret)) {
        await recordInbound(context, {
          ...about,
          key: '',
          about: 'Ad leads, not signed',
          isSigned: false,
          payload: null,
        })
        // The attempt stays recorded although the request is refused.
        throw refuse(receiveMetaLeads, 'bad_signature', { keepsWrites: true })
      }
      const announced = readAnnouncement(bytes)
      if (!announced) throw refuse(receiveMetaLeads, 'malformed')
      for (const leadgen of announced) {
        const key = leadgen.leadgen_id
        const inbound = { ...about, key, about: `Ad lead ${key}`, isSigned: true, payload: leadgen }
        const { id } = await recordInbound(context, inbound)
        if (await insertLeadgen(db, leadgen, id, now)) enqueue(fetchLeadMessage(key))
      }
      return { success: true as const, received: announced.length }
    },
    {
      // Without an account the body is not read.
      admit(_headers, { config }) {
        if (!config.meta) throw refuse(receiveMetaLeads, 'not_connected')
      },
    },
  ),
]
