import { findZone } from '@limber/server/businesses/public.ts'
import { draftBooking } from '@limber/server/support/customers/booking.factory.ts'
import type { Chapter, Story } from '../chapter.ts'
import { makeAddressBook } from '../people/address-book.ts'
import { type Customer, signUpCustomers } from '../people/customers.ts'
import { doubleSome } from '../people/doubles.ts'
import { type Counters, keepAccount } from '../people/money.ts'
import { makePhoneBook } from '../people/phone-book.ts'
import { attendSessions, Diary, type Session } from '../people/sessions.ts'
import { customerRow } from '../people/standing.ts'
import {
  accountRow,
  hireStretchers,
  STRETCHERS_PER_PART,
  type Stretcher,
  stretcherRow,
  type Zone,
} from '../people/stretchers.ts'

export const CUSTOMERS_PER_PART = 3000

/**
 * Stretchers, customers and a year of sessions between them. A larger company is the same one many times over, each
 * time with other people, so that memory holds one part whatever the scale.
 */
export const people: Chapter = {
  name: 'People and sessions',
  async tell(story) {
    const zones: Zone[] = await story.db
      .selectFrom('zones')
      .select(['id', 'name', 'geometry', 'west', 'south', 'east', 'north'])
      .orderBy('id')
      .execute()
    const staff = await readStaff(story)
    const counters: Counters = { booking: 0, transaction: 0, entry: 0 }
    for (let part = 0; part < story.scale; part++) {
      await tellPart(story, { zones, staff, counters, part })
      if (story.scale > 1 && (part + 1) % 10 === 0) story.log(`${part + 1} of ${story.scale} parts`)
    }
  },
}

interface Staff {
  all: number[]
  support: number[]
}

async function readStaff({ db }: Story): Promise<Staff> {
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

async function tellPart(story: Story, { zones, staff, counters, part }: Part) {
  const { calendar } = story
  const random = (name: string) => story.random(`people/${part}/${name}`)
  const addressBook = makeAddressBook(part)
  const phoneBook = makePhoneBook(part, CUSTOMERS_PER_PART)
  const firstId = part * CUSTOMERS_PER_PART + 1

  const stretchers = hireStretchers(random('stretchers'), zones, addressBook, part)
  for (const [index, stretcher] of stretchers.entries()) stretcher.customerId = firstId + index
  const world = { calendar, zones, stretchers, workerIds: staff.all, addressBook, phoneBook }
  const count = CUSTOMERS_PER_PART - STRETCHERS_PER_PART
  const customers = signUpCustomers(random('customers'), world, count, firstId + STRETCHERS_PER_PART)
  doubleSome(random('doubles'), addressBook, customers)
  const sessions = holdSessions(story, part, customers, stretchers)
  const ofCustomer = Map.groupBy(sessions, ({ customer }) => customer)
  for (const session of sessions) session.id = ++counters.booking
  const referrals = findReferrals(customers, ofCustomer)

  const lives = customers.map((customer) => {
    const own = ofCustomer.get(customer) ?? []
    const brought = referrals.get(customer) ?? []
    const ledger = {
      random: random(`money/${customer.id}`),
      now: calendar.now,
      counters,
      supportIds: staff.support,
      referrals: brought,
    }
    return { customer, own, brought: brought.length, account: keepAccount(customer, own, ledger) }
  })

  const accounts = random('accounts')
  const standing = random('standing')
  await story.copy(
    'customers',
    stretchers.map((one) => located(accountRow(one, accounts, world), zones)),
  )
  await story.copy(
    'stretchers',
    stretchers.map((one) => stretcherRow(one, calendar)),
  )
  await story.copy(
    'customers',
    lives.map(({ customer, own, brought, account }) =>
      customerRow(customer, { random: standing, now: calendar.now, sessions: own, account, brought }),
    ),
  )
  await story.copy('bookings', sessions.map(bookingRow))
  await story.copy(
    'customer_transactions',
    lives.flatMap(({ account }) => account.transactions),
  )
  await story.copy(
    'credit_entries',
    lives.flatMap(({ account }) => account.entries),
  )
}

const located = <R extends { latitude: number; longitude: number }>(row: R, zones: readonly Zone[]) => ({
  ...row,
  zone_id: findZone(row, zones)?.id ?? null,
})

/** All sessions of a part in the order in which they were booked. */
function holdSessions(story: Story, part: number, customers: readonly Customer[], stretchers: readonly Stretcher[]) {
  const diary = new Diary()
  const teams = Map.groupBy(stretchers, ({ zoneId }) => zoneId)
  const sessions: Session[] = []
  for (const customer of customers) {
    const team = customer.zoneId === undefined ? undefined : teams.get(customer.zoneId)
    if (!team) continue
    const random = story.random(`people/${part}/sessions/${customer.id}`)
    sessions.push(...attendSessions(random, customer, { calendar: story.calendar, diary, team }))
  }
  return sessions.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
}

/** When each customer's friends had their first session. */
function findReferrals(customers: readonly Customer[], ofCustomer: Map<Customer, Session[]>) {
  const referrals = new Map<Customer, Date[]>()
  for (const customer of customers) {
    const friend = customer.referrer.customer
    const first = ofCustomer.get(customer)?.find(({ status }) => status === 'completed')
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
