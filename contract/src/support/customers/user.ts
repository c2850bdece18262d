import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Money } from '#kit/money.ts'
import { pageQuery } from '#kit/page.ts'
import { Day, Id, IdText, Moment, Version } from '#kit/values.ts'
import { TicketPriority, TicketStatus } from '../tickets/ticket.ts'

const permission = ['users.overview', 'users.directory'] as const
const params = z.strictObject({ id: IdText })
const refusals = { not_found: [404, 'This customer does not exist.'] } as const
const query = z.strictObject(pageQuery({ limit: 50 }))
const Person = z.object({ id: Id, name: z.string() })

export const readUser = defineCall({
  method: 'GET',
  path: '/api/support/users/:id',
  summary: 'One customer: contact, account, engagement, activity and recent support',
  permission,
  params,
  reply: z.object({
    personalInfo: z.object({ id: Id, email: z.string(), name: z.string(), phone: z.string().nullable() }),
    accountStatus: z.object({
      joinDate: Moment,
      lastLogin: Moment.nullable(),
      emailVerified: z.boolean(),
      waiverSigned: z.boolean(),
      totalLogins: z.int(),
      status: z.enum(['active', 'inactive', 'blocked']),
      blockedReason: z.string().nullable(),
      /** The worker who blocked the account, if that is known. */
      blockedBy: z.string().nullable(),
      /** The account that this one was merged into. */
      mergedInto: Id.nullable(),
      isErased: z.boolean(),
      isStretcher: z.boolean(),
      /** Why a stretcher's account cannot be erased. Payroll keeps the names of people who worked; deactivate others first. */
      eraseBar: z.enum(['has_worked', 'is_stretcher']).nullable(),
    }),
    engagement: z.object({
      customerType: z.string(),
      valueTier: z.string(),
      lifecycleStage: z.string(),
      score: z.int(),
      points: z.int(),
      totalPointsEarned: z.int(),
      rank: z.string(),
      credits: z.int(),
    }),
    activity: z.object({
      bookings: z.object({ total: z.int(), lastBooking: Moment.nullable() }),
      referrals: z.object({
        total: z.int(),
        successful: z.int(),
        /** The customer who referred this one. */
        by: Person.nullable(),
        /** The newest referred customers, at most 10. */
        people: z.array(Person),
      }),
      rewards: z.object({ total: z.int(), lastRedemption: Moment.nullable() }),
      /** Only for workers who may see a customer's tickets. */
      tickets: z.object({ total: z.int(), active: z.int(), highPriority: z.int() }).nullable(),
    }),
    recentSupport: z.array(z.object({ date: Moment, type: z.string(), outcome: z.string(), ticketId: Id.nullable() })),
    /** What matters now. */
    glance: z.object({
      /** Null for addresses outside all zones; `isLocated` is false without an address. */
      zone: z.string().nullable(),
      isLocated: z.boolean(),
      nextSession: z.object({ id: Id, startsAt: Moment, stretcher: z.string().nullable() }).nullable(),
      /** Responses that are due, first due first, at most 5. Only for workers who may see and handle tickets. */
      promises: z
        .array(z.object({ ticketId: Id, subject: z.string(), dueAt: Moment.nullable(), isPaused: z.boolean() }))
        .nullable(),
    }),
    version: Version,
  }),
  refusals,
})
export type UserDetail = ReplyOf<typeof readUser>

export const UserTicket = z.object({
  id: Id,
  subject: z.string(),
  /** The first message. */
  content: z.string(),
  status: TicketStatus,
  priority: TicketPriority,
  createdAt: Moment,
})
export type UserTicket = z.infer<typeof UserTicket>

export const listUserTickets = defineCall({
  method: 'GET',
  path: '/api/support/users/:id/tickets',
  summary: "A customer's tickets: open ones and those of the last 90 days, and the earlier ones",
  permission: 'users.tickets',
  params,
  reply: z.object({ recentTickets: z.array(UserTicket), ticketHistory: z.array(UserTicket) }),
  refusals,
})

export const listUserRewards = defineCall({
  method: 'GET',
  path: '/api/support/users/:id/rewards',
  summary: "A customer's current and redeemed rewards, and the credit ledger",
  permission,
  params,
  reply: z.object({
    currentRewards: z.array(
      z.object({
        id: Id,
        reward_type: z.string(),
        details: z.string(),
        points: z.int(),
        expires_at: Moment.nullable(),
      }),
    ),
    rewardHistory: z.array(
      z.object({ id: Id, reward_type: z.string(), redeemed_at: Moment, details: z.string(), points: z.int() }),
    ),
    creditHistory: z.array(
      z.object({
        id: Id,
        delta: z.int(),
        kind: z.enum(['purchase', 'use', 'refund', 'referral', 'grant', 'removal']),
        reason: z.string().nullable(),
        by: z.string().nullable(),
        createdAt: Moment,
      }),
    ),
  }),
  refusals,
})
export type UserRewards = ReplyOf<typeof listUserRewards>

export const listUserTransactions = defineCall({
  method: 'GET',
  path: '/api/support/users/:id/transactions',
  summary: "A customer's payments, newest first",
  permission,
  params,
  query,
  reply: z.array(
    z.object({
      id: Id,
      createdAt: Moment,
      transactionType: z.enum(['credit_purchase', 'session_payment', 'refund']),
      /** Dollars as a decimal string. */
      amount: Money,
      credits: z.int(),
      status: z.enum(['pending', 'completed', 'failed']),
    }),
  ),
  refusals,
})
export type UserTransaction = ReplyOf<typeof listUserTransactions>[number]

export const exportUserTransactions = exportCall(listUserTransactions, 'customer-transactions')

export const BookingStatus = z.enum(['requested', 'confirmed', 'in_progress', 'completed', 'cancelled', 'no_show'])
const ClockTime = z.string().regex(/^\d{2}:\d{2}$/)

export const listUserBookings = defineCall({
  method: 'GET',
  path: '/api/support/users/:id/bookings',
  summary: "A customer's bookings, newest first, with dates and times in the booking's zone",
  permission,
  params,
  query,
  reply: z.array(
    z.object({
      id: Id,
      date: Day,
      startTime: ClockTime,
      endTime: ClockTime,
      status: BookingStatus,
      stretcher: z.string().nullable(),
      stretcherId: Id.nullable(),
      zone: z.string(),
      Rating: z.object({ rating: z.int().min(1).max(5), attributes: z.array(z.string()) }).optional(),
      Feedback: z.object({ message_text: z.string(), message_date: Moment }).optional(),
    }),
  ),
  refusals,
})
export type UserBooking = ReplyOf<typeof listUserBookings>[number]

export const exportUserBookings = exportCall(listUserBookings, 'customer-bookings')

export const readUserAnalytics = defineCall({
  method: 'GET',
  path: '/api/support/users/:id/analytics',
  summary: "A customer's product usage: three figures, twelve weeks and the latest actions",
  permission,
  params,
  reply: z.object({
    engagement_score: z.int(),
    total_logins: z.int(),
    total_actions: z.int(),
    /** Twelve weeks, oldest first; each is named by its first day. */
    weeks: z.array(z.object({ week: Day, actions: z.int() })).length(12),
    activity: z.array(
      z.object({
        action_type: z.string(),
        action_category: z.string(),
        event_context: z.string(),
        createdAt: Moment,
      }),
    ),
  }),
  refusals,
})
export type UserAnalytics = ReplyOf<typeof readUserAnalytics>
