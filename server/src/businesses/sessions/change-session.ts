import type { OnsiteSession } from '@limber/contract/businesses/blocks/block.ts'
import type { changeStretcher, rescheduleSession } from '@limber/contract/businesses/sessions/onsite.ts'
import type { Work } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import type { BlockRecord } from '../blocks/block.queries.ts'
import { sessionEnd } from '../blocks/block.rules.ts'
import { insertEntry } from '../blocks/ledger.queries.ts'
import { companyName, participantMails, type SessionEvent, sessionMails } from './onsite.mails.ts'
import { presentFullSession } from './onsite.present.ts'
import { type FullSession, findParticipants, saveSession } from './onsite.queries.ts'
import { pickStretcher, reserveTime } from './schedule-session.ts'

/** The audited fields of a session. */
export const factsOf = ({ block_id, stretcher_id, starts_at, ends_at }: FullSession) => ({
  block_id,
  stretcher_id,
  starts_at,
  ends_at,
})

/** What other systems are told of a session. */
export const eventFacts = (
  session: Pick<FullSession, 'id' | 'business_id' | 'stretcher_id' | 'starts_at' | 'ends_at'>,
) => ({
  of: 'session' as const,
  ids: { session: session.id, business: session.business_id, stretcher: session.stretcher_id },
  facts: { starts_at: session.starts_at.toISOString(), ends_at: session.ends_at.toISOString() },
})

interface Change {
  /** The locked session with its block. */
  session: FullSession
  block: BlockRecord
  startsAt: Date
  stretcherId: number
  notify: { stretcher: boolean; business: boolean; participants: boolean } | undefined
  workerId: number
}

const eventOf = {
  session_rescheduled: (isOther: boolean): SessionEvent => (isOther ? 'rearranged' : 'moved'),
  session_reassigned: (): SessionEvent => 'reassigned',
}

/** Changes start and stretcher of a locked session at once, with the checks of a new session, and sends the emails. */
export async function changeSession(
  call: typeof rescheduleSession | typeof changeStretcher,
  action: keyof typeof eventOf,
  { db, now, audit, publish, enqueue, emit, services }: Work & { services: Pick<Services, 'company'> },
  { session: before, block, startsAt, stretcherId, notify, workerId }: Change,
): Promise<OnsiteSession> {
  const isMove = action === 'session_rescheduled'
  const isOther = stretcherId !== before.stretcher_id
  const endsAt = isMove ? sessionEnd(startsAt, block.block_hours) : before.ends_at
  const stretcher = await pickStretcher(call, db, stretcherId, startsAt)
  const line = { workerId, now, sessionId: before.id }
  if (isMove) await insertEntry(db, block, { kind: 'moved', ...line })
  if (isOther || !isMove) await insertEntry(db, block, { kind: 'reassigned', ...line })
  const reservation = { stretcher, startsAt, endsAt, blockId: block.id, alsoLock: before.stretcher_id }
  await reserveTime(call, db, before, reservation)
  const time = { stretcher_id: stretcher.id, starts_at: startsAt, ends_at: endsAt }
  const saved = await saveSession(db, before, time)
  const session = { ...saved, stretcher_name: stretcher.name, stretcher_email: stretcher.email }
  const what = eventOf[action](isOther)
  const from = companyName(services)
  const mails = [
    ...sessionMails(what, session, notify, from, isOther ? before : undefined),
    ...(isMove && notify?.participants
      ? participantMails('moved', session, await findParticipants(db, session.id), from)
      : []),
  ]
  for (const mail of mails) enqueue(mail)
  audit({
    action,
    subject: 'onsite_session',
    subjectId: before.id,
    before: factsOf(before),
    // A change that people were told of cannot be undone silently.
    after: { ...factsOf(session), notified: mails.length > 0 },
  })
  const isNewTime = startsAt.getTime() !== before.starts_at.getTime()
  const changed = [...(isNewTime ? ['starts_at', 'ends_at'] : []), ...(isOther ? ['stretcher'] : [])]
  if (changed.length > 0) emit({ type: 'session.rescheduled', ...eventFacts(session), changed })
  publish('businesses', { business: before.business_id })
  return presentFullSession(session, now)
}
