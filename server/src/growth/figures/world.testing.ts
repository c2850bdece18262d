import { companyDay } from '@limber/contract/kit/company.ts'
import { sql } from 'kysely'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { makeEarner, makeEntry } from '#payroll/payroll.factory.ts'
import { DAY, HOUR, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeTransaction } from '#support/customers/transaction.factory.ts'

const box = (west: number, south: number) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [west, south],
      [west + 0.1, south],
      [west + 0.1, south + 0.1],
      [west, south + 0.1],
      [west, south],
    ] as [number, number][],
  ],
})

const statuses = [
  'completed',
  'completed',
  'completed',
  'cancelled',
  'no_show',
  'confirmed',
  'requested',
  'in_progress',
] as const

/** A small company with a year behind it, by the lot of a number: people in two zones, outside and nowhere. */
export async function makeWorld(db: Db, now: Date, seed: number) {
  let state = seed
  const lot = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % most
  }
  const zones = [
    await makeZone(db, { name: `West ${seed}`, geometry: box(-117.5, 33.9) }),
    await makeZone(db, { name: `East ${seed}`, geometry: box(-117.3, 33.9) }),
  ]
  const stretcher = await makeStretcher(db, {
    zone_id: zones[0]?.id ?? null,
    hired_at: shift(now, -400 * DAY),
    trained_at: shift(now, -390 * DAY),
  })
  const places = [
    { zone_id: zones[0]?.id ?? null, latitude: 33.95, longitude: -117.45, city: 'Westville' },
    { zone_id: zones[1]?.id ?? null, latitude: 33.95, longitude: -117.25, city: 'Eastville' },
    { zone_id: null, latitude: 34.5, longitude: -116.5, city: lot(2) ? 'Faraway' : 'faraway' },
    { zone_id: null, latitude: null, longitude: null, city: null },
  ]
  const people: { id: number; zone_id: number | null }[] = []
  for (let n = 0; n < 40; n++) {
    const joined_at = shift(now, -lot(300) * DAY - lot(24) * HOUR)
    const waiver_signed_at = lot(3) === 0 ? joined_at : null
    const person = await makeCustomer(db, { ...places[lot(4)], joined_at, waiver_signed_at, credits: lot(4) })
    people.push(person)
  }
  const [merged, erased, kept] = people
  if (!merged || !erased || !kept) throw new Error('A world has people')
  await sql`update customers set blocked_at = ${now}, blocked_reason = 'Duplicate', merged_into_id = ${kept.id} where id = ${merged.id}`.execute(
    db,
  )
  await sql`update customers set blocked_at = ${now}, blocked_reason = 'Erased', erased_at = ${now} where id = ${erased.id}`.execute(
    db,
  )

  const earner = await makeEarner(db)
  for (let n = 0; n < 160; n++) {
    // Sessions two hours apart at the least, so that one stretcher can hold them all; some begin at the turn of a day.
    const starts_at = shift(now, -290 * DAY + n * 45 * HOUR + lot(40) * HOUR)
    const created = shift(starts_at, -lot(20) * DAY - HOUR)
    const created_at = created < now ? created : shift(now, -lot(50) * HOUR)
    const status = starts_at < now ? statuses[lot(5)] : statuses[lot(8)]
    const customer = people[lot(people.length)] ?? kept
    const isPast = starts_at < now
    const fate =
      isPast || status === 'cancelled' ? (status ?? 'completed') : status === 'requested' ? 'requested' : 'confirmed'
    const booking = await makeBooking(db, {
      customer_id: customer.id,
      stretcher_id: stretcher.id,
      zone_id: zones[lot(2)]?.id ?? 0,
      starts_at,
      created_at,
      status: fate,
      rating: fate === 'completed' && lot(2) ? 1 + lot(5) : null,
      ...(fate === 'cancelled' && { cancelled_at: created_at }),
    })
    if (lot(2))
      await makeTransaction(db, {
        customer_id: customer.id,
        ...(lot(3) ? { booking_id: booking.id, transaction_type: 'session_payment' as const, credits: 0 } : {}),
        amount: `${lot(200)}.${1000 + lot(8999)}`,
        status: lot(5) ? 'completed' : 'failed',
        created_at,
      })
    if (fate === 'completed' && lot(2))
      await makeEntry(db, {
        earner_id: earner.id,
        work_date: companyDay(starts_at),
        amount: `${20 + lot(40)}.5`,
        booking_id: booking.id,
        type: lot(4) ? 'session' : 'bonus',
        ...(lot(6) === 0 && { status: 'cancelled' as const, paid_at: null }),
      })
  }
  return { zones, people, today: companyDay(now) }
}
