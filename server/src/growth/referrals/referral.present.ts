import type { Referral, ReferralEvent, ReferralStats } from '@limber/contract/growth/referrals/referral.ts'
import { writeDollars } from '@limber/contract/kit/dollars.ts'
import { parseMoney } from '@limber/contract/kit/money.ts'
import type { Selectable } from 'kysely'
import type { Tables } from '#platform/db/db.ts'
import type { EventRecord, ReferralRecord } from './referral.queries.ts'

const dollars = (amount: string) => writeDollars(parseMoney(amount))

export const presentReferralStats = (row: Selectable<Tables['referral_figures']>): ReferralStats => ({
  total_users: row.total_users,
  natural_growth: row.natural_growth,
  stretcher_commission: row.stretcher_refs,
  worker_commission: row.worker_refs,
  user_commission: row.user_refs,
  pending_referrals: row.pending,
  converted_referrals: row.converted,
  total_earnings: dollars(row.total_earnings),
  stored_earnings: dollars(row.stored_earnings),
  redeemable_referrals: row.redeemable,
  top_referrer_count: row.top_referrer_count,
  top_earner_total: dollars(row.top_earner_total),
  referrals_with_bookings: {
    stretcher: row.booked_by_stretchers,
    worker: row.booked_by_workers,
    user: row.booked_by_users,
  },
})

/** Shown before the first calculation. */
export const noReferrals: ReferralStats = {
  total_users: 0,
  natural_growth: 0,
  stretcher_commission: 0,
  worker_commission: 0,
  user_commission: 0,
  pending_referrals: 0,
  converted_referrals: 0,
  total_earnings: 0,
  stored_earnings: 0,
  redeemable_referrals: 0,
  top_referrer_count: 0,
  top_earner_total: 0,
  referrals_with_bookings: { stretcher: 0, worker: 0, user: 0 },
}

export const presentReferral = (row: ReferralRecord): Referral => ({
  userId: row.customer_id,
  name: row.name,
  email: row.email,
  joinedAt: row.joined_at.toISOString(),
  kind: row.kind,
  referrer: { id: row.referrer_id, name: row.referrer_name, userId: row.referrer_account },
  state: row.converted_at ? 'converted' : 'pending',
  bookedAt: row.booked_at?.toISOString() ?? null,
  convertedAt: row.converted_at?.toISOString() ?? null,
  earnings: dollars(row.earnings),
  reasons: row.reasons,
  review:
    row.review_id && row.decision && row.reviewed_at
      ? {
          id: row.review_id,
          decision: row.decision,
          reason: row.review_reason ?? '',
          by: row.reviewer,
          at: row.reviewed_at.toISOString(),
        }
      : null,
})

export const presentEvent = ({ at, kind, amount, worker, note }: EventRecord): ReferralEvent => ({
  at: at.toISOString(),
  kind,
  amount: amount === null ? null : dollars(amount),
  by: worker,
  note,
})
