import type { ReferralDecision, ReferrerKind, Suspicion } from '@limber/contract/growth/referrals/referral.ts'
import type { TaskFigures } from '@limber/contract/growth/tasks/task.ts'
import type { PayoutCategory } from '@limber/contract/growth/values.ts'
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, never, never>

declare module '#platform/db/db.ts' {
  interface Tables {
    growth_state: { only_row: Generated<boolean>; day: string; refreshed_at: Date; took_ms: number; signature: string }
    growth_places: {
      range_days: number
      zone_id: number
      users: number
      users_before: number
      located: number
      waivers: number
      active: number
      active_before: number
      churned: number
      churned_before: number
      sessions: number
      sessions_before: number
      booked: number
      bookings: number
      bookings_before: number
      cancelled: number
      revenue: string
      revenue_before: string
      stretchers: number
      stretchers_before: number
      rating_sum: number
      rating_count: number
      rating_sum_before: number
      rating_count_before: number
      credits: number
      credits_before: number
      payouts: Partial<Record<PayoutCategory, { total: string; count: number }>>
      payouts_before: string
    }
    growth_days: {
      day: string
      joined: number
      bookings: number
      churned_7: number
      churned_30: number
      churned_90: number
    }
    growth_outliers: { city: string; latitude: number; longitude: number; users: number }
    city_tasks: {
      id: Fixed<number>
      title: string
      description: string
      due_on: string | null
      priority: 'low' | 'medium' | 'high'
      city_name: string | null
      city_key: Fixed<string | null>
      assignee_id: number | null
      created_by: number | null
      created_at: Date
      done_at: Date | null
      figures: ColumnType<TaskFigures | null, string | null, string | null>
      version: Generated<number>
    }
    city_task_marks: {
      task_id: number
      after_days: number
      figures: ColumnType<TaskFigures, string, never>
      taken_at: Date
    }
    referrals: {
      customer_id: number
      kind: ReferrerKind
      referrer_id: number
      joined_at: Date
      booked_at: Date | null
      converted_at: Date | null
      earnings: string
      reasons: Suspicion[]
    }
    referral_reviews: {
      id: Fixed<number>
      customer_id: number
      decision: ReferralDecision
      reason: string
      worker_id: number | null
      created_at: Date
    }
    referral_figures: {
      only_row: Generated<boolean>
      total_users: number
      natural_growth: number
      stretcher_refs: number
      worker_refs: number
      user_refs: number
      pending: number
      converted: number
      total_earnings: string
      stored_earnings: string
      redeemable: number
      top_referrer_count: number
      top_earner_total: string
      booked_by_stretchers: number
      booked_by_workers: number
      booked_by_users: number
      to_review: number
    }
    partner_outreach: {
      id: Fixed<number>
      business_id: number | null
      worker_id: number | null
      subject: string
      header: string
      body: string
      sent: number
      skipped: number
      created_at: Date
    }
    campaign_members: { campaign_id: number; worker_id: number; assigned_by: number | null; assigned_at: Date }
  }
}
