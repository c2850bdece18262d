import {
  activateBlock,
  cancelSession,
  changeStretcher,
  listCandidates,
  listSoonSessions,
  listUncoveredSessions,
  markNotHeld,
  readSession,
  rescheduleSession,
} from '@limber/contract/businesses/sessions/onsite.ts'
import { formatTimeRange } from '@limber/contract/kit/formats/dates.ts'
import { dayIn } from '@limber/contract/kit/zone-time.ts'
import { lockPayroll, voidSessionPay } from '#payroll/public.ts'
import type { Db } from '#platform/db/db.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { type BlockRecord, claimBlock, findBlock, releaseBlock } from '../blocks/block.queries.ts'
import { sessionEnd } from '../blocks/block.rules.ts'
import { insertEntry } from '../blocks/ledger.queries.ts'
import { findBusiness, lockAgainstDeletion } from '../business/business.queries.ts'
import { changeSession, eventFacts, factsOf } from './change-session.ts'
import { findCandidates } from './find-candidates.ts'
import { companyName, participantMails, sessionMails } from './onsite.mails.ts'
import { presentDetail, presentFullSession, presentSoon } from './onsite.present.ts'
import {
  type FullSession,
  findParticipants,
  findSession,
  findSoonSessions,
  insertSession,
  lockSession,
  saveSession,
} from './onsite.queries.ts'
import { notHeldProblem } from './onsite.rules.ts'
import {
  blockOf,
  checkLastDay,
  newSession,
  pickStretcher,
  readMoment,
  readStart,
  reserveTime,
} from './schedule-session.ts'
import { findUncovered } from './uncovered.queries.ts'

const MAX_UPCOMING = 50

async function show(db: Db, id: number): Promise<FullSession> {
  const session = await findSession(db, id)
  if (!session) throw refuse(readSession, 'not_found')
  return session
}

type ChangeCall = typeof rescheduleSession | typeof changeStretcher | typeof cancelSession

/** Locks the session with its block. Refuses when it can no longer be changed. */
async function lockWithBlock(
  call: ChangeCall,
  db: Db,
  { id, version, now }: { id: number; version?: number | undefined; now: Date },
) {
  const find = async () => {
    const session = await lockSession(db, id)
    if (session?.cancelled_at) throw refuse(call, 'cancelled')
    return session
  }
  const session = await loadForUpdate(call, find(), version, (row) => presentFullSession(row, now))
  if (session.starts_at <= now) throw refuse(call, 'begun')
  return { session, block: requireBlock(session) }
}

/** The block of a session that was not canceled. */
function requireBlock(session: FullSession): BlockRecord {
  const block = blockOf(session)
  if (!block) throw new Error(`Session ${session.id} has no block`)
  return block
}

/** Ends a locked session: returns its hours to the block, with a ledger entry. */
async function endSession(db: Db, session: FullSession, by: { reason: string; workerId: number; now: Date }) {
  const block = requireBlock(session)
  const ended = await saveSession(db, session, { cancelled_at: by.now, cancel_reason: by.reason })
  await releaseBlock(db, block.id)
  await insertEntry(db, block, { kind: 'returned', sessionId: session.id, ...by })
  return ended
}

async function whyNotClaimed(db: Db, block: BlockRecord) {
  return (await findBlock(db, block.id)) ? refuse(activateBlock, 'block_taken') : refuse(activateBlock, 'no_block')
}

export const onsiteRoutes = [
  serve(listSoonSessions, async ({ db, now }) => ({
    sessions: (await findSoonSessions(db, now, MAX_UPCOMING)).map(presentSoon),
  })),

  serve(listUncoveredSessions, async ({ db, now }) => ({
    sessions: (await findUncovered(db, now, MAX_UPCOMING)).map(({ starts_at, ends_at, time_zone, ...session }) => ({
      ...session,
      day: dayIn(time_zone, starts_at),
      time: formatTimeRange(starts_at, ends_at, { zone: time_zone }),
    })),
  })),

  serve(listCandidates, async ({ body, db, now }) => {
    const startsAt = readMoment(listCandidates, body.starts_at)
    const block = await findBlock(db, body.prepaid_block_id)
    const business = block && (await findBusiness(db, block.business_id))
    if (!block || !business) throw refuse(listCandidates, 'no_block')
    return findCandidates(db, { block, business, startsAt, now })
  }),

  serve(activateBlock, async ({ body, db, worker, now, audit, publish, enqueue, emit, services }) => {
    const startsAt = readStart(activateBlock, body.starts_at, now)
    const known = await findBlock(db, body.prepaid_block_id)
    // Lock the business before the block, in the same order as deleting a business.
    const business = known && (await lockAgainstDeletion(db, known.business_id))
    if (!known || !business) throw refuse(activateBlock, 'no_block')
    if (business.archived_at) throw refuse(activateBlock, 'archived')
    const block = await claimBlock(db, known.id, now)
    if (!block) throw await whyNotClaimed(db, known)
    checkLastDay(activateBlock, block.expires_on, startsAt, business.time_zone)
    const stretcher = await pickStretcher(activateBlock, db, body.stretcher_id, startsAt)
    const endsAt = sessionEnd(startsAt, block.block_hours)
    await reserveTime(activateBlock, db, business, { stretcher, startsAt, endsAt, blockId: block.id })
    const time = { stretcher_id: stretcher.id, starts_at: startsAt, ends_at: endsAt }
    const made = await insertSession(db, block, time, { workerId: worker.workerId, now })
    const session = { ...newSession(block, business, stretcher), ...time, ...made }
    for (const mail of sessionMails('scheduled', session, body.notify, companyName(services))) enqueue(mail)
    audit({ action: 'session_scheduled', subject: 'onsite_session', subjectId: made.id, after: factsOf(session) })
    emit({ type: 'session.scheduled', ...eventFacts(session) })
    publish('businesses', { business: business.id })
    return presentFullSession(session, now)
  }).expecting({ onsite_sessions_stretcher_works: 'conflict', onsite_sessions_stretcher_certified: 'conflict' }),

  serve(rescheduleSession, async ({ body, worker: { workerId }, ...context }) => {
    const { db, now } = context
    const startsAt = readStart(rescheduleSession, body.new_starts_at, now)
    const locked = await lockWithBlock(rescheduleSession, db, { ...body, id: body.session_id, now })
    const { session, block } = locked
    checkLastDay(rescheduleSession, block.expires_on, startsAt, session.time_zone)
    const stretcherId = body.new_stretcher_id ?? session.stretcher_id
    const change = { ...locked, startsAt, stretcherId, notify: body.notify, workerId }
    return changeSession(rescheduleSession, 'session_rescheduled', context, change)
  }).expecting({ onsite_sessions_stretcher_works: 'conflict', onsite_sessions_stretcher_certified: 'conflict' }),

  serve(changeStretcher, async ({ body, worker: { workerId }, ...context }) => {
    const { db, now } = context
    const locked = await lockWithBlock(changeStretcher, db, { ...body, id: body.session_id, now })
    const { new_stretcher_id: stretcherId, notify } = body
    const change = { ...locked, startsAt: locked.session.starts_at, stretcherId, notify, workerId }
    return changeSession(changeStretcher, 'session_reassigned', context, change)
  }).expecting({ onsite_sessions_stretcher_works: 'conflict', onsite_sessions_stretcher_certified: 'conflict' }),

  serve(cancelSession, async ({ body, db, worker, now, audit, publish, enqueue, emit, services }) => {
    const { session: before } = await lockWithBlock(cancelSession, db, { ...body, id: body.session_id, now })
    const { reason } = body
    const session = await endSession(db, before, { reason, workerId: worker.workerId, now })
    const from = companyName(services)
    for (const mail of sessionMails('cancelled', session, body.notify, from)) enqueue(mail)
    if (body.notify?.participants)
      for (const mail of participantMails('cancelled', session, await findParticipants(db, before.id), from))
        enqueue(mail)
    const change = { before: factsOf(before), reason }
    audit({ action: 'session_cancelled', subject: 'onsite_session', subjectId: before.id, ...change })
    emit({ type: 'session.cancelled', ...eventFacts(before) })
    publish('businesses', { business: before.business_id })
    return presentFullSession(session, now)
  }),

  serve(
    markNotHeld,
    async ({ body: { session_id, reason, notify }, db, worker, now, audit, publish, enqueue, emit, services }) => {
      const { workerId } = worker
      await lockPayroll(db)
      const before = await lockSession(db, session_id)
      if (!before) throw refuse(markNotHeld, 'not_found')
      if (before.cancelled_at) throw refuse(markNotHeld, 'cancelled')
      const why = notHeldProblem(before.starts_at, now)
      if (why) throw refuse(markNotHeld, why)
      const session = await endSession(db, before, { reason, workerId, now })
      await voidSessionPay({ db, now, audit, publish }, { onsiteSessionId: session_id, reason, workerId })
      for (const mail of sessionMails('not_held', session, notify, companyName(services))) enqueue(mail)
      const change = { before: factsOf(before), reason }
      audit({ action: 'session_not_held', subject: 'onsite_session', subjectId: session_id, ...change })
      emit({ type: 'session.cancelled', ...eventFacts(before) })
      publish('businesses', { business: before.business_id })
      return presentFullSession(session, now)
    },
  ),

  serve(readSession, async ({ params, db, now }) => {
    const session = await show(db, params.id)
    return presentDetail(session, await findParticipants(db, session.id), now)
  }),
]
