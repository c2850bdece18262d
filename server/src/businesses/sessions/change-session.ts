import type { OnsiteSession } from '@limber/contract/businesses/blocks/block.ts'
import type { changeStretcher, rescheduleSession } from '@limber/contract/businesses/sessions/onsite.ts'
import type { Work } from '#platform/db/work.ts'
import type { BlockRecord } from '../blocks/block.queries.ts'
import { sessionEnd } from '../blocks/block.rules.ts'
import { insertEntry } from '../blocks/ledger.queries.ts'
import { type Happening, participantMails, sessionMails } from './onsite.mails.ts'
import { presentHeldSession } from './onsite.present.ts'
import { findParticipants, type HeldSession, saveSession } from './onsite.queries.ts'
import { pickStretcher, takeTime } from './schedule-session.ts'

/** What the audit log keeps of a session. */
export const factsOf = ({ block_id, stretcher_id, starts_at, ends_at }: HeldSession) => ({
  block_id,
  stretcher_id,
  starts_at,
  ends_at,
})

interface Change {
  /** The session as it is held, with its block. */
  session: HeldSession
  block: BlockRecord
  startsAt: Date
  stretcherId: number
  notify: { stretcher: boolean; business: boolean; participants: boolean } | undefined
  workerId: number
}

const happenings = {
  session_rescheduled: (isOther: boolean): Happening => (isOther ? 'rearranged' : 'moved'),
  session_reassigned: (): Happening => 'reassigned',
}

/** Gives a held session a start and a stretcher at once, as if it were scheduled anew, and tells whom it concerns. */
export async function changeSession(
  call: typeof rescheduleSession | typeof changeStretcher,
  action: keyof typeof happenings,
  { db, now, audit, publish, enqueue }: Work,
  { session: before, block, startsAt, stretcherId, notify, workerId }: Change,
): Promise<OnsiteSession> {
  const isMove = action === 'session_rescheduled'
  const isOther = stretcherId !== before.stretcher_id
  const endsAt = isMove ? sessionEnd(startsAt, block.block_hours) : before.ends_at
  const stretcher = await pickStretcher(call, db, stretcherId, startsAt)
  const line = { workerId, now, sessionId: before.id }
  if (isMove) await insertEntry(db, block, { kind: 'moved', ...line })
  if (isOther || !isMove) await insertEntry(db, block, { kind: 'reassigned', ...line })
  const visit = { stretcher, startsAt, endsAt, blockId: block.id, alsoLock: before.stretcher_id }
  await takeTime(call, db, before, visit)
  const time = { stretcher_id: stretcher.id, starts_at: startsAt, ends_at: endsAt }
  const saved = await saveSession(db, before, time)
  const session = { ...saved, stretcher_name: stretcher.name, stretcher_email: stretcher.email }
  const what = happenings[action](isOther)
  for (const mail of sessionMails(what, session, notify, isOther ? before : undefined)) enqueue(mail)
  if (isMove && notify?.participants)
    for (const mail of participantMails('moved', session, await findParticipants(db, session.id))) enqueue(mail)
  audit({
    action,
    subject: 'onsite_session',
    subjectId: before.id,
    before: factsOf(before),
    after: factsOf(session),
  })
  publish('businesses', { business: before.business_id })
  return presentHeldSession(session, now)
}
