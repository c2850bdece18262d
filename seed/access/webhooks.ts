import { TEST_EVENT, type WebhookEvent } from '@limber/contract/access/webhooks/events.ts'
import { makeWebhookSecret, sealSecret } from '@limber/server/access/webhooks/sign-event.ts'
import { insertEndpoint, insertWebhookSecret } from '@limber/server/access/webhooks/webhook.queries.ts'
import { MINUTE, shift } from '@limber/server/platform/clock.ts'
import type { SeedContext } from '../seeder.ts'

interface Sample {
  type: WebhookEvent | typeof TEST_EVENT
  /** Minutes ago. */
  ago: number
  record: string
  data: object
  /** Statuses of the attempts; null is a time-out. */
  replies: readonly (number | null)[]
}

const changes = (id: number, ...changed: string[]) => ({ customer: { id, external_ids: { app: `c-${id}` } }, changed })
const credits = (id: number, delta: number, balance: number) => ({
  customer: { id, external_ids: { app: `c-${id}` } },
  delta,
  balance,
})

const samples: readonly Sample[] = [
  { type: 'customer.updated', ago: 1300, record: 'customers 41', data: changes(41, 'phone'), replies: [204] },
  { type: 'credits.changed', ago: 1211, record: 'customers 12', data: credits(12, 1, 4), replies: [204] },
  {
    type: 'ticket.replied',
    ago: 1093,
    record: 'tickets 31',
    data: { ticket: { id: 31, external_ids: {} } },
    replies: [204],
  },
  { type: 'customer.updated', ago: 912, record: 'customers 77', data: changes(77, 'email'), replies: [502, 204] },
  { type: 'credits.changed', ago: 640, record: 'customers 77', data: credits(77, -1, 2), replies: [204] },
  {
    type: 'ticket.closed',
    ago: 433,
    record: 'tickets 31',
    data: { ticket: { id: 31, external_ids: {} } },
    replies: [204],
  },
  { type: 'customer.updated', ago: 214, record: 'customers 9', data: changes(9, 'last_name', 'email'), replies: [204] },
  { type: 'credits.changed', ago: 96, record: 'customers 9', data: credits(9, 2, 6), replies: [null, 502, 502] },
  { type: TEST_EVENT, ago: 88, record: 'evt_test', data: { webhook: { id: 1 } }, replies: [502] },
  { type: 'customer.updated', ago: 64, record: 'customers 9', data: changes(9, 'phone'), replies: [] },
]

/**
 * An endpoint of the customer app with its log. It is off, and its address belongs to nobody: the sample company never
 * sends anything.
 */
export async function seedWebhooks({ db, copy, calendar, random, keyring }: SeedContext) {
  const stream = random('access/webhooks')
  const { created_by } = await db
    .selectFrom('api_keys')
    .select('created_by')
    .where('source', '=', 'app')
    .executeTakeFirstOrThrow()
  const id = await insertEndpoint(db, {
    url: 'https://hooks.customer-app.example/limber',
    description: 'Customer app',
    events: ['customer.updated', 'credits.changed', 'ticket.replied', 'ticket.closed'],
    include_own_changes: false,
    enabled: false,
    source: null,
    created_by,
    created_at: calendar.at(-120, 11 * 60),
  })
  await insertWebhookSecret(db, id, sealSecret(keyring, makeWebhookSecret()), calendar.at(-120, 11 * 60))
  const rows = samples.map(({ type, ago, record, data, replies }, at) => {
    const created = shift(calendar.now, -ago * MINUTE)
    const attempts = replies.map((status, place) => ({
      at: shift(created, place * 5 * MINUTE).toISOString(),
      status,
      duration_ms: status === null ? 15_000 : stream.integer(90, 320),
      error: status === null ? 'timeout' : null,
    }))
    const last = replies.at(-1)
    const isTest = type === TEST_EVENT
    const state = last === 204 ? 'delivered' : isTest ? 'failed' : 'waiting'
    return {
      endpoint_id: id,
      event_id: `evt_sample${String(at).padStart(4, '0')}`,
      event_type: type,
      record,
      body: JSON.stringify({ type, timestamp: created.toISOString(), data }),
      state,
      is_test: isTest,
      tries: replies.length,
      next_attempt_at: shift(calendar.now, 30 * MINUTE),
      attempts: JSON.stringify(attempts),
      signature: replies.length > 0 ? `v1,${'A'.repeat(43)}=` : null,
      reply:
        last === undefined || last === null
          ? null
          : last === 204
            ? '204 No Content\n\n'
            : '502 Bad Gateway\ncontent-type: text/html\n\n<h1>502 Bad Gateway</h1>',
      created_at: created,
      settled_at: state === 'waiting' ? null : created,
    }
  })
  await copy('webhook_deliveries', rows)
}
