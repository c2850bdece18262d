import type { Random } from '../random.ts'

interface Scene {
  random: Random
  zone: string
  stretchers: readonly number[]
}

/** Something that is done in the product, and how it usually goes. */
export interface Deed {
  action: string
  method: string
  path: string
  url(scene: Scene): string
  status: number
  /** Usual response time in milliseconds. */
  ms: number
  /** Share that fails, and how. */
  failing: number
  failures: readonly number[]
  weight: number
}

const booking = ({ random }: Scene) => random.whole(40_000, 61_000)

/** What customers do in their own product. */
export const customerActions: readonly Deed[] = [
  {
    action: 'session_booked',
    method: 'POST',
    path: '/api/bookings',
    url: () => '/api/bookings',
    status: 201,
    ms: 168,
    failing: 0.012,
    failures: [409, 409, 422, 500],
    weight: 21,
  },
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
    failing: 0.003,
    failures: [400, 500],
    weight: 22,
  },
  {
    action: 'session_completed',
    method: 'POST',
    path: '/api/bookings/:id/complete',
    url: (scene) => `/api/bookings/${booking(scene)}/complete`,
    status: 200,
    ms: 187,
    failing: 0.004,
    failures: [409],
    weight: 13,
  },
  {
    action: 'credit_purchased',
    method: 'POST',
    path: '/api/credits/purchase',
    url: () => '/api/credits/purchase',
    status: 200,
    ms: 640,
    failing: 0.052,
    failures: [402, 402, 402, 502],
    weight: 7,
  },
  {
    action: 'session_cancelled',
    method: 'PATCH',
    path: '/api/bookings/:id/cancel',
    url: (scene) => `/api/bookings/${booking(scene)}/cancel`,
    status: 200,
    ms: 131,
    failing: 0.006,
    failures: [409, 422],
    weight: 4.4,
  },
  {
    action: 'referral_sent',
    method: 'POST',
    path: '/api/referrals',
    url: () => '/api/referrals',
    status: 201,
    ms: 73,
    failing: 0.009,
    failures: [422, 429],
    weight: 3.2,
  },
  {
    action: 'waiver_signed',
    method: 'POST',
    path: '/api/waivers',
    url: () => '/api/waivers',
    status: 201,
    ms: 118,
    failing: 0.002,
    failures: [400],
    weight: 1.9,
  },
  {
    action: 'session_rated',
    method: 'POST',
    path: '/api/bookings/:id/rating',
    url: (scene) => `/api/bookings/${booking(scene)}/rating`,
    status: 201,
    ms: 66,
    failing: 0.003,
    failures: [409],
    weight: 5,
  },
]

const call = (path: string, ms: number, weight: number, more: Partial<Deed> = {}): Deed => ({
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

/** What staff do in this product. */
export const staffCalls: readonly Deed[] = [
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
