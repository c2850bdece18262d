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

/** A small random company with a year of history: customers in two zones, outside every zone and without an address. */
export async function makeRandomCompany(db: Db, now: Date, seed: number) {
  let state = seed
  const random = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % limit
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
    { zone_id: null, latitude: 34.5, longitude: -116.5, city: random(2) ? 'Faraway' : 'faraway' },
    { zone_id: null, latitude: null, longitude: null, city: null },
  ]
  const people: { id: number; zone_id: number | null }[] = []
  for (let n = 0; n < 40; n++) {
    const joined_at = shift(now, -random(300) * DAY - random(24) * HOUR)
    const waiver_signed_at = random(3) === 0 ? joined_at : null
    const person = await makeCustomer(db, { ...places[random(4)], joined_at, waiver_signed_at, credits: random(4) })
    people.push(person)
  }
  const [merged, erased, kept] = people
  if (!merged || !erased || !kept) throw new Error('The random company has no customers')
  await sql`update customers set blocked_at = ${now}, blocked_reason = 'Duplicate', merged_into_id = ${kept.id} where id = ${merged.id}`.execute(
    db,
  )
  await sql`update customers set blocked_at = ${now}, blocked_reason = 'Erased', erased_at = ${now} where id = ${erased.id}`.execute(
    db,
  )

  const earner = await makeEarner(db)
  for (let n = 0; n < 160; n++) {
    // Sessions are at least two hours apart, so that one stretcher can do them all. Some start around midnight.
    const starts_at = shift(now, -290 * DAY + n * 45 * HOUR + random(40) * HOUR)
    const created = shift(starts_at, -random(20) * DAY - HOUR)
    const created_at = created < now ? created : shift(now, -random(50) * HOUR)
    const status = starts_at < now ? statuses[random(5)] : statuses[random(8)]
    const customer = people[random(people.length)] ?? kept
    const isPast = starts_at < now
    const finalStatus =
      isPast || status === 'cancelled' ? (status ?? 'completed') : status === 'requested' ? 'requested' : 'confirmed'
    const booking = await makeBooking(db, {
      customer_id: customer.id,
      stretcher_id: stretcher.id,
      zone_id: zones[random(2)]?.id ?? 0,
      starts_at,
      created_at,
      status: finalStatus,
      rating: finalStatus === 'completed' && random(2) ? 1 + random(5) : null,
      ...(finalStatus === 'cancelled' && { cancelled_at: created_at }),
    })
    if (random(2))
      await makeTransaction(db, {
        customer_id: customer.id,
        ...(random(3) ? { booking_id: booking.id, transaction_type: 'session_payment' as const, credits: 0 } : {}),
        amount: `${random(200)}.${1000 + random(8999)}`,
        status: random(5) ? 'completed' : 'failed',
        created_at,
      })
    if (finalStatus === 'completed' && random(2))
      await makeEntry(db, {
        earner_id: earner.id,
        work_date: companyDay(starts_at),
        amount: `${20 + random(40)}.5`,
        booking_id: booking.id,
        type: random(4) ? 'session' : 'bonus',
        ...(random(6) === 0 && { status: 'cancelled' as const, paid_at: null }),
      })
  }
  return { zones, people, today: companyDay(now) }
}
