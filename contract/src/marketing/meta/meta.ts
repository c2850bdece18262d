import { z } from 'zod'
import { defineCall } from '#kit/call.ts'

const notConnected = [404, 'Meta is not connected.'] as const
const limit = { by: 'address', times: 600, seconds: 60 } as const

/** Meta verifies the webhook address once and expects its challenge back. */
export const verifyMetaHook = defineCall({
  method: 'GET',
  path: '/api/hooks/meta/leads',
  summary: 'Webhook verification by Meta',
  permission: 'public',
  machine: true,
  query: z.strictObject({
    'hub.mode': z.literal('subscribe'),
    'hub.verify_token': z.string().max(500),
    'hub.challenge': z.string().regex(/^[\w.-]{1,200}$/),
  }),
  limit,
  reply: z.unknown(),
  replyType: 'stream',
  refusals: { not_connected: notConnected, wrong_token: [403, 'The verify token is not valid.'] },
})

/** The signature covers the raw bytes. The announced leads are fetched later, by a job. */
export const receiveMetaLeads = defineCall({
  method: 'POST',
  path: '/api/hooks/meta/leads',
  summary: 'Notification of new ad form leads (Meta webhook)',
  permission: 'public',
  machine: true,
  bodyType: 'bytes',
  limit,
  reply: z.object({ success: z.literal(true), received: z.int() }),
  refusals: {
    not_connected: notConnected,
    bad_signature: [403, 'The signature is not valid.'],
    malformed: [400, 'This is not a lead notification.'],
  },
})
