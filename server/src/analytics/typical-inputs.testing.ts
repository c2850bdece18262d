import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Inputs, InputTools } from '#platform/testing/testing.inputs.ts'

export function analyticsInputs({ first }: InputTools): Inputs {
  const customerEvent = sql`select id from events where source = 'customer'`
  return {
    // Failures: reading and exporting do not add any.
    'GET /api/analytics/figures/:figure': async () => ({ params: { figure: 'failedEvents' } }),
    'GET /api/v1/events/:id': async () => ({ params: { id: (await first<{ id: string }>(customerEvent)).id } }),
    'GET /api/v1/events/by-external-id/:source/:external_id': async () => ({
      params: { source: 'app', external_id: (await first<{ id: string }>(customerEvent)).id },
    }),
    'GET /api/analytics/events/:id': async () => ({
      params: { id: (await first<{ id: string }>(sql`select id from events`)).id },
    }),
    'POST /api/analytics/events': async () => ({
      body: {
        events: [
          {
            id: randomUUID(),
            action_type: 'booking_viewed',
            event_outcome: 'success',
            method: 'GET',
            url: '/book',
            response_status: 200,
            response_time: 12,
            createdAt: '2026-11-16T16:59:00Z',
          },
        ],
      },
    }),
  }
}
