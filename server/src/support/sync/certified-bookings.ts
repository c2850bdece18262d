import { companyDay } from '@limber/contract/kit/company.ts'
import { lockCertifiedUntil } from '#certifications/public.ts'
import type { Db } from '#platform/db/db.ts'
import type { Work } from '#platform/db/work.ts'
import { itemError } from '#platform/sync/item-errors.ts'
import { undoColumns } from '#platform/sync/undo-columns.ts'
import {
  bookingColumns,
  findReferredStretchers,
  type ReferredStretcher,
  removeBookings,
  type SyncedBooking,
  updateBookings,
} from './booking-sync.queries.ts'

export const notCertified = itemError(
  'stretcher',
  'not_certified',
  'A required certification of this stretcher is missing, or expires before that day.',
)

/** Whether a booking takes the time of its stretcher. */
export const takesTime = ({ stretcher_id, status }: SyncedBooking) =>
  stretcher_id !== null && status !== 'requested' && status !== 'cancelled'

/** Whether a stretcher gets a session ahead, or has it on a later day than before. */
export const isScheduled = (after: SyncedBooking, before: SyncedBooking | undefined, now: Date) =>
  after.starts_at > now &&
  after.status !== 'cancelled' &&
  (!before ||
    before.stretcher_id !== after.stretcher_id ||
    before.starts_at < after.starts_at ||
    (takesTime(after) && !takesTime(before)))

/**
 * Tells whether the stretcher of a booking ahead, one of these, is certified on its day. No certification is revoked
 * meanwhile.
 */
export async function lockCertified(db: Db, stretchers: readonly ReferredStretcher[]) {
  const customers = new Map(stretchers.map(({ id, customer_id }) => [id, customer_id]))
  const certified = await lockCertifiedUntil(db, [...customers.values()])
  return ({ stretcher_id, starts_at }: SyncedBooking): boolean => {
    if (stretcher_id === null) return true
    const until = certified.of(customers.get(stretcher_id) ?? 0)
    return until === null || (until !== undefined && until >= companyDay(starts_at))
  }
}

const undo = undoColumns({ ...bookingColumns, update: updateBookings }, removeBookings)

/** Brings back earlier values, except of a booking whose stretcher would be scheduled without a required certification. */
export const undoBookings: typeof undo = {
  ...undo,
  async restore(work: Work, rows) {
    const { db, now } = work
    const ids = rows.map(({ id }) => id)
    const found = new Map((await bookingColumns.find(db, ids)).map((row) => [row.id, row]))
    const scheduled = rows.flatMap((row) => {
      const after = bookingColumns.revive(row)
      const before = found.get(row.id)
      return before && isScheduled(after, before, now) ? [{ id: row.id, after }] : []
    })
    const stretchers = await findReferredStretchers(
      db,
      scheduled.flatMap(({ after }) => after.stretcher_id ?? []),
    )
    const isCertified = await lockCertified(db, [...stretchers.values()])
    const kept = new Map(
      scheduled
        .filter(({ after }) => !isCertified(after))
        .map(({ id }) => [id, 'Its stretcher lacks a required certification on that day.']),
    )
    const done = await undo.restore?.(
      work,
      rows.filter(({ id }) => !kept.has(id)),
    )
    return new Map([...kept, ...(done ?? [])])
  },
}
