import { ParticipantItem, participantCalls } from '@limber/contract/businesses/sync/participant-sync.ts'
import type { ItemError } from '@limber/contract/kit/batch.ts'
import type { Db } from '#platform/db/db.ts'
import { attachRoute, batchRoute, readRoutes } from '#platform/sync/resource-routes.ts'
import type { BatchItem, BatchWriter, ItemOutcome } from '#platform/sync/run-batch.ts'
import { slotsOfSession } from '../sessions/onsite.present.ts'
import { findSessionRecords } from './business-sync.queries.ts'
import {
  findCustomersByEmail,
  findParticipantRecords,
  findTaken,
  insertParticipants,
  lockParticipants,
  type ParticipantRow,
  type SyncedParticipant,
  syncedColumns,
  updateParticipants,
} from './participant-sync.queries.ts'

type Item = BatchItem<ParticipantItem>
type Rejected = Extract<ItemOutcome, { status: 'rejected' }>

const error = (path: string, code: string, text: string): ItemError => ({ path, code, text })
const reject = (...errors: ItemError[]): Rejected => ({ status: 'rejected', errors })
const slotTaken = error('slot', 'slot_taken', 'This slot is already taken.')

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
): Change | Rejected {
  if (recordId !== null && !before) return reject(error('', 'deleted', 'This slot was freed.'))
  if (before && isErased(before)) return reject(error('', 'erased', 'This participant was erased.'))
  const { session_id, slot, name, email } = { ...before, ...withoutUndefined(fields) }
  if (session_id === undefined || slot === undefined || name === undefined || email === undefined)
    return reject(
      ...REQUIRED.flatMap((path) => (fields[path] === undefined ? error(path, 'required', 'is required') : [])),
    )
  const booked_at = fields.booked_at === undefined ? (before?.booked_at ?? now) : new Date(fields.booked_at)
  if (booked_at > now) return reject(error('booked_at', 'invalid', 'must not be in the future'))
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

const isSame = (a: unknown, b: unknown) =>
  a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b
const hasChanged = ({ before, after }: Change) => syncedColumns.some((name) => !isSame(before?.[name], after[name]))

/** Refuses unknown sessions, slots that a session does not have, and taken ones. Items see what earlier ones did. */
async function checkSlots(db: Db, plans: readonly (Change | Rejected)[]): Promise<(Change | Rejected)[]> {
  const ids = [...new Set(plans.flatMap((planned) => ('after' in planned ? planned.after.session_id : [])))]
  const sessions = new Map((await findSessionRecords(db, ids, { lock: true })).map((row) => [row.id, row]))
  const place = ({ session_id, slot }: { session_id: number; slot: number }) => `${session_id}.${slot}`
  const taken = new Map((await findTaken(db, ids)).map((row) => [place(row), row.id]))
  return plans.map((planned) => {
    if (!('after' in planned)) return planned
    const { before, after } = planned
    const session = sessions.get(after.session_id)
    if (!session)
      return reject({
        ...error('session_id', 'missing_reference', `There is no record ${after.session_id} in sessions.`),
        resource: 'sessions',
        external_id: String(after.session_id),
      })
    const isMoved = before?.session_id !== after.session_id || before.slot !== after.slot
    if (!isMoved) return planned
    const slots = slotsOfSession(session)
    if (after.slot >= slots) return reject(error('slot', 'no_slot', `This session has the slots 0 to ${slots - 1}.`))
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
    const rows = await lockParticipants(
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
    await updateParticipants(
      db,
      changes.flatMap((change) =>
        change.before && hasChanged(change) ? { ...change.after, id: change.before.id } : [],
      ),
    )
    const created = changes.filter(({ before }) => !before)
    const ids = await insertParticipants(
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
  const rows = await findParticipantRecords(db, ids)
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
