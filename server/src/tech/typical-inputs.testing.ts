import { sql } from 'kysely'
import type { Inputs, InputTools } from '#platform/testing/testing.inputs.ts'

export function techInputs({ byId, to, sending, made }: InputTools): Inputs {
  const deadDelivery = () =>
    made(sql`update outbox set state = 'dead' where id = (
      select id from outbox where state = 'sent' order by id limit 1) returning id`)
  return {
    'GET /api/tech/errors/:id': byId('event_failures', 'group_id'),
    'GET /api/tech/errors/:id/occurrences': byId('event_failures', 'group_id'),
    'GET /api/tech/deliveries/:id': byId('outbox'),
    'GET /api/tech/inbound/:id': byId('inbound_events'),
    'POST /api/tech/errors/:id/handle': to(sql`select id from error_groups where not is_handled order by id desc`, {
      note: 'fixed',
    }),
    'POST /api/tech/errors/:id/reopen': to(sql`select id from error_groups where is_handled order by id desc`, {
      note: 'again',
    }),
    'POST /api/tech/health/check': sending(),
    'POST /api/tech/deliveries/:id/retry': async () => ({ ...(await deadDelivery()), body: {} }),
    'POST /api/tech/deliveries/:id/discard': async () => ({ ...(await deadDelivery()), body: { reason: 'gone' } }),
    'POST /api/tech/deliveries/retry-dead': sending(),
  }
}
