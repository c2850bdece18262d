import { DAY, MINUTE, shift } from '@limber/server/platform/clock.ts'
import type { Row } from '@limber/server/platform/db/db.ts'
import { draftCustomer } from '@limber/server/support/customers/customer.factory.ts'
import type { Random } from '../random.ts'
import type { Account } from './account.ts'
import { type Customer, laterBy } from './customers.ts'
import type { Session } from './sessions.ts'

interface CustomerHistory {
  random: Random
  now: Date
  sessions: readonly Session[]
  account: Account
  /** Referred friends who had a session. */
  referredCount: number
}

/** The row of a customer, with everything that follows from their history. */
export function customerRow(customer: Customer, history: CustomerHistory) {
  const { random, now, sessions, account } = history
  const visits = measure(customer, history)
  const { points, earned } = countPoints(random, visits, history.referredCount)
  const first = sessions[0]?.createdAt
  const signed = laterBy(random, customer.joinedAt, 2, 600)
  const block = pickBlock(random, now, visits)
  const { address, referrer } = customer
  return {
    id: customer.id,
    ...draftCustomer({
      first_name: customer.first_name,
      last_name: customer.last_name,
      email: customer.email,
      phone: customer.phone,
      joined_at: customer.joinedAt,
      last_login_at: visits.lastSeen,
      email_verified_at: first || random.chance(0.78) ? shift(customer.joinedAt, random.integer(1, 8) * MINUTE) : null,
      waiver_signed_at: first ? (first < signed ? first : signed) : random.chance(0.3) && signed < now ? signed : null,
      total_logins: visits.logins,
      customer_type: customer.type,
      value_tier: tierOf(account.spent),
      lifecycle_stage: stageOf(visits),
      engagement_score: scoreOf(visits),
      points,
      total_points_earned: earned,
      rank: rankOf(earned),
      blocked_at: block?.at ?? null,
      blocked_reason: block?.reason ?? null,
      address_line: address?.address_line ?? null,
      city: address?.city ?? null,
      state: address?.state ?? null,
      postal_code: address?.postal_code ?? null,
      latitude: address?.latitude ?? null,
      longitude: address?.longitude ?? null,
      zone_id: customer.zoneId ?? null,
      referred_by_customer_id: referrer.customer?.id ?? null,
      referred_by_stretcher_id: referrer.stretcherId ?? null,
      referred_by_worker_id: referrer.workerId ?? null,
    }),
    credits: account.balance,
  }
}

interface Visits {
  completed: number
  rated: number
  missed: number
  hasUpcoming: boolean
  logins: number
  lastSeen: Date
  /** In days. */
  sinceJoined: number
  sinceVisit: number
}

function measure(customer: Customer, { random, now, sessions }: CustomerHistory): Visits {
  const done = sessions.filter(({ status }) => status === 'completed')
  const lastVisit = done.at(-1)?.endsAt
  let seen = sessions.length > 0 ? 0 : laterBy(random, customer.joinedAt, 0, random.next() ** 4 * 400 * 1440).getTime()
  for (const { createdAt, ratedAt, cancelledAt } of sessions) {
    seen = Math.max(seen, createdAt.getTime(), ratedAt?.getTime() ?? 0, cancelledAt?.getTime() ?? 0)
  }
  seen += Math.floor(random.next() ** 3 * (sessions.length > 0 ? 25 : 3) * DAY)
  const lastSeen = new Date(
    Math.min(Math.max(seen, customer.joinedAt.getTime()), now.getTime() - random.integer(1, 300) * MINUTE),
  )
  const days = (from: Date | undefined) => (from ? (now.getTime() - from.getTime()) / DAY : Number.POSITIVE_INFINITY)
  return {
    completed: done.length,
    rated: done.filter(({ rating }) => rating).length,
    missed: sessions.filter(({ status }) => status === 'no_show').length,
    hasUpcoming: sessions.some(({ startsAt, status }) => startsAt > now && status !== 'cancelled'),
    logins: 1 + Math.floor(sessions.length * random.between(1.3, 2.4) + random.next() ** 2 * 9),
    lastSeen: lastSeen < customer.joinedAt ? customer.joinedAt : lastSeen,
    sinceJoined: days(customer.joinedAt),
    sinceVisit: days(lastVisit),
  }
}

function countPoints(random: Random, { completed, rated }: Visits, referredCount: number) {
  const earned = completed * 10 + rated * 5 + referredCount * 50
  const redeemed = Math.floor(random.next() ** 2 * (Math.floor(earned / 100) + 1)) * 100
  return { earned, points: Math.max(0, earned - redeemed) }
}

const rankOf = (earned: number) =>
  earned >= 600 ? 'Platinum' : earned >= 300 ? 'Gold' : earned >= 100 ? 'Silver' : 'Bronze'

const tierOf = (spent: number) => (spent >= 3000 ? 'vip' : spent >= 1200 ? 'high' : spent >= 300 ? 'medium' : 'low')

function stageOf({ completed, sinceVisit, sinceJoined, hasUpcoming }: Visits): Row<'customers'>['lifecycle_stage'] {
  if (completed === 0 && !hasUpcoming) return sinceJoined < 30 ? 'new' : 'prospect'
  if (sinceVisit <= 45 || hasUpcoming) return completed >= 20 ? 'loyal' : sinceJoined < 30 ? 'new' : 'active'
  return sinceVisit <= 90 ? 'at_risk' : 'churned'
}

function scoreOf({ completed, rated, sinceVisit, hasUpcoming, logins }: Visits): number {
  const recent = Math.max(0, 40 - (sinceVisit / 90) * 40)
  const score =
    recent + Math.min(30, completed * 1.5) + Math.min(10, rated) + (hasUpcoming ? 12 : 0) + Math.min(8, logins / 5)
  return Math.round(Math.max(1, Math.min(100, score)))
}

const blockReasons = [
  'Three missed sessions without notice',
  'Chargeback on two payments',
  'Rude to a stretcher, reported twice',
  'Second account to collect referral credits',
  'Asked for services we do not offer',
]

function pickBlock(random: Random, now: Date, { missed, hasUpcoming, lastSeen }: Visits) {
  if (hasUpcoming || !random.chance(missed >= 2 ? 0.05 : 0.003)) return undefined
  const at = laterBy(random, lastSeen, 60, 6000)
  return at < now
    ? { at, reason: missed >= 2 ? (blockReasons[0] ?? '') : random.pick(blockReasons.slice(1)) }
    : undefined
}
