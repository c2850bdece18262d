import type { Calendar } from '../calendar.ts'
import type { Random } from '../random.ts'
import { customerActions, type RecordedAction, recorded, staffCalls, type UserAction } from './user-actions.ts'

/** The people who use the product. */
export interface Users {
  /** Most engaged first. */
  customers: readonly { id: number; zone: string; joinedAt: Date }[]
  workers: readonly number[]
  stretchers: readonly number[]
}

/** An action of a customer that left a record. */
export interface RecordedEvent {
  at: Date
  customer: number
  action: keyof typeof recorded
  /** The id of the record. */
  about: number
  /** No event happens before the customer joined. */
  joined: Date
}

/** Customers are active before work, at noon and mostly in the evening. Staff keep office hours. */
const customerHours = [2, 1, 1, 1, 2, 6, 18, 34, 40, 44, 46, 52, 60, 50, 44, 44, 50, 64, 78, 82, 70, 46, 22, 8]
const staffHours = [0, 0, 0, 0, 0, 0, 1, 8, 34, 52, 56, 50, 34, 48, 54, 50, 44, 26, 8, 3, 2, 1, 0, 0]
const customerWeek = [0.74, 1.02, 1.06, 1.1, 1.04, 0.98, 0.8]
const staffWeek = [0.12, 1.1, 1.15, 1.12, 1.08, 1, 0.2]
/** Growth per week. */
const GROWTH = 1.025

const digits = (random: Random, count: number) =>
  Math.floor(random.next() * 16 ** count)
    .toString(16)
    .padStart(count, '0')

/** A version 4 UUID from the stream, so that the same day gives the same events. */
const drawId = (random: Random) =>
  `${digits(random, 8)}-${digits(random, 4)}-4${digits(random, 3)}-8${digits(random, 3)}-${digits(random, 6)}${digits(random, 6)}`

function drawTime(random: Random, usual: number): number {
  const time = usual * Math.exp(random.normal() * 0.42)
  return Math.round((random.chance(0.012) ? time * random.between(3, 9) : time) * 100) / 100
}

const addressOf = (person: number) => `203.0.113.${1 + ((person * 37) % 254)}`

/** Generates usage events day by day. */
export function makeTraffic(random: Random, calendar: Calendar, users: Users) {
  const weights = {
    customer: customerActions.map(({ weight }) => weight),
    staff: staffCalls.map(({ weight }) => weight),
  }

  const moment = (day: number, hours: readonly number[]) =>
    calendar.at(day, random.weighted(hours) * 60 + random.between(0, 59.98)).getTime() + random.integer(0, 999)

  /** Engaged customers come first in the list, and the power makes them more likely. Skips those who joined later. */
  function drawCustomer(at: Date) {
    const { customers } = users
    const drawn = Math.floor(random.next() ** 1.5 * customers.length)
    for (let step = 0; step < customers.length; step += 1) {
      const customer = customers[(drawn + step) % customers.length]
      if (customer && customer.joinedAt <= at) return customer
    }
    return undefined
  }

  /** The outcome of a request. */
  const drawReply = (action: UserAction | RecordedAction, hasFailed: boolean) => ({
    action_type: action.action,
    event_outcome: hasFailed ? 'failure' : 'success',
    method: action.method,
    path: action.path,
    response_status: hasFailed ? random.pick(action.failures) : action.status,
    response_time: drawTime(random, action.ms),
  })

  function drawEvent(at: Date, source: 'customer' | 'staff') {
    const list: readonly UserAction[] = source === 'customer' ? customerActions : staffCalls
    const action = list[random.weighted(weights[source])] ?? (list[0] as UserAction)
    const customer = drawCustomer(at)
    const worker = random.pick(users.workers)
    const isCustomer = source === 'customer'
    return {
      id: drawId(random),
      created_at: at,
      source,
      user_id: isCustomer ? (customer?.id ?? null) : null,
      worker_id: isCustomer ? null : worker,
      url: action.url({ random, zone: customer?.zone ?? 'riverside', stretchers: users.stretchers }),
      ip_address: addressOf(isCustomer ? (customer?.id ?? 0) : worker),
      ...drawReply(action, random.chance(action.failing)),
    }
  }

  /** The event of a record, sometimes after a failed attempt. */
  function eventsOfRecord({ at, customer, action: name, about, joined }: RecordedEvent) {
    const action: RecordedAction = recorded[name]
    const event = (created_at: Date, hasFailed: boolean) => ({
      id: drawId(random),
      created_at,
      source: 'customer' as const,
      user_id: customer,
      worker_id: null,
      url: action.url(about),
      ip_address: addressOf(customer),
      ...drawReply(action, hasFailed),
    })
    const earlier = new Date(at.getTime() - random.integer(5_000, 50_000))
    const hasTried = random.chance(action.failing) && earlier >= joined
    return hasTried ? [event(earlier, true), event(at, false)] : [event(at, false)]
  }

  return {
    /** The events of a local day up to now, in the order of time, including those of records. */
    eventsOfDay(day: number, count: number, records: readonly RecordedEvent[] = []) {
      const growth = GROWTH ** (day / 7)
      const weekday = calendar.weekday(day)
      const draw = (source: 'customer' | 'staff', share: number, week: readonly number[], hours: readonly number[]) => {
        const wanted = Math.round(count * share * growth * (week[weekday] ?? 1) * random.between(0.93, 1.07))
        const length = Math.max(0, source === 'customer' ? wanted - records.length : wanted)
        return Array.from({ length }, () => ({ at: moment(day, hours), source }))
      }
      const drawn = [
        ...draw('customer', 0.88, customerWeek, customerHours),
        ...draw('staff', 0.12, staffWeek, staffHours),
      ]
        .filter(({ at }) => at <= calendar.now.getTime())
        .sort((a, b) => a.at - b.at)
        .map(({ at, source }) => drawEvent(new Date(at), source))
      return [...drawn, ...records.flatMap(eventsOfRecord)].sort(
        (a, b) => a.created_at.getTime() - b.created_at.getTime(),
      )
    },
  }
}
