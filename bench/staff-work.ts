/** A request that workers of a role make. `#` stands for the id of a record. */
export interface UserAction {
  path: string
  /** The highest id for `#`. */
  records?: number
  body?: Record<string, unknown>
  /** The body contains the id of the worker. */
  withWorkerId?: boolean
}

export interface Role {
  name: string
  /** Percent of the staff. */
  share: number
  actions: readonly UserAction[]
}

const SUPPORT: readonly UserAction[] = [
  { path: '/api/support/tickets?status=open' },
  { path: '/api/support/tickets/stats' },
  { path: '/api/support/tickets/#', records: 200 },
  { path: '/api/support/tickets/#', records: 200 },
  { path: '/api/support/tickets/#/presence', records: 200, body: { state: 'viewing' } },
  { path: '/api/support/tickets/#/notes', records: 200, body: { content: 'Called back. They will try another day.' } },
  { path: '/api/support/tickets?search=charged' },
  { path: '/api/support/users?limit=20&search=osei' },
  { path: '/api/support/users/#', records: 2000 },
  { path: '/api/support/users/#/bookings', records: 2000 },
  { path: '/api/support/users/#/notes', records: 2000 },
  { path: '/api/support/email-logs' },
]
const GROWTH: readonly UserAction[] = [
  { path: '/api/marketing/leads' },
  {
    path: '/api/marketing/leads/#/notes',
    records: 400,
    body: { note: 'Left a message, wants mornings.' },
    withWorkerId: true,
  },
  { path: '/api/marketing/funnel' },
  { path: '/api/marketing/health-overview' },
  { path: '/api/marketing/health-trends' },
  { path: '/api/marketing/zones' },
  { path: '/api/marketing/tasks' },
  { path: '/api/campaigns' },
  { path: '/api/marketing/partner/businesses' },
]
const OPERATIONS: readonly UserAction[] = [
  { path: '/api/businesses/list' },
  { path: '/api/businesses/#', records: 18 },
  { path: '/api/businesses/#/ledger', records: 18 },
  { path: '/api/stretchers' },
  { path: '/api/stretchers/#', records: 40 },
  { path: '/certifications' },
]
const FINANCE: readonly UserAction[] = [
  { path: '/api/payroll/summary' },
  { path: '/api/payroll/details' },
  { path: '/api/payroll/transactions' },
  { path: '/api/payroll/earners' },
  { path: '/api/payroll/periods' },
]
const TECH: readonly UserAction[] = [
  { path: '/api/analytics/dashboard' },
  { path: '/api/analytics/events' },
  { path: '/api/tech/errors' },
  { path: '/api/tech/health' },
  { path: '/api/tech/integrations' },
]

export const roles: readonly Role[] = [
  { name: 'support', share: 50, actions: SUPPORT },
  { name: 'growth', share: 22, actions: GROWTH },
  { name: 'operations', share: 16, actions: OPERATIONS },
  { name: 'finance', share: 6, actions: FINANCE },
  { name: 'tech', share: 6, actions: TECH },
]
