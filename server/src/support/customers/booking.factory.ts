import type { Insertable } from 'kysely'
import { HOUR, shift } from '#platform/clock.ts'
import type { Db, Tables } from '#platform/db/db.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeCustomer } from './customer.factory.ts'

type BookingRow = Insertable<Tables['bookings']>
export type BookingDraft = Partial<BookingRow>
type Place = Pick<BookingRow, 'customer_id' | 'zone_id'>

/** A confirmed one-hour booking tomorrow unless overridden; a canceled one has its cancellation time. */
export function draftBooking(overrides: BookingDraft & Place): BookingRow {
  const starts_at = new Date(overrides.starts_at ?? shift(factoryNow(), 24 * HOUR))
  const created_at = overrides.created_at ?? shift(starts_at, -72 * HOUR)
  return {
    stretcher_id: null,
    starts_at,
    ends_at: shift(starts_at, HOUR),
    status: 'confirmed',
    price: '99',
    credits_used: 0,
    rating: null,
    rated_at: overrides.rating ? shift(starts_at, 2 * HOUR) : null,
    feedback: null,
    feedback_at: overrides.feedback ? shift(starts_at, 2 * HOUR) : null,
    cancelled_at: overrides.status === 'cancelled' ? shift(starts_at, -24 * HOUR) : null,
    cancel_reason: null,
    created_at,
    ...overrides,
  }
}

/** Creates a booking, and a customer and a stretcher when none is named. */
export async function makeBooking(db: Db, overrides: BookingDraft = {}) {
  const stretcher = overrides.stretcher_id
    ? await db
        .selectFrom('stretchers')
        .select(['id', 'zone_id'])
        .where('id', '=', overrides.stretcher_id)
        .executeTakeFirstOrThrow()
    : await makeStretcher(db)
  const zone_id = overrides.zone_id ?? stretcher.zone_id
  if (!zone_id) throw new Error('A booking needs a zone: name one, or a stretcher who has one')
  const draft = draftBooking({ stretcher_id: stretcher.id, customer_id: 0, ...overrides, zone_id })
  const joined_at = new Date(draft.created_at)
  const customer_id = overrides.customer_id ?? (await makeCustomer(db, { joined_at })).id
  return db
    .insertInto('bookings')
    .values({ ...draft, customer_id })
    .returning(['id', 'customer_id', 'stretcher_id', 'zone_id', 'starts_at', 'ends_at', 'status', 'version'])
    .executeTakeFirstOrThrow()
}
