import { ParticipantItem, participantCalls } from '@limber/contract/businesses/sync/participant-sync.ts'
import type { Db } from '#platform/db/db.ts'
import type { BatchItem, BatchWriter, ItemOutcome } from '#platform/sync/batch-writer.ts'
import { invalid, itemError, missing, type RejectedItem, reject, required } from '#platform/sync/item-errors.ts'
import { attachRoute, batchRoute, readRoutes } from '#platform/sync/resource-routes.ts'
import { slotsOfSession } from '../sessions/onsite.present.ts'
import { findSessionRecords } from './business-sync.queries.ts'
import {
  findCustomersByEmail,
  findTaken,
  type ParticipantRow,
  participantColumns,
  type SyncedParticipant,
} from './participant-sync.queries.ts'

type Item = BatchItem<ParticipantItem>

const slotTaken = itemError('slot', 'slot_taken', 'This slot is already taken.')

interface Change {
  before: ParticipantRow | undefined
  after: SyncedParticipant
}

const REQUIRED = ['session_id', 'slot', 'name', 'email'] as const
const isErased = ({ email }: ParticipantRow) => /^erased-\d+@erased\.invalid$/.test(email)

function planItem(
  { fields, references, recordId }: Item,
  before: ParticipantRow | undefined,
  customers: ReadonlyMap<string, number>,
  now: Date,
): Change | RejectedItem {
  if (recordId !== null && !before) return reject(itemError('', 'deleted', 'This slot was freed.'))
  if (before && isErased(before)) return reject(itemError('', 'erased', 'This participant was erased.'))
  const { session_id, slot, name, email } = { ...before, ...withoutUndefined(fields) }
  if (session_id === undefined || slot === undefined || name === undefined || email === undefined)
    return reject(...REQUIRED.filter((path) => fields[path] === undefined).map(required))
  const booked_at = fields.booked_at === undefined ? (before?.booked_at ?? now) : new Date(fields.booked_at)
  if (booked_at > now) return reject(invalid('booked_at', 'must not be in the future'))
  const named = fields.customer === undefined ? undefined : (references.customer ?? null)
  const customer_id = named === undefined ? (before ? before.customer_id : (customers.get(email) ?? null)) : named
  const rating = fields.rating === undefined ? (before?.rating ?? null) : fields.rating
  return { before, after: { session_id, slot, name, email, customer_id, rating, booked_at } }
}

const withoutUndefined = ({ session_id, slot, name, email }: ParticipantItem) => ({
  ...(session_id !== undefined && { session_id }),
  ...(slot !== undefined && { slot }),
  ...(name !== undefined && { name }),
  ...(email !== undefined && { email }),
})

const hasChanged = ({ before, after }: Change) => !before || !participantColumns.isSame(before, after)

/** Refuses unknown sessions, slots that a session does not have, and taken ones. Items see what earlier ones did. */
async function checkSlots(db: Db, plans: readonly (Change | RejectedItem)[]): Promise<(Change | RejectedItem)[]> {
  const ids = [...new Set(plans.flatMap((planned) => ('after' in planned ? planned.after.session_id : [])))]
  const sessions = new Map((await findSessionRecords(db, ids, { lock: true })).map((row) => [row.id, row]))
  const place = ({ session_id, slot }: { session_id: number; slot: number }) => `${session_id}.${slot}`
  const taken = new Map((await findTaken(db, ids)).map((row) => [place(row), row.id]))
  return plans.map((planned) => {
    if (!('after' in planned)) return planned
    const { before, after } = planned
    const session = sessions.get(after.session_id)
    if (!session) return reject(missing('session_id', 'sessions', after.session_id))
    const isMoved = before?.session_id !== after.session_id || before.slot !== after.slot
    if (!isMoved) return planned
    const slots = slotsOfSession(session)
    if (after.slot >= slots)
      return reject(itemError('slot', 'no_slot', `This session has the slots 0 to ${slots - 1}.`))
    if (taken.has(place(after))) return reject(slotTaken)
    if (before) taken.delete(place(before))
    taken.set(place(after), before?.id ?? 0)
    return planned
  })
}

/**
 * Participants from other systems, also those of past sessions. Only booking through `POST …/sessions/:id/participants`
 * asks whether the address is allowed: the list may have changed since.
 */
const participantWriter: BatchWriter<typeof ParticipantItem> = {
  resource: 'participants',
  item: ParticipantItem,
  references: ({ customer }) =>
    customer == null ? [] : [{ path: 'customer', resource: 'customers', reference: customer }],
  // Also when a slot passes from one participant to another in one set: applied one by one, they fit.
  expected: { onsite_participants_slot_once: slotTaken },
  async write(items, { db, now }) {
    const rows = await participantColumns.lock(
      db,
      items.flatMap(({ recordId }) => recordId ?? []),
    )
    const customers = await findCustomersByEmail(
      db,
      items.flatMap(({ recordId, fields }) => (recordId === null ? (fields.email ?? []) : [])),
    )
    const plans = await checkSlots(
      db,
      items.map((item) => planItem(item, item.recordId === null ? undefined : rows.get(item.recordId), customers, now)),
    )
    const changes = plans.filter((planned): planned is Change => 'after' in planned)
    await participantColumns.update(
      db,
      changes.flatMap((change) =>
        change.before && hasChanged(change) ? { before: change.before, after: change.after } : [],
      ),
    )
    const created = changes.filter(({ before }) => !before)
    const ids = await participantColumns.insert(
      db,
      created.map(({ after }) => after),
    )
    const newIds = new Map(created.map((change, at) => [change, ids[at] as number]))
    return plans.map((planned): ItemOutcome => {
      if (!('after' in planned)) return planned
      if (planned.before) return { status: hasChanged(planned) ? 'updated' : 'unchanged', id: planned.before.id }
      return { status: 'created', id: newIds.get(planned) as number }
    })
  },
}

export async function loadParticipants(db: Db, ids: readonly number[]) {
  const rows = await participantColumns.find(db, ids)
  return rows.map(({ customer_id, ...row }) => ({
    ...row,
    customer: customer_id,
    booked_at: row.booked_at.toISOString(),
  }))
}

export const participantSyncRoutes = [
  batchRoute(participantCalls.batch, participantWriter, ['businesses']),
  attachRoute(participantCalls.attach, 'participants'),
  ...readRoutes(participantCalls, 'participants', loadParticipants),
]
