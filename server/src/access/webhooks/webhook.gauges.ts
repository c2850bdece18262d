import { SECOND } from '#platform/clock.ts'
import type { Gauges } from '#platform/telemetry/gauges.ts'
import { readDeliveryState } from './sender.queries.ts'

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
    const row = await readDeliveryState(db, now, MAX_DEPTH)
    const age = row?.oldest ? (now.getTime() - row.oldest.getTime()) / SECOND : 0
    return [
      { name: 'limber_webhooks_waiting', value: row?.waiting ?? 0 },
      { name: 'limber_webhooks_oldest_seconds', value: Math.max(0, age) },
      { name: 'limber_webhook_endpoints', value: row?.working ?? 0 },
      { name: 'limber_webhook_endpoints_failing', value: row?.failing ?? 0 },
    ]
  },
}
