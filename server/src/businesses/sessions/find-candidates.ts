import { blockHours } from '@limber/contract/businesses/blocks/block.ts'
import type { Candidate, CandidateList } from '@limber/contract/businesses/sessions/onsite.ts'
import { DAY, HOUR, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { findSessionStretchers } from '#stretchers/public.ts'
import { bareMoment } from '../blocks/block.present.ts'
import type { BlockRecord } from '../blocks/block.queries.ts'
import { sessionEnd } from '../blocks/block.rules.ts'
import type { BusinessRecord } from '../business/business.queries.ts'
import { presentClash } from './onsite.present.ts'
import { findBusy } from './onsite.queries.ts'
import { earliest, findClash, findStarts, MAX_AHEAD, rank, SEARCH_WINDOW } from './onsite.rules.ts'

const MAX_SUGGESTIONS = 3
const MAX_SESSION_LENGTH = Math.max(...blockHours) * HOUR

interface CandidateRequest {
  block: BlockRecord
  business: BusinessRecord
  startsAt: Date
  now: Date
}

/** The stretchers of the zone for a block and a start, and other possible starts. Suggests no start that would be refused. */
export async function findCandidates(
  db: Db,
  { block, business, startsAt, now }: CandidateRequest,
): Promise<CandidateList> {
  const { time_zone, zone_name, zone_id } = business
  const endsAt = sessionEnd(startsAt, block.block_hours)
  const stretchers = await findSessionStretchers(db, { zoneId: zone_id, at: startsAt })
  const after = startsAt > now ? startsAt : now
  const ids = stretchers.map(({ id }) => id)
  const from = startsAt < shift(now, -DAY) ? shift(now, -DAY) : startsAt
  // Bookings after the last start can still overlap its session.
  const busy = await findBusy(db, ids, {
    from,
    to: shift(after, SEARCH_WINDOW + MAX_SESSION_LENGTH),
    exceptBlock: block.id,
  })
  const byStretcher = Map.groupBy(busy, ({ stretcher_id }) => stretcher_id)
  const search = {
    after,
    latest: shift(now, MAX_AHEAD),
    hours: block.block_hours,
    zone: time_zone,
    count: MAX_SUGGESTIONS,
    blockUntil: block.expires_on,
  }
  const candidates = stretchers.map(({ id, name, readiness, lacks, ready_until }): Candidate => {
    const theirs = byStretcher.get(id) ?? []
    const clash = findClash(theirs, startsAt, endsAt)
    const isReady = readiness === 'ready'
    return {
      id,
      name,
      state: isReady ? (clash ? 'busy' : 'free') : readiness === 'in_training' ? 'in_training' : 'not_certified',
      clash: isReady && clash ? presentClash(clash) : null,
      lacks,
      next_starts: isReady ? findStarts(theirs, { ...search, readyUntil: ready_until }).map(bareMoment) : [],
    }
  })
  const starts = candidates.flatMap(({ id, next_starts }) =>
    next_starts.map((starts_at) => ({ starts_at, stretcher_id: id })),
  )
  return {
    time_zone,
    zone_name,
    ends_at: bareMoment(endsAt),
    candidates: rank(candidates),
    next_starts: earliest(starts, MAX_SUGGESTIONS),
  }
}
