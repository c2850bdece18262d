import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  type CalendarFeed,
  createFeed,
  listFeeds,
  MAX_FEEDS,
  readFeed,
  revokeFeed,
} from '@limber/contract/businesses/feeds/calendar-feed.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { hashToken } from '#platform/security/secrets.ts'
import { lockAgainstDeletion } from '../business/business.queries.ts'
import {
  countFeedsLocked,
  type FeedRow,
  type FeedSession,
  findFeed,
  findFeedSessions,
  findFeeds,
  insertFeed,
  lockStretcher,
  openFeed,
  revokeFeedRow,
} from './calendar-feed.queries.ts'
import { type CalendarEvent, printCalendar } from './icalendar.rules.ts'

const MAX_LISTED = 500
const TOKEN_BYTES = 32

const present = (row: FeedRow): CalendarFeed => ({
  id: row.id,
  business: row.business,
  stretcher: row.stretcher,
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  revokedAt: row.revoked_at?.toISOString() ?? null,
  revokedBy: row.revoked_by,
})

/** No participants. A business sees the first name of the stretcher only. */
const toEvent = (session: FeedSession, isForBusiness: boolean, host: string): CalendarEvent => {
  const { first_name, last_name, slots, taken_slots } = session
  const taken = slots > 0 ? ` ${taken_slots} of ${slots} slots taken.` : ''
  return {
    uid: `onsite-session-${session.id}@${host}`,
    sequence: session.version,
    startsAt: session.starts_at,
    endsAt: session.ends_at,
    summary: `On-site session: ${session.business_name}`,
    location: session.location,
    description: `Stretcher: ${isForBusiness ? first_name : `${first_name} ${last_name}`}.${taken}`,
    isCancelled: session.cancelled_at !== null,
  }
}

export const calendarFeedRoutes = [
  serve(listFeeds, async ({ db }) => ({ feeds: (await findFeeds(db, MAX_LISTED)).map(present) })),

  serve(
    createFeed,
    async ({ body: { business_id = null, stretcher_id = null }, db, worker, now, audit, publish, services }) => {
      if (business_id !== null && stretcher_id !== null) throw refuse(createFeed, 'one_kind')
      if (business_id !== null && !(await lockAgainstDeletion(db, business_id))) throw refuse(createFeed, 'no_business')
      if (stretcher_id !== null && !(await lockStretcher(db, stretcher_id))) throw refuse(createFeed, 'no_stretcher')
      if ((await countFeedsLocked(db)) >= MAX_FEEDS) throw refuse(createFeed, 'too_many')
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      const { id } = await insertFeed(db, {
        business_id,
        stretcher_id,
        token_hash: hashToken(token),
        created_by: worker.workerId,
        created_at: now,
      })
      audit({
        action: 'calendar_link_created',
        subject: 'calendar_feed',
        subjectId: id,
        after: { business_id, stretcher_id },
      })
      publish('businesses')
      const feed = await findFeed(db, id)
      if (!feed) throw new Error('The calendar link was not stored')
      return { feed: present(feed), url: `${services.config.publicUrl}/api/calendar/${token}.ics` }
    },
    { isSecret: true },
  ),

  serve(revokeFeed, async ({ params: { id }, db, worker, now, audit, publish }) => {
    if (!(await findFeed(db, id))) throw refuse(revokeFeed, 'not_found')
    if (!(await revokeFeedRow(db, id, worker.workerId, now))) throw refuse(revokeFeed, 'revoked')
    audit({ action: 'calendar_link_revoked', subject: 'calendar_feed', subjectId: id })
    publish('businesses')
    const feed = await findFeed(db, id)
    if (!feed) throw refuse(revokeFeed, 'not_found')
    return { feed: present(feed) }
  }),

  serve(readFeed, async ({ params, db, now, reply, services }) => {
    const token = params.token.replace(/\.ics$/, '')
    const feed = await openFeed(db, hashToken(token), now)
    if (!feed) throw refuse(readFeed, 'not_found')
    const sessions = await findFeedSessions(db, feed, now)
    const { host } = new URL(services.config.publicUrl)
    const events = sessions.map((session) => toEvent(session, feed.business_id !== null, host))
    reply.header('content-type', 'text/calendar; charset=utf-8')
    reply.header('content-disposition', 'inline; filename="on-site-sessions.ics"')
    reply.header('cache-control', 'private, max-age=300')
    return Readable.from(printCalendar('On-site sessions', events, now))
  }),
]
