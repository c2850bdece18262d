import { findZone } from '@limber/server/businesses/public.ts'
import { draftBooking } from '@limber/server/support/customers/booking.factory.ts'
import { buildAccount, type Counters } from '../people/account.ts'
import { makeAddressBook } from '../people/address-book.ts'
import { customerRow } from '../people/customer-row.ts'
import { type Customer, signUpCustomers } from '../people/customers.ts'
import { addDuplicates } from '../people/duplicates.ts'
import { makePhoneBook } from '../people/phone-book.ts'
import { attendSessions, Schedule, type Session } from '../people/sessions.ts'
import {
  accountRow,
  hireStretchers,
  STRETCHERS_PER_PART,
  type Stretcher,
  stretcherRow,
  type Zone,
} from '../people/stretchers.ts'
import type { SeedContext, Seeder } from '../seeder.ts'

/**
 * Stretchers, customers and a year of sessions. A larger company consists of several parts of the same size with
 * different people, so that only one part is in memory at a time.
 */
export const people: Seeder = {
  name: 'People and sessions',
  async seed(context) {
    const zones: Zone[] = await context.db
      .selectFrom('zones')
      .select(['id', 'name', 'geometry', 'west', 'south', 'east', 'north'])
      .orderBy('id')
      .execute()
    const staff = await readStaff(context)
    const counters: Counters = { booking: 0, transaction: 0, entry: 0 }
    for (let part = 0; part < context.scale; part++) {
      await seedPart(context, { zones, staff, counters, part })
      if (context.scale > 1 && (part + 1) % 10 === 0) context.log(`${part + 1} of ${context.scale} parts`)
    }
  },
}

interface Staff {
  all: number[]
  support: number[]
}

async function readStaff({ db }: SeedContext): Promise<Staff> {
  const workers = await db
    .selectFrom('workers')
    .select(['id', 'role'])
    .where('status', '=', 'active')
    .orderBy('id')
    .execute()
  const support = workers.filter(({ role }) => role?.startsWith('Support'))
  return { all: workers.map(({ id }) => id), support: support.map(({ id }) => id) }
}

interface Part {
  zones: readonly Zone[]
  staff: Staff
  counters: Counters
  part: number
}

async function seedPart(context: SeedContext, { zones, staff, counters, part }: Part) {
  const { calendar, partSize } = context
  const random = (name: string) => context.random(`people/${part}/${name}`)
  const addressBook = makeAddressBook(part)
  const phoneBook = makePhoneBook(part, partSize)
  const firstId = part * partSize + 1

  const stretchers = hireStretchers(random('stretchers'), zones, addressBook, part)
  for (const [index, stretcher] of stretchers.entries()) stretcher.customerId = firstId + index
  const company = { calendar, zones, stretchers, workerIds: staff.all, addressBook, phoneBook }
  const count = partSize - STRETCHERS_PER_PART
  const customers = signUpCustomers(random('customers'), company, count, firstId + STRETCHERS_PER_PART)
  addDuplicates(random('doubles'), addressBook, customers)
  const sessions = simulateSessions(context, part, customers, stretchers)
  const sessionsByCustomer = Map.groupBy(sessions, ({ customer }) => customer)
  for (const session of sessions) session.id = ++counters.booking
  const referrals = findReferrals(customers, sessionsByCustomer)

  const histories = customers.map((customer) => {
    const own = sessionsByCustomer.get(customer) ?? []
    const referred = referrals.get(customer) ?? []
    const ledger = {
      random: random(`money/${customer.id}`),
      now: calendar.now,
      counters,
      supportIds: staff.support,
      referrals: referred,
    }
    return { customer, own, referredCount: referred.length, account: buildAccount(customer, own, ledger) }
  })

  const accounts = random('accounts')
  const status = random('standing')
  await context.copy(
    'customers',
    stretchers.map((one) => withZone(accountRow(one, accounts, company), zones)),
  )
  await context.copy(
    'stretchers',
    stretchers.map((one) => stretcherRow(one, calendar)),
  )
  await context.copy(
    'customers',
    histories.map(({ customer, own, referredCount, account }) =>
      customerRow(customer, { random: status, now: calendar.now, sessions: own, account, referredCount }),
    ),
  )
  await context.copy('bookings', sessions.map(bookingRow))
  await context.copy(
    'customer_transactions',
    histories.flatMap(({ account }) => account.transactions),
  )
  await context.copy(
    'credit_entries',
    histories.flatMap(({ account }) => account.entries),
  )
}

const withZone = <R extends { latitude: number; longitude: number }>(row: R, zones: readonly Zone[]) => ({
  ...row,
  zone_id: findZone(row, zones)?.id ?? null,
})

/** All sessions of a part, in the order of booking. */
function simulateSessions(
  context: SeedContext,
  part: number,
  customers: readonly Customer[],
  stretchers: readonly Stretcher[],
) {
  const schedule = new Schedule()
  const teams = Map.groupBy(stretchers, ({ zoneId }) => zoneId)
  const sessions: Session[] = []
  for (const customer of customers) {
    const team = customer.zoneId === undefined ? undefined : teams.get(customer.zoneId)
    if (!team) continue
    const random = context.random(`people/${part}/sessions/${customer.id}`)
    sessions.push(...attendSessions(random, customer, { calendar: context.calendar, schedule, team }))
  }
  return sessions.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
}

/** When the friends whom each customer referred had their first session. */
function findReferrals(customers: readonly Customer[], sessionsByCustomer: Map<Customer, Session[]>) {
  const referrals = new Map<Customer, Date[]>()
  for (const customer of customers) {
    const friend = customer.referrer.customer
    const first = sessionsByCustomer.get(customer)?.find(({ status }) => status === 'completed')
    if (friend && first) referrals.set(friend, [...(referrals.get(friend) ?? []), first.endsAt])
  }
  return referrals
}

const bookingRow = (session: Session) => ({
  id: session.id,
  ...draftBooking({
    customer_id: session.customer.id,
    stretcher_id: session.stretcher.id,
    zone_id: session.zoneId,
    starts_at: session.startsAt,
    ends_at: session.endsAt,
    status: session.status,
    price: String(session.price),
    credits_used: session.creditsUsed,
    rating: session.rating ?? null,
    rated_at: session.ratedAt ?? null,
    feedback: session.feedback ?? null,
    feedback_at: (session.feedback && session.ratedAt) || null,
    cancelled_at: session.cancelledAt ?? null,
    cancel_reason: session.cancelReason ?? null,
    created_at: session.createdAt,
  }),
})
