import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import type { Db } from '#platform/db/db.ts'

export interface Reference {
  users: number
  activeUsers: number
  churnedUsers: number
  sessions: number
  bookedSessions: number
  revenue: string
  payouts: string
  credits: number
  joined: number
  located: number
  waivers: number
  bookings: number
  cancelled: number
}

/** Counts the growth figures of a zone (0: no zone, undefined: all) row by row, without the product's SQL. */
export async function countReference(
  db: Db,
  today: string,
  days: number,
  zone: number | undefined,
): Promise<Reference> {
  const customers = await db.selectFrom('customers').selectAll().execute()
  const bookings = await db.selectFrom('bookings').selectAll().execute()
  const money = await db.selectFrom('customer_transactions').selectAll().execute()
  const pay = await db.selectFrom('payroll_entries').selectAll().execute()
  const stretchers = await db.selectFrom('stretchers').select(['id', 'zone_id']).execute()
  const earners = await db.selectFrom('earners').selectAll().execute()

  const isIn = (of: number | null | undefined) => zone === undefined || (of ?? 0) === zone
  const isBetween = (day: string, from: string, to: string) => day >= from && day <= to
  const first = addDays(today, 1 - days)
  const inRange = (at: Date | null) => at !== null && isBetween(companyDay(at), first, today)
  const users = customers.filter((one) => one.merged_into_id === null && one.erased_at === null && isIn(one.zone_id))
  const didSomething = (customer: number, from: string, to: string) =>
    bookings.some(
      (one) =>
        one.customer_id === customer &&
        ((!['cancelled', 'no_show'].includes(one.status) && isBetween(companyDay(one.created_at), from, to)) ||
          (['completed', 'in_progress'].includes(one.status) && isBetween(companyDay(one.starts_at), from, to))),
    )
  const isActive = (customer: number) => didSomething(customer, first, today)
  const wasActive = (customer: number) => didSomething(customer, addDays(first, -days), addDays(first, -1))
  const sum = (amounts: string[]) => amounts.reduce((total, one) => total + BigInt(one.replace('.', '')), 0n)
  const text = (total: bigint) => (Number(total) / 10_000).toFixed(4)
  const zoneOfBooking = (id: number | null) => bookings.find((one) => one.id === id)?.zone_id
  const zoneOfCustomer = (id: number) => customers.find((one) => one.id === id)?.zone_id
  const zoneOfEarner = (earner: number) =>
    stretchers.find(({ id }) => id === earners.find((one) => one.id === earner)?.stretcher_id)?.zone_id
  return {
    users: users.length,
    activeUsers: users.filter(({ id }) => isActive(id)).length,
    churnedUsers: users.filter(({ id }) => wasActive(id) && !isActive(id)).length,
    sessions: bookings.filter((one) => isIn(one.zone_id) && one.status === 'completed' && inRange(one.starts_at))
      .length,
    bookedSessions: bookings.filter(
      (one) =>
        isIn(one.zone_id) && ['requested', 'confirmed', 'in_progress'].includes(one.status) && inRange(one.created_at),
    ).length,
    revenue: text(
      sum(
        money
          .filter(
            (one) =>
              one.status === 'completed' &&
              inRange(one.created_at) &&
              isIn(zoneOfBooking(one.booking_id) ?? zoneOfCustomer(one.customer_id)),
          )
          .map(({ amount }) => amount),
      ),
    ),
    payouts: text(
      sum(
        pay
          .filter(
            (one) =>
              one.status !== 'cancelled' &&
              isBetween(one.work_date, first, today) &&
              isIn(zoneOfBooking(one.booking_id) ?? zoneOfEarner(one.earner_id)),
          )
          .map(({ amount }) => amount),
      ),
    ),
    credits: users.reduce((total, one) => total + one.credits, 0),
    joined: users.filter((one) => inRange(one.joined_at)).length,
    located: users.filter((one) => one.latitude !== null).length,
    waivers: users.filter((one) => one.waiver_signed_at !== null).length,
    bookings: bookings.filter((one) => isIn(one.zone_id) && inRange(one.created_at)).length,
    cancelled: bookings.filter((one) => isIn(one.zone_id) && inRange(one.cancelled_at)).length,
  }
}
