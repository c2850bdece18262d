import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { attachCall, readCalls } from '#kit/resource.ts'
import { Email, Id, Moment } from '#kit/values.ts'
import { BusinessStatus } from '../business/business.ts'

const businesses = { name: 'businesses', scope: 'businesses' } as const

const record = {
  name: z.string(),
  /** The last part of the address under which people of the business book. */
  custom_path: z.string(),
  admin_email: z.string(),
  rep_name: z.string().nullable(),
  location: z.string().nullable(),
  kind: z.enum(['business', 'school']),
  status: BusinessStatus,
  zone_id: Id,
  archived_at: Moment.nullable(),
  created_at: Moment,
}

export const businessCalls = {
  attach: attachCall(businesses),
  ...readCalls({
    ...businesses,
    record,
    shown: {
      name: 'Citrus Works',
      custom_path: 'citrus-works',
      admin_email: 'office@example.com',
      rep_name: 'Robin Vega',
      location: '12 Palm Ave, Riverside',
      kind: 'business',
      status: 'active',
      zone_id: 1,
      archived_at: null,
      created_at: '2026-10-02T16:00:00.000Z',
    },
  }),
  checkEmail: defineCall({
    method: 'POST',
    path: '/api/v1/businesses/:path/check-email',
    summary: 'Whether an email address may book with the business that has this custom path',
    permission: 'api-key',
    scope: 'businesses:read',
    reads: true,
    params: z.strictObject({ path: z.string().min(1).max(200) }),
    body: z.strictObject({ email: Email }),
    example: { email: 'avery@example.com' },
    reply: z.object({ id: Id, allowed: z.boolean() }),
    replyExample: { id: 6, allowed: true },
    refusals: { not_found: [404, 'There is no business with this custom path.'] },
  }),
}
