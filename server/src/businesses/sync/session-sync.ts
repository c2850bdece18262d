import { sessionCalls } from '@limber/contract/businesses/sync/session-sync.ts'
import { MINUTE, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Route, serve } from '#platform/http/routes.ts'
import { attachExternalId } from '#platform/sync/external-refs.queries.ts'
import { resolveReference } from '#platform/sync/resolve-references.ts'
import { attachRoute, readRoutes } from '#platform/sync/resource-routes.ts'
import { findRecord } from '#platform/sync/walk-changes.ts'
import { findCustomerByEmail } from '#support/public.ts'
import { slotsOfSession } from '../sessions/onsite.present.ts'
import { findSessionRecords, type SessionRow } from './business-sync.queries.ts'
import { deleteParticipant, insertParticipant, isAllowed } from './participant-sync.queries.ts'
import { loadParticipants } from './participant-sync.ts'

const { takeSlot, freeSlot } = sessionCalls

// The length of the slots of a session whose block was deleted.
const DEFAULT_SLOT_LENGTH = 15

const slotLength = ({ slot_length_minutes }: SessionRow) => slot_length_minutes ?? DEFAULT_SLOT_LENGTH
const startOfSlot = (session: SessionRow, slot: number) => shift(session.starts_at, slot * slotLength(session) * MINUTE)

/** The slots that nobody has taken, in order. */
function freeSlots(session: SessionRow): number[] {
  const taken = new Set(session.taken)
  return Array.from({ length: slotsOfSession(session) }, (_, slot) => slot).filter((slot) => !taken.has(slot))
}

async function loadSessions(db: Db, ids: readonly number[]) {
  const rows = await findSessionRecords(db, ids)
  return rows.map((row) => ({
    id: row.id,
    business: row.business_id,
    stretcher: row.stretcher_id,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    cancelled_at: row.cancelled_at?.toISOString() ?? null,
    slot_length_minutes: slotLength(row),
    slots: slotsOfSession(row),
    free_slots: row.cancelled_at
      ? []
      : freeSlots(row).map((slot) => ({
          slot,
          starts_at: startOfSlot(row, slot).toISOString(),
          ends_at: startOfSlot(row, slot + 1).toISOString(),
        })),
  }))
}

/** The slots that a caller may get, the first choice first. Refuses when there is none. */
function wantedSlots(session: SessionRow, slot: number | undefined, now: Date): number[] {
  const free = freeSlots(session)
  const slots = slotsOfSession(session)
  if (slot !== undefined && slot >= slots) throw refuse(takeSlot, 'no_slot', { values: { last: slots - 1 } })
  const ahead = (slot === undefined ? free : [slot]).filter((each) => startOfSlot(session, each) > now)
  if (session.ends_at <= now || (slot !== undefined && ahead.length === 0)) throw refuse(takeSlot, 'past')
  if (free.length === 0) throw refuse(takeSlot, 'full')
  if (ahead.length === 0) throw refuse(takeSlot, 'past')
  return ahead
}

export const sessionSyncRoutes: Route[] = [
  attachRoute(sessionCalls.attach, 'sessions'),
  ...readRoutes(sessionCalls, 'sessions', loadSessions),

  serve(takeSlot, async ({ params, body, apiKey, db, now, audit, publish }) => {
    const { name, email, customer, external_id } = body
    const [session] = await findSessionRecords(db, [params.id], { lock: true })
    if (!session) throw refuse(takeSlot, 'not_found')
    if (session.cancelled_at) throw refuse(takeSlot, 'cancelled')
    if (!(await isAllowed(db, session.business_id, email))) throw refuse(takeSlot, 'not_allowed')
    const customerId =
      customer === undefined
        ? ((await findCustomerByEmail(db, email))?.id ?? null)
        : await resolveReference(db, 'customers', customer, apiKey.source)
    if (customerId === undefined) throw refuse(takeSlot, 'missing_reference')
    const person = { session_id: session.id, name, email, customer_id: customerId, rating: null, booked_at: now }
    for (const slot of wantedSlots(session, body.slot, now)) {
      const made = await insertParticipant(db, { ...person, slot })
      if (!made) continue
      const ref = { source: apiKey.source, resource: 'participants', externalId: external_id ?? '' } as const
      if (external_id !== undefined && !(await attachExternalId(db, ref, made.id, now)))
        throw refuse(takeSlot, 'already_linked')
      audit({ action: 'slot_taken', subject: 'onsite_session', subjectId: session.id, after: { slot } })
      publish('businesses', { business: session.business_id })
      const record = await findRecord(db, 'participants', made.id, loadParticipants)
      if (!record) throw new Error(`Participant ${made.id} was just added and is missing`)
      return record
    }
    throw refuse(takeSlot, body.slot === undefined ? 'full' : 'slot_taken')
  }),

  serve(freeSlot, async ({ params: { id, slot }, db, now, audit, publish }) => {
    const [session] = await findSessionRecords(db, [id], { lock: true })
    if (!session) throw refuse(freeSlot, 'not_found')
    if (!session.taken.includes(slot)) throw refuse(freeSlot, 'is_free')
    if (startOfSlot(session, slot) <= now) throw refuse(freeSlot, 'past')
    const gone = await deleteParticipant(db, id, slot)
    if (!gone) throw refuse(freeSlot, 'is_free')
    audit({ action: 'slot_freed', subject: 'onsite_session', subjectId: id, before: { slot } })
    publish('businesses', { business: session.business_id })
    return { id: gone.id, session_id: id, slot }
  }),
]
