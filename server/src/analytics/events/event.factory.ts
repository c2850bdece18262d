import { randomUUID } from 'node:crypto'
import type { EventInput } from '@limber/contract/analytics/events/event.ts'
import type { StoredEvent } from '#platform/telemetry/event-store.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'

/** A stored event of the customer product. */
export const draftEvent = (overrides: Partial<StoredEvent> = {}): StoredEvent => ({
  id: randomUUID(),
  at: factoryNow(),
  source: 'customer',
  userId: 7,
  actionType: 'session_booked',
  outcome: 'success',
  method: 'POST',
  url: '/api/bookings',
  path: '/api/bookings',
  status: 201,
  ms: 12.34,
  ...overrides,
})

/** The same event as the customer product sends it. */
export const draftInput = (overrides: Partial<Record<keyof EventInput, unknown>> = {}) => ({
  id: randomUUID(),
  user_id: 7,
  action_type: 'session_booked',
  event_outcome: 'success',
  method: 'POST',
  url: '/api/bookings/58213?from=app',
  response_status: 201,
  response_time: 184.126,
  ip_address: '203.0.113.9',
  createdAt: factoryNow().toISOString(),
  ...overrides,
})
