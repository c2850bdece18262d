import type { Random } from '../random.ts'

interface UrlContext {
  random: Random
  zone: string
  stretchers: readonly number[]
}

/** A typical request. */
interface RequestProfile {
  action: string
  method: string
  path: string
  status: number
  /** Typical response time in milliseconds. */
  ms: number
  /** Failure rate, and the statuses of failures. */
  failing: number
  failures: readonly number[]
}

/** An action in the product. The weight sets how often it happens. */
export interface UserAction extends RequestProfile {
  url(context: UrlContext): string
  weight: number
}

/** An action that happens once for each record. */
export interface RecordedAction extends RequestProfile {
  url(id: number): string
}

/** Actions of customers in their app that leave no record. */
export const customerActions: readonly UserAction[] = [
  {
    action: 'profile_viewed',
    method: 'GET',
    path: '/api/stretchers/:id',
    url: ({ random, stretchers }) => `/api/stretchers/${random.pick(stretchers)}`,
    status: 200,
    ms: 54,
    failing: 0.002,
    failures: [404],
    weight: 26,
  },
  {
    action: 'search',
    method: 'GET',
    path: '/api/stretchers/search',
    url: ({ zone }) => `/api/stretchers/search?zone=${encodeURIComponent(zone)}`,
    status: 200,
    ms: 92,
    failing: 0.008,
    failures: [400, 500, 500],
    weight: 22,
  },
  {
    action: 'availability_checked',
    method: 'GET',
    path: '/api/stretchers/:id/availability',
    url: ({ random, stretchers }) => `/api/stretchers/${random.pick(stretchers)}/availability`,
    status: 200,
    ms: 81,
    failing: 0.003,
    failures: [404],
    weight: 17,
  },
  {
    action: 'bookings_viewed',
    method: 'GET',
    path: '/api/bookings',
    url: () => '/api/bookings',
    status: 200,
    ms: 63,
    failing: 0.002,
    failures: [401],
    weight: 13,
  },
  {
    action: 'credits_viewed',
    method: 'GET',
    path: '/api/credits',
    url: () => '/api/credits',
    status: 200,
    ms: 37,
    failing: 0.002,
    failures: [401],
    weight: 6,
  },
  {
    action: 'referral_sent',
    method: 'POST',
    path: '/api/referrals',
    url: () => '/api/referrals',
    status: 201,
    ms: 73,
    failing: 0.05,
    failures: [422, 429],
    weight: 0.4,
  },
]

/** Actions of customers that leave a record: one event for each, at its time. */
export const recorded = {
  session_booked: {
    action: 'session_booked',
    method: 'POST',
    path: '/api/bookings',
    url: () => '/api/bookings',
    status: 201,
    ms: 168,
    failing: 0.03,
    failures: [409, 409, 422, 500],
  },
  session_completed: {
    action: 'session_completed',
    method: 'POST',
    path: '/api/bookings/:id/complete',
    url: (id) => `/api/bookings/${id}/complete`,
    status: 200,
    ms: 187,
    failing: 0.004,
    failures: [409],
  },
  credit_purchased: {
    action: 'credit_purchased',
    method: 'POST',
    path: '/api/credits/purchase',
    url: () => '/api/credits/purchase',
    status: 200,
    ms: 640,
    failing: 0.1,
    failures: [402, 402, 402, 502],
  },
  session_cancelled: {
    action: 'session_cancelled',
    method: 'PATCH',
    path: '/api/bookings/:id/cancel',
    url: (id) => `/api/bookings/${id}/cancel`,
    status: 200,
    ms: 131,
    failing: 0.006,
    failures: [409, 422],
  },
  waiver_signed: {
    action: 'waiver_signed',
    method: 'POST',
    path: '/api/waivers',
    url: () => '/api/waivers',
    status: 201,
    ms: 118,
    failing: 0.002,
    failures: [400],
  },
  session_rated: {
    action: 'session_rated',
    method: 'POST',
    path: '/api/bookings/:id/rating',
    url: (id) => `/api/bookings/${id}/rating`,
    status: 201,
    ms: 66,
    failing: 0.003,
    failures: [409],
  },
} as const satisfies Record<string, RecordedAction>

const call = (path: string, ms: number, weight: number, more: Partial<UserAction> = {}): UserAction => ({
  action: path.replace(/^\/(api\/)?/, '').replace(/[/-]/g, '_'),
  method: 'GET',
  path,
  url: () => path,
  status: 200,
  ms,
  failing: 0.003,
  failures: [403, 503],
  weight,
  ...more,
})

/** Actions of staff in this product. */
export const staffCalls: readonly UserAction[] = [
  call('/api/auth/check', 9, 30),
  call('/api/support/users', 38, 16),
  call('/api/support/tickets', 61, 22),
  call('/api/support/email-logs', 44, 5),
  call('/api/analytics/dashboard', 27, 5),
  call('/api/payroll/summary', 52, 2),
  call('/api/payroll/details', 71, 2),
  call('/api/payroll/audit', 372, 1.2, { method: 'POST', failing: 0.02, failures: [503] }),
  call('/api/marketing/zones', 396, 2.5),
  call('/api/marketing/leads', 83, 4),
  call('/api/businesses/list', 33, 3),
  call('/api/businesses/create', 47, 0.3, { method: 'POST', failing: 0.06, failures: [409, 422] }),
  call('/api/training/courses/list', 58, 2),
  call('/api/stretchers/by-zone', 29, 2, { method: 'POST' }),
  call('/api/onsite/activate-block', 64, 0.8, { method: 'POST', failing: 0.07, failures: [409] }),
  call('/api/campaigns', 76, 1.5),
]
