import { sql } from 'kysely'
import { SECOND } from '#platform/clock.ts'
import type { Gauges } from '#platform/telemetry/telemetry.ts'

const MAX_DEPTH = 10_000

export const webhookGauges: Gauges = {
  name: 'webhooks',
  help: {
    limber_webhooks_waiting: `Webhooks that were not delivered yet; at most ${MAX_DEPTH}.`,
    limber_webhooks_oldest_seconds: 'For how long the next webhook of an endpoint has been due, at most.',
    limber_webhook_endpoints: 'Endpoints that are on.',
    limber_webhook_endpoints_failing: 'Endpoints whose last webhooks all failed, or that were switched off for it.',
  },
  async read({ db, clock }) {
    const now = clock.now()
    const { rows } = await sql<{ waiting: number; oldest: Date | null; working: number; failing: number }>`
      select (select count(*)::int from (
          select from webhook_deliveries where state = 'waiting' limit ${sql.lit(MAX_DEPTH)}) w) as waiting,
        (select min(d.next_attempt_at) from webhook_endpoints e cross join lateral (
          select next_attempt_at from webhook_deliveries
          where endpoint_id = e.id and state = 'waiting' and next_attempt_at <= ${now}
          order by next_attempt_at, id limit 1) d where e.enabled) as oldest,
        (select count(*)::int from webhook_endpoints where enabled) as working,
        (select count(*)::int from webhook_endpoints where failing_since is not null or off_reason is not null) as failing
      `.execute(db)
    const [row] = rows
    const age = row?.oldest ? (now.getTime() - row.oldest.getTime()) / SECOND : 0
    return [
      { name: 'limber_webhooks_waiting', value: row?.waiting ?? 0 },
      { name: 'limber_webhooks_oldest_seconds', value: Math.max(0, age) },
      { name: 'limber_webhook_endpoints', value: row?.working ?? 0 },
      { name: 'limber_webhook_endpoints_failing', value: row?.failing ?? 0 },
    ]
  },
}
