import {
  type PayoutCategory,
  type PlaceBefore,
  type PlaceMetrics,
  payoutCategories,
} from '@limber/contract/growth/values.ts'
import { writeDollars } from '@limber/contract/kit/dollars.ts'
import { parseMoney } from '@limber/contract/kit/money.ts'
import type { PlaceRow } from './place.queries.ts'

const money = (text: string) => writeDollars(parseMoney(text))

const meanOf = (sum: number, count: number) => (count === 0 ? null : Math.round((sum / count) * 10_000) / 10_000)

function presentPayout(kept: { total: string; count: number } | undefined) {
  if (!kept || kept.count === 0) return { total: 0, count: 0, avg: 0 }
  const total = parseMoney(kept.total)
  const count = BigInt(kept.count)
  return { total: writeDollars(total), count: kept.count, avg: writeDollars((total + count / 2n) / count) }
}

/** All categories; zeros for those without a payout. */
export const presentPayouts = (payouts: PlaceRow['payouts']) =>
  Object.fromEntries(payoutCategories.map((category) => [category, presentPayout(payouts[category])])) as Record<
    PayoutCategory,
    ReturnType<typeof presentPayout>
  >

export const presentMetrics = (row: PlaceRow): PlaceMetrics => ({
  users: row.users,
  activeUsers: row.active,
  churnedUsers: row.churned,
  sessions: row.sessions,
  bookedSessions: row.booked,
  revenue: money(row.revenue),
  stretchers: row.stretchers,
  avgRating: meanOf(row.rating_sum, row.rating_count),
  ratings: row.rating_count,
  availableCredits: row.credits,
  payouts: presentPayouts(row.payouts),
})

export const presentBefore = (row: PlaceRow): PlaceBefore => ({
  users: row.users_before,
  activeUsers: row.active_before,
  churnedUsers: row.churned_before,
  sessions: row.sessions_before,
  revenue: money(row.revenue_before),
  stretchers: row.stretchers_before,
  avgRating: meanOf(row.rating_sum_before, row.rating_count_before),
  ratings: row.rating_count_before,
  availableCredits: row.credits_before,
  payouts: money(row.payouts_before),
})
