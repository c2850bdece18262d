import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Id, IdText, Moment } from '#kit/values.ts'

const Named = z.object({ id: Id, name: z.string() })

/** A secret link by which a calendar program reads on-site sessions. Neither set: all sessions. */
export const CalendarFeed = z.object({
  id: Id,
  business: Named.nullable(),
  stretcher: Named.nullable(),
  createdAt: Moment,
  createdBy: z.string(),
  lastUsedAt: Moment.nullable(),
  revokedAt: Moment.nullable(),
  revokedBy: z.string().nullable(),
})
export type CalendarFeed = z.infer<typeof CalendarFeed>

/** More links are refused. Revoked ones do not count. */
export const MAX_FEEDS = 200

export const listFeeds = defineCall({
  method: 'GET',
  path: '/api/onsite/feeds',
  summary: 'List calendar links, newest first',
  permission: 'businesses.manage',
  reply: z.object({ feeds: z.array(CalendarFeed) }),
})

export const exportFeeds = exportCall(listFeeds, 'calendar-links')

export const createFeed = defineCall({
  method: 'POST',
  path: '/api/onsite/feeds',
  summary: 'Create a calendar link for all on-site sessions, one business or one stretcher',
  permission: 'businesses.manage',
  body: z.strictObject({ business_id: Id.nullish(), stretcher_id: Id.nullish() }),
  /** The link contains a secret. It is shown only once. */
  reply: z.object({ feed: CalendarFeed, url: z.url() }),
  refusals: {
    one_kind: [400, 'Name a business or a stretcher, not both.'],
    no_business: [404, 'This business does not exist.'],
    no_stretcher: [404, 'This stretcher does not exist.'],
    too_many: [409, 'There are already 200 calendar links. Revoke one first.'],
  },
})

export const revokeFeed = defineCall({
  method: 'POST',
  path: '/api/onsite/feeds/:id/revoke',
  summary: 'Revoke a calendar link',
  permission: 'businesses.manage',
  params: z.strictObject({ id: IdText }),
  reply: z.object({ feed: CalendarFeed }),
  refusals: {
    not_found: [404, 'This calendar link does not exist.'],
    revoked: [409, 'This calendar link is already revoked.'],
  },
})

/** Calendar programs read it without a session. The token is the key. */
export const readFeed = defineCall({
  method: 'GET',
  path: '/api/calendar/:token',
  summary: 'On-site sessions as a calendar (RFC 5545), by a secret link',
  permission: 'public',
  params: z.strictObject({ token: z.string().max(100) }),
  limit: { by: 'address', times: 60, seconds: 60 },
  reply: z.unknown(),
  replyType: 'stream',
  refusals: { not_found: [404, 'This calendar link does not exist or was revoked.'] },
})
