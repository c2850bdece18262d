import type { Diary } from './diary.ts'
import type { Booking, Customer } from './records.ts'

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
const COMPLAINTS = ['My session was too short', 'I was charged twice', 'My stretcher was late']

interface Appointment {
  id: string
  customer: Customer
  stretcher: string
  /** Minutes since midnight of the diary's day. */
  start: number
  bookedAt: number
  createdAt: string
}

/** A customer books. Every third one pays with credits, and buys a pack of them first if none is left. */
export function book(diary: Diary, { id, customer, stretcher, start, bookedAt, createdAt }: Appointment): Booking {
  const paysWithCredits = Number(customer.external_id.slice(2)) % 3 === 0
  const booking: Booking = {
    external_id: id,
    customer: customer.external_id,
    stretcher,
    starts_at: diary.time(start),
    ends_at: diary.time(start + 60),
    created_at: createdAt,
    status: 'confirmed',
    price: PRICE,
    credits_used: paysWithCredits ? 1 : 0,
  }
  diary.put(bookedAt, 'bookings', booking)
  diary.use(bookedAt, booking.customer, 'session_booked')
  if (paysWithCredits && (diary.balances.get(booking.customer) ?? 0) < 1) buyPack(diary, booking, bookedAt)
  return booking
}

/** What becomes of a booking: canceled, missed, or completed, paid, rated, and now and then complained about. */
export function playSession(diary: Diary, appointment: Appointment): void {
  const { random } = diary
  const booking = book(diary, appointment)
  const { external_id } = booking
  const { start, bookedAt, customer } = appointment
  if (random.chance(0.05)) {
    const minutes = random.between(bookedAt, start)
    const cancelled = { status: 'cancelled', cancelled_at: diary.time(minutes), credits_used: 0 } as const
    diary.put(minutes, 'bookings', { external_id, ...cancelled, cancel_reason: random.pick(REASONS) })
    diary.use(minutes, booking.customer, 'session_cancelled')
    return
  }
  if (random.chance(0.02)) {
    diary.put(start + 60, 'bookings', { external_id, status: 'no_show', credits_used: 0 })
    return
  }
  diary.put(start, 'bookings', { external_id, status: 'in_progress' })
  diary.put(start + 60, 'bookings', { external_id, status: 'completed' })
  pay(diary, booking, start + 61)
  earnPoints(diary, booking, start + 62)
  if (random.chance(0.7)) rate(diary, booking, start + random.between(65, 150))
  if (random.chance(0.02)) complain(diary, booking, customer, start + random.between(90, 180))
}

function buyPack(diary: Diary, { external_id: id, customer }: Booking, minutes: number): void {
  const { amount, credits } = PACK
  const bought = { customer, created_at: diary.time(minutes) }
  diary.put(minutes, 'transactions', {
    ...{ external_id: `t-pack-${id}`, type: 'credit_purchase', amount, credits, status: 'completed' },
    ...bought,
  })
  addCredits(diary, minutes, `pack-${id}`, customer, credits, { kind: 'purchase', transaction: `t-pack-${id}` })
}

function pay(diary: Diary, { external_id: id, customer, credits_used }: Booking, minutes: number): void {
  diary.use(minutes, customer, 'session_paid')
  if (credits_used > 0) addCredits(diary, minutes, id, customer, -1, { kind: 'use', booking: id })
  else
    diary.put(minutes, 'transactions', {
      ...{ external_id: `t-${id}`, type: 'session_payment', amount: PRICE, credits: 0, status: 'completed' },
      ...{ customer, booking: id, created_at: diary.time(minutes) },
    })
}

type Because = { kind: 'purchase'; transaction: string } | { kind: 'use'; booking: string }

function addCredits(diary: Diary, minutes: number, id: string, customer: string, delta: number, because: Because) {
  const created_at = diary.time(minutes)
  diary.put(minutes, 'credits', { external_id: `cr-${id}`, customer, delta, ...because, created_at })
  diary.balances.set(customer, (diary.balances.get(customer) ?? 0) + delta)
}

function rate(diary: Diary, { external_id }: Booking, minutes: number): void {
  const { random } = diary
  const rated_at = diary.time(minutes)
  const rating = random.pick([5, 5, 5, 5, 5, 4, 4, 4, 3, 2])
  diary.put(minutes, 'bookings', {
    ...{ external_id, rating, rated_at, rating_attributes: rating > 3 ? [random.pick(PRAISE)] : [] },
    ...(random.chance(0.2) && { feedback: random.pick(FEEDBACK), feedback_at: rated_at }),
  })
}

/** Ten points a session; every tenth session earns a free one. */
function earnPoints(diary: Diary, { customer: id }: Booking, minutes: number): void {
  const customer = diary.customers.get(id) as Customer
  const total = customer.total_points_earned + POINTS_PER_SESSION
  const sessions = total / POINTS_PER_SESSION
  const earned = {
    last_login_at: diary.time(minutes),
    lifecycle_stage: sessions >= 10 ? 'loyal' : 'active',
    value_tier: sessions >= 20 ? 'high' : sessions >= 6 ? 'medium' : 'low',
    rank: sessions >= 25 ? 'Platinum' : sessions >= 15 ? 'Gold' : sessions >= 5 ? 'Silver' : 'Bronze',
    engagement_score: Math.min(100, 20 + 4 * sessions),
    points: customer.points + POINTS_PER_SESSION,
    total_points_earned: total,
  } as const
  diary.customers.set(id, { ...customer, ...earned })
  diary.put(minutes, 'customers', { external_id: id, ...earned })
  if (sessions % 10 > 0) return
  const reward = { type: 'Free session', details: `${sessions} sessions`, points: 100 }
  diary.put(minutes, 'rewards', {
    ...{ external_id: `r-${id}-${sessions}`, customer: id, ...reward, earned_at: diary.time(minutes) },
  })
}

/** A question to support. Those who paid by card get their money back. */
function complain(diary: Diary, booking: Booking, { email }: Customer, minutes: number): void {
  const { random } = diary
  const asked = {
    from_customer: true,
    content: 'Please have a look at my last session.',
    created_at: diary.time(minutes),
  }
  const external_id = `tk-${booking.external_id}`
  diary.put(minutes, 'tickets', {
    ...{ external_id, customer_email: email, subject: random.pick(COMPLAINTS), status: 'open' },
    ...{ priority: random.pick(['low', 'medium', 'high']), created_at: asked.created_at, messages: [asked] },
    // Limber sends no confirmation: our app has shown one.
    silent: true,
  })
  if (diary.isHistory) {
    const answered = {
      from_customer: false,
      content: 'I am sorry. It is settled.',
      created_at: diary.time(minutes + 90),
    }
    diary.put(minutes + 90, 'tickets', { external_id, status: 'closed', messages: [asked, answered] })
  }
  if (booking.credits_used > 0) return
  diary.put(minutes + 30, 'transactions', {
    ...{ external_id: `t-refund-${booking.external_id}`, type: 'refund', amount: `-${PRICE}`, credits: 0 },
    ...{ customer: booking.customer, booking: booking.external_id, status: 'completed' },
    created_at: diary.time(minutes + 30),
  })
}
