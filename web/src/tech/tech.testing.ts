import type { ErrorGroup, ErrorList, ErrorOccurrence } from '@limber/contract/tech/errors/error-log.ts'
import type { Health, HealthCheck } from '@limber/contract/tech/health/health.ts'
import type {
  Delivery,
  InboundEvent,
  IntegrationCounts,
  IntegrationEvent,
} from '@limber/contract/tech/integrations/integration.ts'

export const makeGroup = (more: Partial<ErrorGroup> = {}): ErrorGroup => ({
  id: 4,
  source: 'staff',
  method: 'POST',
  path: '/api/payroll/audit',
  status: 500,
  state: 'open',
  count: 12,
  people: 3,
  trend: [0, 2, 4, 6],
  firstSeen: '2026-11-01T08:00:00.000Z',
  lastSeen: '2026-11-14T09:00:00.000Z',
  total: 40,
  newest: { code: 'broken', text: 'Something went wrong on our side.', cause: 'TypeError at server/src/a.ts:1' },
  handled: null,
  reopenedAt: null,
  timesReopened: 0,
  version: 1,
  ...more,
})

export const makeErrorList = (groups: ErrorGroup[]): ErrorList => ({
  groups,
  pagination: { page: 1, limit: 25, totalItems: groups.length, totalPages: 1 },
  totals: { refused: 7, broken: 12, people: 3, open: 1, handled: 0 },
  span: { from: '2026-11-07T09:00:00.000Z', to: '2026-11-14T09:00:00.000Z' },
})

export const makeOccurrence = (more: Partial<ErrorOccurrence> = {}): ErrorOccurrence => ({
  id: 90,
  at: '2026-11-14T09:00:00.000Z',
  url: '/api/payroll/audit',
  ms: 31.2,
  address: '203.0.113.7',
  requestId: 'req-1',
  person: { kind: 'worker', id: 2, name: 'Ruth Abramson' },
  code: 'broken',
  text: 'Something went wrong on our side.',
  cause: 'TypeError at server/src/a.ts:1',
  ...more,
})

export const makeCheck = (more: Partial<HealthCheck> = {}): HealthCheck => ({
  name: 'database',
  title: 'Database',
  status: 'ok',
  summary: 'Responds in 2 ms.',
  facts: [{ label: 'Size', value: '95 MB' }],
  latency: 8,
  since: '2026-11-13T09:00:00.000Z',
  checkedAt: '2026-11-14T09:00:00.000Z',
  lastError: null,
  history: Array.from({ length: 96 }, () => 'ok' as const),
  ...more,
})

export const makeHealth = (checks: HealthCheck[], more: Partial<Health> = {}): Health => ({
  checks,
  checkedAt: '2026-11-14T09:00:00.000Z',
  isStale: false,
  ...more,
})

export const makeEvent = (more: Partial<IntegrationEvent> = {}): IntegrationEvent => ({
  direction: 'out',
  id: 12,
  kind: 'mail',
  status: 'dead',
  about: 'invoice for Riverside',
  at: '2026-11-14T09:00:00.000Z',
  tries: 10,
  nextTryAt: null,
  lastError: '550 user unknown',
  ...more,
})

export const makeDelivery = (more: Partial<Delivery> = {}): Delivery => ({
  ...makeEvent(),
  status: 'dead',
  key: 'invoice-7',
  payload: { fields: [{ name: 'to', value: 'a•••@example.com' }], withheld: ['headers'] },
  outsideId: null,
  sentAt: null,
  lastTryAt: '2026-11-14T09:10:00.000Z',
  isConnected: true,
  retried: null,
  discarded: null,
  ...more,
})

export const makeInbound = (more: Partial<InboundEvent> = {}): InboundEvent => ({
  ...makeEvent({
    direction: 'in',
    id: 5,
    kind: 'lead',
    about: 'A lead from a form',
    tries: 3,
    lastError: 'No campaign.',
  }),
  status: 'failed',
  key: 'lead-1',
  isSigned: true,
  payload: { fields: [], withheld: ['field_data'] },
  lastReceivedAt: '2026-11-14T10:00:00.000Z',
  settledAt: '2026-11-14T10:00:01.000Z',
  requestId: 'req-2',
  address: '198.51.100.4',
  ...more,
})

export const makeCounts = (more: Partial<IntegrationCounts> = {}): IntegrationCounts => ({
  waiting: 2,
  retrying: 1,
  dead: 3,
  sent: 41,
  received: 9,
  troubled: 1,
  kinds: [
    { direction: 'out', kind: 'mail' },
    { direction: 'in', kind: 'lead' },
  ],
  deadByKind: [{ kind: 'mail', count: 3 }],
  ...more,
})
