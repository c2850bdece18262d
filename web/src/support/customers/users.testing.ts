import { paginate } from '@limber/contract/kit/page.ts'
import { listUsers } from '@limber/contract/support/customers/customer.ts'
import {
  listUserBookings,
  listUserRewards,
  listUserTickets,
  listUserTransactions,
  readUser,
  readUserAnalytics,
  type UserDetail,
} from '@limber/contract/support/customers/user.ts'
import { countTimeline, listTimeline } from '@limber/contract/support/timeline/timeline.ts'
import { FakeServer, Refusal } from '#platform/testing/testing.tsx'

const at = '2026-11-10T09:30:00.000Z'

/** A customer with a value in every field. */
export function makeUser(overrides: Partial<{ [K in keyof UserDetail]: Partial<UserDetail[K]> }> = {}): UserDetail {
  const { personalInfo, accountStatus, engagement, activity, recentSupport } = overrides
  return {
    personalInfo: {
      id: 8,
      name: 'Camille Okafor',
      email: 'camille@example.com',
      phone: '+19515550123',
      ...personalInfo,
    },
    accountStatus: {
      joinDate: '2025-02-01T12:00:00.000Z',
      lastLogin: at,
      emailVerified: true,
      waiverSigned: false,
      totalLogins: 1234,
      status: 'active',
      blockedReason: null,
      blockedBy: null,
      mergedInto: null,
      isErased: false,
      isStretcher: false,
      eraseBar: null,
      ...accountStatus,
    },
    engagement: {
      customerType: 'individual',
      valueTier: 'vip',
      lifecycleStage: 'at_risk',
      score: 71,
      points: 2340,
      totalPointsEarned: 5120,
      rank: 'Gold',
      credits: 3,
      ...engagement,
    },
    activity: {
      bookings: { total: 27, lastBooking: '2026-11-09T01:30:00.000Z' },
      referrals: { total: 2, successful: 1, by: { id: 5, name: 'Noor Haddad' }, people: [{ id: 11, name: 'Jo Lind' }] },
      rewards: { total: 4, lastRedemption: '2026-10-02T17:00:00.000Z' },
      tickets: { total: 3, active: 2, highPriority: 1 },
      ...activity,
    },
    recentSupport: (recentSupport as UserDetail['recentSupport'] | undefined) ?? [
      { date: at, type: 'Ticket: Charged twice', outcome: 'Open', ticketId: 41 },
      { date: '2026-10-01T09:30:00.000Z', type: 'Credits', outcome: '+2: Sorry', ticketId: null },
    ],
    glance: {
      zone: 'Riverside',
      isLocated: true,
      nextSession: { id: 55, startsAt: '2026-11-20T02:00:00.000Z', stretcher: 'Renata Solis' },
      promises: [{ ticketId: 41, subject: 'Charged twice', dueAt: '2026-11-14T19:00:00.000Z', isPaused: false }],
    },
    version: 4,
  }
}

const rowOf = ({ personalInfo, accountStatus, engagement }: UserDetail) => ({
  ...personalInfo,
  verified: accountStatus.emailVerified,
  rank: engagement.rank,
  points: engagement.points,
  status: accountStatus.status,
  ended: accountStatus.isErased ? ('erased' as const) : accountStatus.mergedInto !== null ? ('merged' as const) : null,
  joinedAt: accountStatus.joinDate,
})

const weeks = Array.from({ length: 12 }, (_, place) => ({
  week: new Date(Date.UTC(2026, 7, 24 + place * 7)).toISOString().slice(0, 10),
  actions: place,
}))

/** A server with these customers and sample records for every tab. */
export function serveUsers(...users: UserDetail[]) {
  return new FakeServer()
    .answer(listUsers, ({ query }) => {
      const { search, status, living, page, limit } = query
      const found = users.map(rowOf).filter((user) => {
        const text = `${user.name} ${user.email} ${user.phone}`.toLowerCase()
        const isMeant = (status === 'all' || status === user.status) && (!living || user.ended === null)
        return isMeant && text.includes(search.toLowerCase())
      })
      const pagination = paginate(page, limit, found.length)
      return {
        users: found.slice((page - 1) * limit, page * limit),
        pagination: { ...pagination, pages: pagination.totalPages },
      }
    })
    .answer(
      readUser,
      ({ params }) =>
        users.find(({ personalInfo }) => personalInfo.id === params.id) ??
        new Refusal(404, 'not_found', 'This customer does not exist.'),
    )
    .answer(listUserTickets, {
      recentTickets: [
        { id: 41, subject: 'Charged twice', content: 'Two payments.', status: 'open', priority: 'high', createdAt: at },
      ],
      ticketHistory: [
        { id: 12, subject: 'Waiver', content: 'Where is it?', status: 'closed', priority: 'low', createdAt: at },
      ],
    })
    .answer(listUserRewards, {
      currentRewards: [{ id: 1, reward_type: 'Free session', details: 'Ten sessions', points: 100, expires_at: null }],
      rewardHistory: [{ id: 2, reward_type: 'Guest pass', redeemed_at: at, details: 'For a friend', points: 1 }],
      creditHistory: [{ id: 3, delta: -1, kind: 'use', reason: null, by: null, createdAt: at }],
    })
    .answer(listUserTransactions, ({ query }) =>
      Array.from({ length: query.page === 1 ? 50 : 2 }, (_, place) => ({
        id: query.page * 1000 + place,
        createdAt: at,
        transactionType: 'credit_purchase' as const,
        amount: '445.5000',
        credits: 5,
        status: 'completed' as const,
      })),
    )
    .answer(listUserBookings, [
      {
        id: 1,
        date: '2026-07-01',
        startTime: '09:00',
        endTime: '10:00',
        status: 'completed',
        stretcher: 'Renata Solis',
        stretcherId: 17,
        zone: 'Riverside',
        Rating: { rating: 4, attributes: ['On time'] },
        Feedback: { message_text: '<b>Great</b>', message_date: at },
      },
      {
        id: 2,
        date: '2026-07-09',
        startTime: '11:00',
        endTime: '12:00',
        status: 'no_show',
        stretcher: null,
        stretcherId: null,
        zone: 'Perris',
      },
    ])
    .answer(listTimeline, { entries: [], next: null, failed: [] })
    .answer(countTimeline, { groups: [] })
    .answer(readUserAnalytics, {
      engagement_score: 71,
      total_logins: 1234,
      total_actions: 2066,
      weeks,
      activity: [
        { action_type: 'booking_create', action_category: 'booking', event_context: '/book · success', createdAt: at },
        {
          action_type: 'login',
          action_category: 'session',
          event_context: '/login · success',
          createdAt: '2026-11-08T09:30:00.000Z',
        },
      ],
    })
}
