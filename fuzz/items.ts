import type { Chance } from './chance.ts'

/** Records of the company that items can name. */
export interface Known {
  now: Date
  /** Ids by resource. */
  ids: Readonly<
    Record<'customers' | 'stretchers' | 'bookings' | 'transactions' | 'zones' | 'sessions', readonly number[]>
  >
  workers: readonly string[]
  /** Addresses of customers. */
  emails: readonly string[]
}

type Item = { external_id: string } & Record<string, unknown>

const DAY = 86_400_000
const SOURCE = 'fuzz'

/** A small pool, so that an item often changes what an earlier batch made. */
const POOL = 25

function tools(chance: Chance, { now, ids }: Known) {
  const between = (low: number, high: number) => low + chance.below(high - low + 1)
  const at = (low: number, high: number) =>
    new Date(now.getTime() + between(low, high) * DAY + chance.below(24) * 3_600_000).toISOString()
  return {
    between,
    /** A moment between two numbers of days from now. */
    at,
    day: (low: number, high: number) => at(low, high).slice(0, 10),
    money: () => `${chance.below(500)}.${chance.pick(['00', '5', '1234'])}`,
    name: () => `${chance.pick(['Ana', 'José', "O'Neil", 'Łukasz', '李'])}${between(1, 9)}`,
    phone: () => `+1951555${String(between(0, 9999)).padStart(4, '0')}`,
    email: (kind: string) => `${kind}${between(1, POOL)}@fuzz.example.com`,
    /** An existing record by its id, one that may have been sent, or now and then one that does not exist. */
    reference(to: 'customers' | 'stretchers' | 'bookings' | 'transactions') {
      const sent = `${to}-${between(1, POOL)}`
      const kind = chance.below(12)
      if (kind === 0) return 'nobody'
      if (kind === 1) return { id: 2_000_000_000 }
      if (kind < 5) return sent
      if (kind === 5) return { source: SOURCE, external_id: sent }
      return { id: chance.pick(ids[to]) }
    },
    /** The field, or nothing. */
    some: <T>(value: T, oneIn = 2): T | undefined => (chance.oneIn(oneIn) ? undefined : value),
    orNull: <T>(value: T): T | null => (chance.oneIn(5) ? null : value),
  }
}

type Make = (chance: Chance, known: Known) => Record<string, unknown>

/** Items of the right shape for each resource. Most can be accepted, some break a rule. */
export const makers: Readonly<Record<string, Make>> = {
  customers(chance, known) {
    const { some, orNull, at, name, phone, email, between, reference } = tools(chance, known)
    const points = between(0, 900)
    return {
      first_name: some(name(), 8),
      last_name: some(name(), 8),
      email: chance.oneIn(8) ? chance.pick(known.emails) : some(email('c'), 8),
      phone: some(orNull(phone())),
      joined_at: some(at(-300, -100)),
      last_login_at: some(orNull(at(-99, -1))),
      email_verified_at: some(orNull(at(-99, -1))),
      waiver_signed_at: some(orNull(at(-99, -1))),
      value_tier: some(chance.pick(['low', 'medium', 'high', 'vip'])),
      engagement_score: some(between(0, 100)),
      points: some(points),
      total_points_earned: some(points + between(0, 5), 4),
      rank: some(chance.pick(['Bronze', 'Gold'])),
      address: some(
        orNull({
          city: some(orNull('Riverside')),
          postal_code: some(orNull(chance.pick(['92501', '90210', 'K1A 0B1']))),
          ...(chance.oneIn(2) && { latitude: between(30, 40) + 0.5, longitude: -between(110, 120) - 0.5 }),
        }),
      ),
      referred_by: some(
        chance.pick([
          null,
          { customer: reference('customers') },
          { stretcher: reference('stretchers') },
          { worker_email: chance.pick(known.workers) },
        ]),
      ),
      marketing_opt_out: some(chance.oneIn(2), 3),
    }
  },
  stretchers(chance, known) {
    const { some, orNull, at, day, name, phone, email, reference } = tools(chance, known)
    return {
      ...(chance.oneIn(3) && { customer: reference('customers') }),
      first_name: some(name(), 8),
      last_name: some(name(), 8),
      email: some(email('s'), 8),
      phone: some(orNull(phone())),
      date_of_birth: some(orNull(day(-15_000, -8000))),
      hired_at: some(at(-300, -1)),
      status: some(chance.pick(['active', 'in_training', 'inactive'])),
      zone_id: some(orNull(chance.pick(known.ids.zones))),
    }
  },
  bookings(chance, known) {
    const { some, orNull, at, money, between, reference } = tools(chance, known)
    const start = new Date(at(-200, 60))
    const status = chance.pick(['requested', 'confirmed', 'completed', 'completed', 'cancelled', 'no_show'])
    const isRated = status === 'completed' && chance.oneIn(2)
    return {
      customer: some(reference('customers'), 8),
      stretcher: some(orNull(reference('stretchers')), 6),
      zone_id: some(chance.pick(known.ids.zones), 3),
      starts_at: start.toISOString(),
      ends_at: new Date(start.getTime() + between(1, 9) * 900_000).toISOString(),
      status: some(status, 8),
      price: some(money(), 8),
      credits_used: some(between(0, 3)),
      ...(isRated && { rating: between(1, 5), rating_attributes: some(['on time']), feedback: some('Great.') }),
      ...(status === 'cancelled' && { cancelled_at: some(at(-200, 0)), cancel_reason: some(orNull('Rain')) }),
      created_at: some(new Date(start.getTime() - between(0, 5) * DAY).toISOString()),
    }
  },
  transactions(chance, known) {
    const { some, orNull, at, money, between, reference } = tools(chance, known)
    const type = chance.pick(['credit_purchase', 'session_payment', 'refund'])
    return {
      customer: some(reference('customers'), 8),
      booking: some(orNull(reference('bookings'))),
      type: some(type, 8),
      amount: some(type === 'refund' ? `-${money()}` : money(), 8),
      credits: some(between(0, 10)),
      status: some(chance.pick(['completed', 'pending', 'failed'])),
      created_at: some(at(-200, -1)),
    }
  },
  credits(chance, known) {
    const { some, orNull, at, between, reference } = tools(chance, known)
    const kind = chance.pick(['purchase', 'use', 'refund', 'referral'])
    return {
      customer: reference('customers'),
      delta: kind === 'use' ? -between(1, 3) : between(1, 9),
      kind,
      booking: some(orNull(reference('bookings'))),
      transaction: some(orNull(reference('transactions'))),
      created_at: some(at(-200, -1)),
    }
  },
  rewards(chance, known) {
    const { some, orNull, at, between, reference } = tools(chance, known)
    return {
      customer: some(reference('customers'), 8),
      type: some(chance.pick(['Free session', 'Mug']), 8),
      details: some(orNull('Ten sessions')),
      points: some(between(0, 500)),
      earned_at: some(at(-200, -100)),
      expires_at: some(orNull(at(-99, 100))),
      redeemed_at: some(orNull(at(-99, -1))),
    }
  },
  participants(chance, known) {
    const { some, orNull, at, name, email, between, reference } = tools(chance, known)
    return {
      session_id: some(chance.oneIn(12) ? 2_000_000_000 : chance.pick(known.ids.sessions), 8),
      slot: some(between(0, 12), 8),
      name: some(name(), 8),
      email: some(email('p'), 8),
      customer: some(orNull(reference('customers'))),
      rating: some(orNull(between(1, 5))),
      booked_at: some(at(-200, -1)),
    }
  },
  leads(chance, known) {
    const { some, orNull, name, phone, email } = tools(chance, known)
    return {
      first_name: some(name(), 8),
      last_name: some(name(), 6),
      email: some(orNull(email('l')), 4),
      phone: some(orNull(phone()), 4),
      source: some(chance.pick(['website', 'event', 'referral'])),
      note: some(orNull('Wants mornings.')),
    }
  },
  tickets(chance, known) {
    const { some, at, email } = tools(chance, known)
    const message = () => ({
      from_customer: chance.oneIn(2),
      content: `Line ${chance.below(9)}`,
      created_at: at(-90, -1),
    })
    return {
      customer_email: some(chance.oneIn(2) ? chance.pick(known.emails) : email('t'), 8),
      subject: some('Too short', 8),
      status: some(chance.pick(['open', 'in_progress', 'closed'])),
      priority: some(chance.pick(['low', 'medium', 'high'])),
      created_at: some(at(-120, -91)),
      messages: some(Array.from({ length: 1 + chance.below(3) }, message), 6),
      silent: some(true, 3),
    }
  },
  'payroll/history'(chance, known) {
    const { some, day, reference } = tools(chance, known)
    const type = chance.pick(['session', 'bonus', 'mileage'])
    const tax = type === 'mileage' ? {} : { withheld: '10.00', employer_tax: some('5.00') }
    return {
      ...(chance.oneIn(3) ? { worker_email: chance.pick(known.workers) } : { stretcher: reference('stretchers') }),
      type,
      amount: `${10 + chance.below(900)}.00`,
      ...tax,
      work_date: day(-200, -100),
      pay_date: day(-99, -1),
    }
  },
  events(chance, known) {
    const { some, orNull, at, between, reference } = tools(chance, known)
    return {
      customer: some(orNull(reference('customers'))),
      action_type: some(chance.oneIn(20) ? 'Not A Name' : chance.pick(['session_booked', 'app_opened']), 20),
      event_outcome: chance.pick(['success', 'success', 'failure']),
      method: chance.pick(['GET', 'POST']),
      url: chance.pick(['/api/bookings', '/api/bookings/7?token=secret', 'https://app.example.com/profile']),
      response_status: chance.oneIn(20) ? 99 : chance.pick([200, 201, 404, 500]),
      response_time: between(0, 900) + 0.5,
      ip_address: some(orNull('203.0.113.9')),
      created_at: at(-8, -1),
    }
  },
}

/** A second item of these is refused unless it is the same. */
const APPEND_ONLY = ['credits', 'payroll/history', 'events']

/** A batch of different records. Some fields of an item may be left out. */
export function makeItems(resource: string, chance: Chance, known: Known): Item[] {
  const make = makers[resource]
  if (!make) throw new Error(`No items of ${resource}`)
  const { at } = tools(chance, known)
  const pool = APPEND_ONLY.includes(resource) ? 1000 * POOL : POOL
  const places = new Set(Array.from({ length: 1 + chance.below(8) }, () => 1 + chance.below(pool)))
  return [...places].map((place) => {
    const fields = {
      external_id: `${resource}-${place}`,
      ...(resource !== 'events' && chance.oneIn(2) && { updated_at: at(-20, -1) }),
      ...make(chance, known),
    }
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Item
  })
}
