import { findZone } from '@limber/server/businesses/public.ts'
import { shift } from '@limber/server/platform/clock.ts'
import type { Calendar } from '../calendar.ts'
import { type Address, pickAddress, pickTown } from '../places/streets.ts'
import type { Random } from '../random.ts'
import type { AddressBook } from './address-book.ts'
import { type PersonName, pickName } from './names.ts'
import type { PhoneBook } from './phone-book.ts'
import type { Stretcher, Zone } from './stretchers.ts'

/** How often a customer comes, and how soon they stop. */
export interface Habit {
  /** Days between sessions; 0 for a single session. */
  gap: number
  /** Share that stops each month. */
  leaving: number
  /** Days between booking and session. */
  lead: number
  /** Probability of paying with credit packs. */
  packs: number
}

const habits: readonly [weight: number, habit: Habit][] = [
  [9, { gap: 7, leaving: 0.035, lead: 6, packs: 0.7 }],
  [18, { gap: 14, leaving: 0.05, lead: 7, packs: 0.55 }],
  [30, { gap: 29, leaving: 0.08, lead: 6, packs: 0.3 }],
  [24, { gap: 58, leaving: 0.11, lead: 5, packs: 0.15 }],
  [19, { gap: 0, leaving: 1, lead: 4, packs: 0.04 }],
]
const habitWeights = habits.map(([weight]) => weight)

/** Who referred a customer: at most one of these. */
export interface Referrer {
  customer?: Customer
  stretcherId?: number
  workerId?: number
}

export interface Customer extends PersonName {
  id: number
  email: string
  phone: string | null
  type: 'individual' | 'corporate' | 'student'
  joinedAt: Date
  joinedDay: number
  address: Address | undefined
  zoneId: number | undefined
  /** Undefined for customers who only signed up. */
  habit: Habit | undefined
  minutes: 30 | 60 | 90
  paysWithPacks: boolean
  referrer: Referrer
}

const DAYS_BACK = 850
const GROWTH = 1.7

/** Sign-ups by month: New Year's resolutions in January, quiet summers and holidays. */
const season = [1.3, 1.15, 1.05, 1, 0.95, 0.85, 0.75, 0.8, 1, 1.05, 0.95, 0.75]

/** A past day. Later days are more likely, because the company grows. */
function pickJoinDay(random: Random, calendar: Calendar): number {
  for (;;) {
    const part = Math.log(1 + random.next() * (Math.exp(GROWTH) - 1)) / GROWTH
    const day = Math.floor(-DAYS_BACK * (1 - part))
    if (day < 0 && random.chance((season[calendar.month(day)] ?? 1) / 1.3)) return day
  }
}

export interface Company {
  calendar: Calendar
  zones: readonly Zone[]
  stretchers: readonly Stretcher[]
  workerIds: readonly number[]
  addressBook: AddressBook
  phoneBook: PhoneBook
}

/** The customers of one part of the company, in the order of joining. */
export function signUpCustomers(random: Random, company: Company, count: number, firstId: number): Customer[] {
  const { calendar } = company
  const days = Array.from({ length: count }, () => pickJoinDay(random, calendar)).sort((a, b) => a - b)
  const moments = days.map((day) => ({ day, at: calendar.at(day, random.between(6 * 60 + 30, 22 * 60 + 30)) }))
  moments.sort((a, b) => a.at.getTime() - b.at.getTime())
  const customers: Customer[] = []
  for (const [index, { day, at }] of moments.entries()) {
    customers.push(signUp(random, company, { id: firstId + index, day, at, earlier: customers }))
  }
  return customers
}

interface SignUp {
  id: number
  day: number
  at: Date
  earlier: readonly Customer[]
}

function signUp(random: Random, company: Company, { id, day, at, earlier }: SignUp): Customer {
  const name = pickName(random)
  const town = pickTown(random)
  const address = random.chance(0.86) ? pickAddress(random, town) : undefined
  const zoneId = address && findZone(address, company.zones)?.id
  const habit = random.chance(0.76) ? habits[random.weighted(habitWeights)]?.[1] : undefined
  return {
    ...name,
    id,
    email: company.addressBook(random, name),
    phone: random.chance(0.93) ? company.phoneBook(random, town) : null,
    type: (['individual', 'corporate', 'student'] as const)[random.weighted([81, 12, 7])] ?? 'individual',
    joinedAt: at,
    joinedDay: day,
    address,
    zoneId,
    habit: zoneId === undefined ? undefined : habit,
    minutes: ([30, 60, 90] as const)[random.weighted([16, 64, 20])] ?? 60,
    paysWithPacks: random.chance(habit?.packs ?? 0),
    referrer: pickReferrer(random, company, { day, zoneId, earlier }),
  }
}

function pickReferrer(
  random: Random,
  { stretchers, workerIds }: Company,
  { day, zoneId, earlier }: { day: number; zoneId: number | undefined; earlier: readonly Customer[] },
): Referrer {
  const draw = random.next()
  if (draw < 0.15 && earlier.length > 20) {
    const friend = earlier[Math.floor(earlier.length * Math.sqrt(random.next()))]
    return friend?.habit && friend.habit.gap > 0 ? { customer: friend } : {}
  }
  if (draw < 0.2) {
    const known = stretchers.find((one) => one.zoneId === zoneId && one.firstDay < day && one.lastDay > day)
    return known ? { stretcherId: known.id } : {}
  }
  return draw < 0.222 ? { workerId: random.pick(workerIds) } : {}
}

/** A random moment within a range of minutes after another. */
export const laterBy = (random: Random, from: Date, minMinutes: number, maxMinutes: number) =>
  shift(from, Math.round(random.between(minMinutes, maxMinutes) * 60) * 1000)
