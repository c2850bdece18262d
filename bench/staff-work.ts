/** What people of a role do all day: where they look, and what they write. `#` is the number of some record. */
export interface Deed {
  path: string
  /** The most records that may stand for `#`. */
  records?: number
  body?: Record<string, unknown>
  /** The body names who writes. */
  inOwnName?: boolean
}

export interface Role {
  name: string
  /** Of a hundred people. */
  share: number
  deeds: readonly Deed[]
}

const SUPPORT: readonly Deed[] = [
  { path: '/api/support/tickets?status=open' },
  { path: '/api/support/tickets/stats' },
  { path: '/api/support/tickets/#', records: 200 },
  { path: '/api/support/tickets/#', records: 200 },
  { path: '/api/support/tickets/#/presence', records: 200, body: { state: 'viewing' } },
  { path: '/api/support/tickets/#/notes', records: 200, body: { content: 'Called back; they will try another day.' } },
  { path: '/api/support/tickets?search=charged' },
  { path: '/api/support/users?limit=20&search=osei' },
  { path: '/api/support/users/#', records: 2000 },
  { path: '/api/support/users/#/bookings', records: 2000 },
  { path: '/api/support/users/#/notes', records: 2000 },
  { path: '/api/support/email-logs' },
]
const GROWTH: readonly Deed[] = [
  { path: '/api/marketing/leads' },
  {
    path: '/api/marketing/leads/#/notes',
    records: 400,
    body: { note: 'Left a message, wants mornings.' },
    inOwnName: true,
  },
  { path: '/api/marketing/funnel' },
  { path: '/api/marketing/health-overview' },
  { path: '/api/marketing/health-trends' },
  { path: '/api/marketing/zones' },
  { path: '/api/marketing/tasks' },
  { path: '/api/campaigns' },
  { path: '/api/marketing/partner/businesses' },
]
const OPERATIONS: readonly Deed[] = [
  { path: '/api/businesses/list' },
  { path: '/api/businesses/#', records: 18 },
  { path: '/api/businesses/#/ledger', records: 18 },
  { path: '/api/stretchers' },
  { path: '/api/stretchers/#', records: 40 },
  { path: '/certifications' },
]
const FINANCE: readonly Deed[] = [
  { path: '/api/payroll/summary' },
  { path: '/api/payroll/details' },
  { path: '/api/payroll/transactions' },
  { path: '/api/payroll/earners' },
  { path: '/api/payroll/periods' },
]
const TECH: readonly Deed[] = [
  { path: '/api/analytics/dashboard' },
  { path: '/api/analytics/events' },
  { path: '/api/tech/errors' },
  { path: '/api/tech/health' },
  { path: '/api/tech/integrations' },
]

export const roles: readonly Role[] = [
  { name: 'support', share: 50, deeds: SUPPORT },
  { name: 'growth', share: 22, deeds: GROWTH },
  { name: 'operations', share: 16, deeds: OPERATIONS },
  { name: 'finance', share: 6, deeds: FINANCE },
  { name: 'tech', share: 6, deeds: TECH },
]
