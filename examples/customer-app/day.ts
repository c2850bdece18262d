import { Diary, timeOf } from './diary.ts'
import { inventCustomer, inventLead, inventStretcher, type Zone } from './people.ts'
import type { Random } from './random.ts'
import type { Changes, Customer, Moment, Stretcher } from './records.ts'
import { book, playSession } from './session.ts'
import type { State } from './state.ts'

const DAY = 24 * 60
/** When sessions begin, in minutes since midnight. Between them the stretcher drives to the next customer. */
const SLOTS = [9 * 60, 10.5 * 60, 12 * 60, 13.5 * 60, 15 * 60, 16.5 * 60, 18 * 60]

export interface Size {
  zones: readonly Zone[]
  newCustomers: number
  newStretchers: number
  /** The share of the stretchers' time that is booked. */
  busy: number
  isHistory: boolean
  /** The last day: customers book for the days to come. */
  isLast: boolean
}

/** The company on its first day, with people who came in the year before. */
export function planOpening(
  day: string,
  zones: readonly Zone[],
  customers: number,
  stretchers: number,
  random: Random,
): Changes {
  const before = () => timeOf(day, -random.between(1, 365) * DAY)
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
  return {
    stretchers: numbers(stretchers).map((number) => inventStretcher(number, zoneOf(zones, number), before(), random)),
    customers: numbers(customers).map((number) => inventCustomer(number, zoneOf(zones, number), before(), random)),
  }
}

const zoneOf = (zones: readonly Zone[], number: number) => zones[number % zones.length] as Zone

/** Everything that happens on one day, in order. It follows from our own books and the seed alone. */
export function planDay(state: State, day: string, size: Size, random: Random): Moment[] {
  const diary = new Diary(day, random, state, size.isHistory)
  const known = [...diary.customers.values()]
  const byCity = Map.groupBy(known, ({ address }) => address.city)
  const nearby = ({ zone_id }: Stretcher) => byCity.get(size.zones.find(({ id }) => id === zone_id)?.name ?? '') ?? []

  const stretchers = [...state.records.stretchers.values()]
  for (let i = 0; i < size.newStretchers; i++) {
    const number = stretchers.length + 1
    stretchers.push(inventStretcher(number, zoneOf(size.zones, number), diary.time(0), random))
    diary.put(0, 'stretchers', ...stretchers.slice(-1))
  }
  for (let i = 1; i <= size.newCustomers; i++) {
    const minutes = random.between(1, 18 * 60)
    const customer = inventCustomer(
      known.length + i,
      random.pick(size.zones),
      diary.time(minutes),
      random,
      known.length,
    )
    diary.put(minutes, 'customers', customer)
    diary.use(minutes, customer.external_id, 'sign_up')
  }
  // Leads have no date of their own, so old ones are not sent.
  for (let i = 1; i <= 2 && !size.isHistory; i++)
    diary.put(random.between(8 * 60, 20 * 60), 'leads', inventLead(`l-${day}-${i}`, random))

  const seen = new Set<string>()
  for (const stretcher of stretchers)
    for (const [slot, start] of SLOTS.entries()) {
      const people = nearby(stretcher)
      const customer = random.chance(size.busy) && people.length > 0 ? random.pick(people) : undefined
      if (!customer || seen.has(customer.external_id)) continue
      seen.add(customer.external_id)
      const isSpontaneous = random.chance(0.3)
      const bookedAt = isSpontaneous ? start - random.between(30, 240) : 0
      playSession(diary, {
        id: `b-${day}-${stretcher.external_id}-${slot}`,
        customer,
        stretcher: stretcher.external_id,
        start,
        bookedAt,
        createdAt: diary.time(isSpontaneous ? bookedAt : -random.between(60, 10 * DAY)),
      })
    }
  if (size.isLast) bookAhead(diary, stretchers, nearby)
  return diary.moments.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

/** Bookings for the next week, made in the days before. */
function bookAhead(diary: Diary, stretchers: Stretcher[], nearby: (of: Stretcher) => Customer[]): void {
  const { random, day } = diary
  for (const stretcher of stretchers)
    for (let ahead = 2; ahead <= 8; ahead++)
      for (const [slot, start] of SLOTS.entries()) {
        const people = nearby(stretcher)
        if (people.length === 0 || !random.chance(0.4 - ahead / 25)) continue
        book(diary, {
          id: `b-${day}-ahead-${ahead}-${stretcher.external_id}-${slot}`,
          customer: random.pick(people),
          stretcher: stretcher.external_id,
          start: ahead * DAY + start,
          bookedAt: 0,
          createdAt: diary.time(-random.between(0, (10 - ahead) * DAY)),
        })
      }
}
