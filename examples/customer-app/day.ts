import { inventCustomer, inventLead, inventStretcher, type Zone } from './people.ts'
import type { Random } from './random.ts'
import type { Booking, Change, Changes, Customer, Moment, Resource } from './records.ts'
import type { State } from './state.ts'

export interface Size {
  zones: readonly Zone[]
  newCustomers: number
  newStretchers: number
  /** The share of the stretchers' time that is booked. */
  busy: number
  hasUsageEvents: boolean
}

/** When sessions begin, in minutes since midnight. Between them the stretcher drives to the next customer. */
const SLOTS = [9 * 60, 10.5 * 60, 12 * 60, 13.5 * 60, 15 * 60, 16.5 * 60, 18 * 60]
const PRICE = '99.00'
const PACK = { amount: '445.00', credits: 5 }
const POINTS_PER_SESSION = 10
const PRAISE = ['On time', 'Listened', 'Right pressure', 'Friendly', 'Explained well']
const FEEDBACK = [
  'My shoulders feel great.',
  'Best hour of my week.',
  'A little too firm for me.',
  'See you next week!',
]
const REASONS = ['Feeling sick', 'Stuck at work', 'Found another time']

/** A time of day in California, in winter. Minutes may be negative: the days before. */
export const timeOf = (day: string, minutes: number) =>
  new Date(Date.parse(`${day}T08:00:00Z`) + Math.round(minutes) * 60_000).toISOString()

/** The company on its first day: people who came in the year before. */
export function planOpening(day: string, { zones, newCustomers, newStretchers }: Size, random: Random): Changes {
  const pick = (at: number) => zones[at % zones.length] as Zone
  const before = () => timeOf(day, -random.between(1, 365) * 24 * 60)
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
  return {
    stretchers: numbers(newStretchers).map((number) => inventStretcher(number, pick(number), before(), random)),
    customers: numbers(newCustomers).map((number) => inventCustomer(number, pick(number), before(), random)),
  }
}

/** Everything that happens on one day, in order. It follows from our own books and the random numbers alone. */
export function planDay(state: State, day: string, size: Size, random: Random): Moment[] {
  const { records } = state
  const moments: Moment[] = []
  const put = <R extends Resource>(minutes: number, resource: R, ...changes: Change<R>[]) => {
    const at = timeOf(day, minutes)
    // Usage events have no version: they never change.
    const items = resource === 'events' ? changes : changes.map((change) => ({ ...change, updated_at: at }))
    moments.push({ at, put: { [resource]: items } })
  }
  const use = (minutes: number, customer: string, action_type: string, method: 'GET' | 'POST' = 'POST') => {
    if (!size.hasUsageEvents) return
    const id = random.uuid()
    put(minutes, 'events', {
      external_id: id,
      id,
      customer,
      action_type,
      event_outcome: 'success',
      method,
      url: `/${action_type.replaceAll('_', '/')}`,
      response_status: 200,
      response_time: random.between(20, 400),
      created_at: timeOf(day, minutes),
    })
  }

  const zoneOf = (number: number) => size.zones[number % size.zones.length] as Zone
  const stretchers = [...records.stretchers.values()]
  for (let i = 1; i <= size.newStretchers; i++) {
    const number = stretchers.length + 1
    const stretcher = inventStretcher(number, zoneOf(number), timeOf(day, 0), random)
    stretchers.push(stretcher)
    put(0, 'stretchers', stretcher)
  }

  const customers = new Map(records.customers)
  for (let i = 1; i <= size.newCustomers; i++) {
    const minutes = random.between(1, 18 * 60)
    const customer = inventCustomer(customers.size + 1, random.pick(size.zones), timeOf(day, minutes), random)
    customers.set(customer.external_id, customer)
    put(minutes, 'customers', customer)
    use(minutes, customer.external_id, 'sign_up')
  }

  const balances = new Map(state.balances)
  const isKnown = (customer: Customer) => customer.joined_at <= timeOf(day, 0)
  const byZone = Map.groupBy([...customers.values()].filter(isKnown), (customer) => customer.address.city)

  /** Customers who buy packs pay with credits; the others pay each session. */
  const pay = (booking: Booking, minutes: number) => {
    const { external_id: id, customer } = booking
    const created_at = timeOf(day, minutes)
    if (booking.credits_used === 0) {
      const payment = { type: 'session_payment', amount: PRICE, credits: 0, status: 'completed', created_at } as const
      put(minutes, 'transactions', { external_id: `t-${id}`, customer, booking: id, ...payment })
    } else {
      put(minutes, 'credits', { external_id: `cr-${id}`, customer, delta: -1, kind: 'use', booking: id, created_at })
      balances.set(customer, (balances.get(customer) ?? 0) - 1)
    }
    use(minutes, customer, 'session_paid')
  }
  const buyPack = (customer: string, id: string, minutes: number) => {
    const purchase = { customer, created_at: timeOf(day, minutes) }
    const { amount, credits } = PACK
    put(minutes, 'transactions', {
      ...{ external_id: `t-pack-${id}`, type: 'credit_purchase', amount, credits, status: 'completed' },
      ...purchase,
    })
    put(minutes, 'credits', {
      ...{ external_id: `cr-pack-${id}`, delta: credits, kind: 'purchase', transaction: `t-pack-${id}` },
      ...purchase,
    })
    balances.set(customer, (balances.get(customer) ?? 0) + credits)
  }
  const rate = (booking: Booking, minutes: number) => {
    const rated_at = timeOf(day, minutes)
    const rating = random.pick([5, 5, 5, 5, 5, 4, 4, 4, 3, 2])
    put(minutes, 'bookings', {
      external_id: booking.external_id,
      rating,
      rated_at,
      rating_attributes: rating > 3 ? [random.pick(PRAISE)] : [],
      ...(random.chance(0.2) && { feedback: random.pick(FEEDBACK), feedback_at: rated_at }),
    })
  }
  const complain = (booking: Booking, customer: Customer, minutes: number) => {
    const created_at = timeOf(day, minutes)
    put(minutes, 'tickets', {
      external_id: `tk-${booking.external_id}`,
      customer_email: customer.email,
      subject: random.pick(['My session was too short', 'I was charged twice', 'My stretcher was late']),
      status: 'open',
      priority: random.pick(['low', 'medium', 'high']),
      created_at,
      messages: [{ from_customer: true, content: 'Please have a look at my last session.', created_at }],
      silent: true,
    })
    if (booking.credits_used > 0) return
    put(minutes + 30, 'transactions', {
      ...{ external_id: `t-refund-${booking.external_id}`, customer: customer.external_id, credits: 0 },
      ...{ booking: booking.external_id, type: 'refund', amount: `-${PRICE}`, status: 'completed' },
      created_at: timeOf(day, minutes + 30),
    })
  }
  const earnPoints = (id: string, minutes: number) => {
    const customer = customers.get(id) as Customer
    const total = customer.total_points_earned + POINTS_PER_SESSION
    const sessions = total / POINTS_PER_SESSION
    const earned = {
      last_login_at: timeOf(day, minutes),
      lifecycle_stage: sessions >= 10 ? 'loyal' : 'active',
      value_tier: sessions >= 20 ? 'high' : sessions >= 6 ? 'medium' : 'low',
      engagement_score: Math.min(100, 20 + 4 * sessions),
      points: customer.points + POINTS_PER_SESSION,
      total_points_earned: total,
    } as const
    customers.set(id, { ...customer, ...earned })
    put(minutes, 'customers', { external_id: id, ...earned })
    if (sessions % 10 === 0)
      put(minutes, 'rewards', {
        ...{ external_id: `r-${id}-${sessions}`, customer: id, type: 'Free session', points: 100 },
        ...{ details: `${sessions} sessions`, earned_at: timeOf(day, minutes) },
      })
  }

  const seenToday = new Set<string>()
  for (const stretcher of stretchers) {
    const zone = size.zones.find(({ id }) => id === stretcher.zone_id)
    const nearby = byZone.get(zone?.name ?? '') ?? []
    for (const [slot, start] of SLOTS.entries()) {
      const customer = random.chance(size.busy) && nearby.length > 0 ? random.pick(nearby) : undefined
      if (!customer || seenToday.has(customer.external_id)) continue
      seenToday.add(customer.external_id)
      const id = `b-${day}-${stretcher.external_id}-${slot}`
      // Every third customer buys packs.
      const hasPack = Number(customer.external_id.slice(2)) % 3 === 0
      const isSpontaneous = random.chance(0.3)
      const bookedAt = isSpontaneous ? start - random.between(30, 240) : 0
      const booking: Booking = {
        external_id: id,
        customer: customer.external_id,
        stretcher: stretcher.external_id,
        starts_at: timeOf(day, start),
        ends_at: timeOf(day, start + 60),
        created_at: timeOf(day, isSpontaneous ? bookedAt : -random.between(60, 10 * 24 * 60)),
        status: 'confirmed',
        price: PRICE,
        credits_used: hasPack ? 1 : 0,
      }
      put(bookedAt, 'bookings', booking)
      use(bookedAt, customer.external_id, 'session_booked')
      if (hasPack && (balances.get(customer.external_id) ?? 0) < 1) buyPack(customer.external_id, id, bookedAt)
      if (random.chance(0.05)) {
        const minutes = random.between(bookedAt, start)
        const cancelled = { status: 'cancelled', cancelled_at: timeOf(day, minutes), credits_used: 0 } as const
        put(minutes, 'bookings', { external_id: id, ...cancelled, cancel_reason: random.pick(REASONS) })
        use(minutes, customer.external_id, 'session_cancelled')
        continue
      }
      if (random.chance(0.02)) {
        put(start + 60, 'bookings', { external_id: id, status: 'no_show', credits_used: 0 })
        continue
      }
      put(start, 'bookings', { external_id: id, status: 'in_progress' })
      put(start + 60, 'bookings', { external_id: id, status: 'completed' })
      pay(booking, start + 61)
      earnPoints(customer.external_id, start + 62)
      if (random.chance(0.7)) rate(booking, start + random.between(65, 150))
      if (random.chance(0.02)) complain(booking, customer, start + random.between(90, 180))
    }
  }
  for (let i = 1; i <= 2; i++) put(random.between(8 * 60, 20 * 60), 'leads', inventLead(`l-${day}-${i}`, random))
  return moments.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}
