import { HOUR, MINUTE, shift } from '@limber/server/platform/clock.ts'
import type { Row } from '@limber/server/platform/db/db.ts'
import type { Calendar } from '../calendar.ts'
import type { Random } from '../random.ts'
import { type Customer, laterBy } from './customers.ts'
import { cancelReasons, writeFeedback } from './feedback.ts'
import type { Stretcher } from './stretchers.ts'

/** How far sessions go back and ahead, in days. */
export const HISTORY = 425
export const AHEAD = 21

export interface Session {
  id: number
  customer: Customer
  stretcher: Stretcher
  zoneId: number
  startsAt: Date
  endsAt: Date
  createdAt: Date
  status: Row<'bookings'>['status']
  price: number
  /** The price in credits, and the credits that were used. */
  creditPrice: number
  creditsUsed: number
  cancelledAt?: Date
  cancelReason?: string
  rating?: number
  ratedAt?: Date
  feedback?: string
}

const prices = { 30: 59, 60: 99, 90: 145 } as const

// Nine start times a day, far enough apart for the longest session.
const starts = [7, 8.5, 10, 11.5, 13, 14.5, 16, 17.5, 19].map((hour) => hour * 60)
const workdayStarts = [0.9, 0.6, 0.45, 0.5, 0.35, 0.4, 0.9, 1.9, 1.6]
const weekendStarts = [0.6, 1.3, 1.6, 1.4, 1.1, 1, 0.8, 0.5, 0.3]
const weekdays = [1.25, 0.85, 1, 1.05, 1.1, 0.85, 1.65]
/** Relative time between sessions by month: shorter in winter, longer in summer. */
const pauses = [0.88, 0.92, 0.95, 1, 1, 1.06, 1.16, 1.12, 1, 0.97, 1.02, 1.18]
const closed = new Set(['01-01', '12-25'])

/** Reserved times: one byte per stretcher, day and start time. */
export class Schedule {
  readonly #reserved = new Map<number, Uint8Array>()

  take(stretcher: Stretcher, day: number, start: number): boolean {
    let days = this.#reserved.get(stretcher.id)
    if (!days) {
      days = new Uint8Array((HISTORY + AHEAD + 8) * starts.length)
      this.#reserved.set(stretcher.id, days)
    }
    const at = (day + HISTORY) * starts.length + start
    if (days[at] !== 0) return false
    days[at] = 1
    return true
  }
}

const isWeekend = (weekday: number) => weekday === 0 || weekday === 6
const isAtWork = (stretcher: Stretcher, day: number, weekday: number) =>
  day >= stretcher.firstDay && day < stretcher.lastDay && !stretcher.daysOff.includes(weekday)

interface Scheduling {
  calendar: Calendar
  schedule: Schedule
  /** The stretchers of the customer's zone. */
  team: readonly Stretcher[]
}

/** All sessions of a customer that are booked by now, in order. */
export function* attendSessions(random: Random, customer: Customer, scheduling: Scheduling): Generator<Session> {
  const { habit, joinedDay } = customer
  const { calendar, team } = scheduling
  const opened = Math.min(...team.map(({ firstDay }) => firstDay))
  if (!habit || !Number.isFinite(opened)) return
  const favorite = random.pick(team)
  const stays = habit.gap === 0 ? 1 : (-Math.log(1 - random.next()) * 30) / habit.leaving
  let day = joinedDay < opened ? opened + random.integer(0, 25) : joinedDay + random.integer(1, 16)
  const end = Math.min(day + Math.max(1, stays), AHEAD)
  let lastBooked = shift(customer.joinedAt, 9 * MINUTE)
  while (day < end) {
    const session =
      day < 3 - HISTORY ? undefined : book(random, customer, scheduling, { day, favorite, after: lastBooked })
    if (session) {
      lastBooked = session.createdAt
      yield session
    }
    if (habit.gap === 0) return
    day += Math.max(
      2,
      Math.round(habit.gap * (pauses[calendar.month(Math.round(day))] ?? 1) * random.between(0.72, 1.3)),
    )
  }
}

function book(
  random: Random,
  customer: Customer,
  { calendar, schedule, team }: Scheduling,
  { day: wantedDay, favorite, after }: { day: number; favorite: Stretcher; after: Date },
): Session | undefined {
  for (let tries = 0; tries < 4; tries++) {
    const day =
      wantedDay +
      random.weighted([0, 1, 2, 3].map((ahead) => weekdays[calendar.weekday(wantedDay + ahead)] ?? 1)) +
      (tries > 1 ? 1 : 0)
    if (closed.has(calendar.monthDay(day)) || day > AHEAD) continue
    const weekday = calendar.weekday(day)
    const start = random.weighted(isWeekend(weekday) ? weekendStarts : workdayStarts)
    const present = team.filter((one) => isAtWork(one, day, weekday))
    const stretcher =
      present.includes(favorite) && random.chance(0.85)
        ? favorite
        : present[random.integer(0, Math.max(0, present.length - 1))]
    if (!stretcher) continue
    const minutes = random.chance(0.88) ? customer.minutes : 60
    const startsAt = calendar.at(day, (starts[start] ?? 600) + (minutes === 90 ? 0 : random.pick([0, 0, 0, 15, 30])))
    const createdAt = pickBookingTime(random, calendar, { customer, startsAt, day, after })
    if (!createdAt) continue
    if (!schedule.take(stretcher, day, start)) continue
    return resolve(random, calendar, {
      id: 0,
      customer,
      stretcher,
      zoneId: stretcher.zoneId,
      startsAt,
      endsAt: shift(startsAt, minutes * MINUTE),
      createdAt,
      status: 'confirmed',
      price: prices[minutes],
      creditPrice: minutes === 90 ? 2 : 1,
      creditsUsed: 0,
    })
  }
  return undefined
}

/** When the session was booked; undefined if it is too far ahead to be booked by now. */
function pickBookingTime(
  random: Random,
  calendar: Calendar,
  { customer, startsAt, day, after }: { customer: Customer; startsAt: Date; day: number; after: Date },
): Date | undefined {
  // Some book weeks ahead.
  const lead = random.chance(0.12)
    ? random.integer(12, AHEAD)
    : Math.floor((customer.habit?.lead ?? 5) * (0.15 + random.next() + random.next() ** 3 * 2))
  const asked =
    lead === 0 ? shift(startsAt, -random.between(2, 7) * HOUR) : calendar.at(day - lead, random.between(420, 1380))
  const createdAt = new Date(Math.max(asked.getTime(), after.getTime() + random.integer(1, 60) * MINUTE))
  return createdAt < shift(startsAt, -HOUR) && createdAt < calendar.now ? createdAt : undefined
}

/** The outcome of a booking. */
function resolve(random: Random, { now }: Calendar, session: Session): Session {
  const { startsAt, endsAt, createdAt } = session
  const draw = random.next()
  if (draw < (startsAt > now ? 0.06 : 0.095)) return cancel(random, now, session)
  if (startsAt > now) {
    const isFresh = createdAt > shift(now, -36 * HOUR)
    return random.chance(isFresh ? 0.45 : 0.03) ? { ...session, status: 'requested' } : session
  }
  if (endsAt > now) return { ...session, status: 'in_progress' }
  if (draw < 0.13) return { ...session, status: 'no_show' }
  return rate(random, now, { ...session, status: 'completed' })
}

function cancel(random: Random, now: Date, session: Session): Session {
  const from = session.createdAt.getTime()
  const until = Math.min(session.startsAt.getTime(), now.getTime())
  const cancelledAt = new Date(from + Math.floor(Math.sqrt(random.next()) * (until - from)))
  const done: Session = { ...session, status: 'cancelled', cancelledAt }
  return random.chance(0.7) ? { ...done, cancelReason: random.pick(cancelReasons) } : done
}

function rate(random: Random, now: Date, session: Session): Session {
  if (!random.chance(0.63)) return session
  const skillFactor = 1 + session.stretcher.skill * 0.18
  const rating = 1 + random.weighted([1.4, 2.4, 6, 22, 68 * skillFactor])
  const ratedAt = laterBy(random, session.endsAt, 10, random.chance(0.7) ? 300 : 2800)
  if (ratedAt > now) return session
  const rated: Session = { ...session, rating, ratedAt }
  const hasFeedback = random.chance(rating <= 2 ? 0.85 : rating === 3 ? 0.6 : 0.4)
  return hasFeedback ? { ...rated, feedback: writeFeedback(random, rating, session.stretcher.first_name) } : rated
}
