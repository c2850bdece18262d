import type {
  UserAnalytics,
  UserBooking,
  UserDetail,
  UserRewards,
  UserTicket,
} from '@limber/contract/support/customers/user.ts'
import { statusOf } from './customer.rules.ts'
import type {
  BookingRow,
  CustomerDetailRow,
  CustomerTicketRow,
  findCreditHistory,
  findRewards,
  UsageRow,
} from './customer-detail.queries.ts'
import { categoryOf } from './customer-detail.rules.ts'

const moment = (at: Date | null) => at?.toISOString() ?? null

export const presentCustomerDetail = (row: CustomerDetailRow, now: Date): UserDetail => ({
  personalInfo: { id: row.id, email: row.email, name: `${row.first_name} ${row.last_name}`, phone: row.phone },
  accountStatus: {
    joinDate: row.joined_at.toISOString(),
    lastLogin: moment(row.last_login_at),
    emailVerified: row.email_verified_at !== null,
    waiverSigned: row.waiver_signed_at !== null,
    totalLogins: row.total_logins,
    status: statusOf(row, now),
    blockedReason: row.blocked_reason,
    blockedBy: row.blocked_by,
    mergedInto: row.merged_into_id,
    isErased: row.erased_at !== null,
    isStretcher: row.is_stretcher,
    eraseBar: row.erase_conflict,
  },
  engagement: {
    customerType: row.customer_type,
    valueTier: row.value_tier,
    lifecycleStage: row.lifecycle_stage,
    score: row.engagement_score,
    points: row.points,
    totalPointsEarned: row.total_points_earned,
    rank: row.rank,
    credits: row.credits,
  },
  activity: {
    bookings: { total: row.bookings, lastBooking: moment(row.last_booking) },
    referrals: {
      total: row.referrals,
      successful: row.referrals_successful,
      by: row.referred_by,
      people: row.referred,
    },
    rewards: { total: row.rewards, lastRedemption: moment(row.last_redemption) },
    tickets: row.tickets && {
      total: row.tickets.total,
      active: row.tickets.active,
      highPriority: row.tickets.high,
    },
  },
  recentSupport: row.support.map(({ at, ticket_id, ...rest }) => ({
    date: new Date(at).toISOString(),
    ...rest,
    ticketId: ticket_id,
  })),
  glance: {
    zone: row.zone,
    isLocated: row.is_located,
    nextSession: row.next_session && {
      ...row.next_session,
      startsAt: new Date(row.next_session.startsAt).toISOString(),
    },
    promises:
      row.promises?.map(({ dueAt, ...promise }) => ({ ...promise, dueAt: dueAt && new Date(dueAt).toISOString() })) ??
      null,
  },
  version: row.version,
})

export const presentCustomerTicket = (row: CustomerTicketRow): UserTicket => ({
  id: row.id,
  subject: row.subject,
  content: row.content ?? '',
  status: row.status,
  priority: row.priority,
  createdAt: row.created_at.toISOString(),
})

type RewardRow = Awaited<ReturnType<typeof findRewards>>[number]
type CreditRow = Awaited<ReturnType<typeof findCreditHistory>>[number]

export const presentRewards = (
  rewards: readonly RewardRow[],
  credits: readonly CreditRow[],
  now: Date,
): UserRewards => ({
  currentRewards: rewards
    .filter(({ redeemed_at, expires_at }) => !redeemed_at && (!expires_at || expires_at > now))
    .map(({ id, reward_type, details, points, expires_at }) => ({
      id,
      reward_type,
      details,
      points,
      expires_at: moment(expires_at),
    })),
  rewardHistory: rewards.flatMap(({ id, reward_type, details, points, redeemed_at }) =>
    redeemed_at ? [{ id, reward_type, redeemed_at: redeemed_at.toISOString(), details, points }] : [],
  ),
  creditHistory: credits.map(({ created_at, ...entry }) => ({ ...entry, createdAt: created_at.toISOString() })),
})

export const presentBooking = (row: BookingRow): UserBooking => ({
  id: row.id,
  date: row.date,
  startTime: row.start_time,
  endTime: row.end_time,
  status: row.status,
  stretcher: row.stretcher,
  stretcherId: row.stretcher_id,
  zone: row.zone,
  ...(row.rating !== null && { Rating: { rating: row.rating, attributes: row.rating_attributes } }),
  ...(row.feedback !== null &&
    row.feedback_at && { Feedback: { message_text: row.feedback, message_date: row.feedback_at.toISOString() } }),
})

export const presentUsage = (row: UsageRow): UserAnalytics => ({
  engagement_score: row.engagement_score,
  total_logins: row.total_logins,
  total_actions: row.total_actions,
  weeks: row.weeks,
  activity: row.activity.map(({ action_type, outcome, path, at }) => ({
    action_type,
    action_category: categoryOf(action_type),
    event_context: `${path} · ${outcome}`,
    createdAt: new Date(at).toISOString(),
  })),
})
