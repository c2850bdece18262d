import { z } from 'zod'
import { defineCall } from '#kit/call.ts'

const notConnected = [404, 'No ad account is set up here.'] as const
const limit = { by: 'address', times: 600, seconds: 60 } as const

/** Meta asks once whether this address is ours, and expects its own words back. */
export const verifyMetaHook = defineCall({
  method: 'GET',
  path: '/api/hooks/meta/leads',
  summary: 'Meta makes sure that the webhook for leads is ours',
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
  refusals: { not_connected: notConnected, wrong_token: [403, 'The verify token does not hold.'] },
})

/** Its signature covers the very bytes; what it announces is fetched afterwards. */
export const receiveMetaLeads = defineCall({
  method: 'POST',
  path: '/api/hooks/meta/leads',
  summary: 'Leads of ad forms are announced (Meta webhook)',
  permission: 'public',
  machine: true,
  bodyType: 'bytes',
  limit,
  reply: z.object({ success: z.literal(true), received: z.int() }),
  refusals: {
    not_connected: notConnected,
    bad_signature: [403, 'The signature does not hold.'],
    malformed: [400, 'This is no announcement of leads.'],
  },
})
