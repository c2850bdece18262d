import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  MAX_ENDPOINTS,
  readDelivery,
  redeliver,
  redeliverFailed,
  rotateWebhook,
  testWebhook,
  updateWebhook,
} from '@limber/contract/access/webhooks/webhook.ts'
import {
  createOwnWebhook,
  deleteOwnWebhook,
  listOwnDeliveries,
  listOwnWebhooks,
  readOwnWebhook,
  testOwnWebhook,
  updateOwnWebhook,
} from '@limber/contract/access/webhooks/webhook-sync.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { asProgram } from '../api-keys/program.testing.ts'
import { startReceiver } from './receiver.testing.ts'
import { makeWebhookSender } from './sender.ts'

let server: TestServer
let boss: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  boss = server.asOwner({ name: 'Olga Owner', isSteppedUp: true })
})
afterEach(() => sql`delete from webhook_endpoints`.execute(server.db))
afterAll(() => server.stop())

const draft = {
  url: 'https://hooks.example.com/limber#part',
  events: ['lead.converted', 'customer.updated', 'customer.updated'] as ('lead.converted' | 'customer.updated')[],
  description: 'Customer app',
}
const add = async () => (await boss.send(createWebhook, { body: draft })).body.endpoint
const to = ({ id }: { id: number }) => ({ params: { id: String(id) } })

describe('an endpoint on the screen', () => {
  it('shows its secret once and stores it sealed', async () => {
    const { status, body } = await boss.send(createWebhook, { body: draft })
    expect(status).toBe(200)
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(body.endpoint).toMatchObject({
      url: 'https://hooks.example.com/limber',
      events: ['customer.updated', 'lead.converted'],
      description: 'Customer app',
      enabled: true,
      includeOwnChanges: false,
      source: null,
      off: null,
      createdBy: 'Olga Owner',
      version: 1,
    })
    const { rows } = await sql<{ all: string }>`
      select (select string_agg(w::text, '') from webhook_secrets w) || (select string_agg(e::text, '') from webhook_endpoints e)
        || (select string_agg(a::text, '') from audit_log a) as all`.execute(server.db)
    expect(rows[0]?.all).not.toContain(body.secret.slice(6))
    expect((await boss.send(listWebhooks)).text).not.toContain(body.secret)
  })
  it.each([
    ['an internal address', { url: 'https://169.254.169.254/latest' }, 422, 'address_not_allowed'],
    ['a mapped loopback address', { url: 'https://[::ffff:7f00:1]/' }, 422, 'address_not_allowed'],
    ['another scheme', { url: 'ftp://example.com/' }, 400, 'bad_request'],
    ['a password', { url: 'https://a:b@example.com/' }, 400, 'bad_request'],
    ['no URL', { url: 'example.com' }, 400, 'bad_request'],
    ['no event', { events: [] }, 400, 'bad_request'],
    ['an unknown event', { events: ['worker.created'] }, 400, 'bad_request'],
  ])('refuses %s', async (_, wrong, status, code) => {
    const reply = await boss.send(createWebhook, { body: { ...draft, ...wrong } as never })
    expect(reply).toMatchObject({ status, failure: { code } })
    expect((await boss.send(listWebhooks)).body.endpoints).toEqual([])
  })
  it(`refuses more than ${MAX_ENDPOINTS}`, async () => {
    await sql`insert into webhook_endpoints (url, events, created_at)
      select 'https://x.example/', '{customer.updated}', now() from generate_series(1, ${MAX_ENDPOINTS})`.execute(
      server.db,
    )
    expect((await boss.send(createWebhook, { body: draft })).failure).toMatchObject({ code: 'too_many' })
  })
  it('is changed with its version, rotated and deleted', async () => {
    const endpoint = await add()
    const body = { url: 'https://new.example.com/', enabled: false, version: 1 }
    const changed = await boss.send(updateWebhook, { ...to(endpoint), body })
    expect(changed.body.endpoint).toMatchObject({
      url: body.url,
      enabled: false,
      description: 'Customer app',
      version: 2,
    })
    expect((await boss.send(updateWebhook, { ...to(endpoint), body })).failure).toMatchObject({
      code: 'stale',
      current: { version: 2 },
    })
    const internal = { ...to(endpoint), body: { url: 'https://10.0.0.1/', version: 2 } }
    expect((await boss.send(updateWebhook, internal)).failure).toMatchObject({ code: 'address_not_allowed' })
    const rotated = await boss.send(rotateWebhook, { ...to(endpoint), body: { overlapHours: 2 } })
    expect(rotated.body.endpoint.rotation).not.toBeNull()
    expect((await boss.send(deleteWebhook, to(endpoint))).status).toBe(200)
    expect((await boss.send(deleteWebhook, to(endpoint))).status).toBe(404)
    const audited = await server.db
      .selectFrom('audit_log')
      .select('action')
      .where('subject', '=', 'webhook')
      .where('subject_id', '=', String(endpoint.id))
      .orderBy('id')
      .execute()
    expect(audited.map(({ action }) => action)).toEqual([
      'webhook_created',
      'webhook_changed',
      'webhook_rotated',
      'webhook_deleted',
    ])
  })
  it('asks for the permission, and for a fresh passkey to change it', async () => {
    const endpoint = await add()
    expect((await server.as('health.view').send(listWebhooks)).status).toBe(403)
    const stale = await server.as('access.manage').send(createWebhook, { body: draft })
    expect(stale).toMatchObject({ status: 403, failure: { code: 'step_up_required' } })
    for (const call of [deleteWebhook, testWebhook])
      expect((await server.as('health.view').send(call, to(endpoint))).status).toBe(403)
  })
  it('lists deliveries page by page, and shows one with request and reply', async () => {
    const endpoint = await add()
    const made = []
    for (let count = 0; count < 3; count += 1) made.push((await boss.send(testWebhook, to(endpoint))).body.delivery)
    const first = await boss.send(listDeliveries, { ...to(endpoint), query: { limit: '2' } })
    expect(first.body).toMatchObject({ hasMore: true, deliveries: [{ id: made[2]?.id }, { id: made[1]?.id }] })
    const rest = await boss.send(listDeliveries, { ...to(endpoint), query: { before: String(made[1]?.id) } })
    expect(rest.body).toMatchObject({ hasMore: false, deliveries: [{ id: made[0]?.id, state: 'waiting', record: '' }] })
    const delivered = await boss.send(listDeliveries, { ...to(endpoint), query: { show: 'delivered' } })
    expect(delivered.body.deliveries).toEqual([])
    const one = { params: { id: String(endpoint.id), deliveryId: String(made[0]?.id) } }
    expect((await boss.send(readDelivery, one)).body.delivery).toMatchObject({ reply: null, signature: null })
    expect((await boss.send(redeliver, one)).status).toBe(200)
    const none = { params: { id: String(endpoint.id), deliveryId: '999999' } }
    expect((await boss.send(readDelivery, none)).status).toBe(404)
    expect((await boss.send(redeliver, none)).status).toBe(404)
    const since = { body: { since: '2020-01-01T00:00:00Z' } }
    expect((await boss.send(redeliverFailed, { ...to(endpoint), ...since })).body).toEqual({ count: 0 })
  })
})

describe('an endpoint of a program', () => {
  const body = {
    url: 'https://hooks.example.com/',
    events: ['credits.changed'] as 'credits.changed'[],
    description: 'App',
  }
  it('is created, read, changed and deleted with the scopes', async () => {
    const app = await asProgram(server, { scopes: ['webhooks:read', 'webhooks:write'] })
    const { secret, ...made } = (await app.send(createOwnWebhook, { body })).body
    expect(secret).toMatch(/^whsec_/)
    expect(made).toMatchObject({ ...body, enabled: true, include_own_changes: false, off_reason: null })
    expect((await app.send(listOwnWebhooks)).body).toEqual({ items: [made], next_cursor: null })
    expect((await app.send(readOwnWebhook, to(made))).body).toEqual(made)
    const patch = { ...to(made), body: { include_own_changes: true } }
    expect((await app.send(updateOwnWebhook, patch)).body).toMatchObject({ ...body, include_own_changes: true })
    await app.send(testOwnWebhook, to(made))
    await app.send(testOwnWebhook, { ...to(made), body: {} })
    const page = (await app.send(listOwnDeliveries, { ...to(made), query: { limit: '1' } })).body
    expect(page.items).toMatchObject([{ event_type: 'webhook.test', state: 'waiting', attempts: [] }])
    const next = { ...to(made), query: { cursor: String(page.next_cursor) } }
    expect((await app.send(listOwnDeliveries, next)).body).toMatchObject({ next_cursor: null })
    expect((await app.send(deleteOwnWebhook, to(made))).body).toEqual({ id: made.id })
    expect((await app.send(readOwnWebhook, to(made))).status).toBe(404)
  })
  it('is refused an internal address, and every write without the scope', async () => {
    const app = await asProgram(server, { scopes: ['webhooks:read'] })
    expect((await app.send(createOwnWebhook, { body })).failure).toMatchObject({ code: 'scope' })
    const writer = await asProgram(server, { scopes: ['webhooks:write'] })
    expect((await writer.send(listOwnWebhooks)).status).toBe(403)
    const internal = await writer.send(createOwnWebhook, { body: { ...body, url: 'https://127.0.0.1/' } })
    expect(internal).toMatchObject({ status: 422, failure: { code: 'address_not_allowed' } })
  })
  it('belongs to its source: others do not see it', async () => {
    const app = await asProgram(server)
    const other = await asProgram(server, { source: 'crm' })
    const made = (await app.send(createOwnWebhook, { body })).body
    expect((await other.send(listOwnWebhooks)).body.items).toEqual([])
    for (const call of [readOwnWebhook, deleteOwnWebhook, listOwnDeliveries, testOwnWebhook])
      expect((await other.send(call, to(made))).status).toBe(404)
    expect((await boss.send(listWebhooks)).body.endpoints).toMatchObject([{ id: made.id, source: 'app' }])
  })
})

describe('a name that resolves to an internal address', () => {
  it('is refused at delivery, before any connection', async () => {
    const receiver = await startReceiver()
    const app = await asProgram(server)
    const url = receiver.url.replace('127.0.0.1', 'localhost')
    const made = (await app.send(createOwnWebhook, { body: { url, events: ['customer.updated'], description: '' } }))
      .body
    const sender = makeWebhookSender(server.running.services)
    await app.send(testOwnWebhook, to(made))
    const delivery = await eventually(async () => {
      const [item] = (await app.send(listOwnDeliveries, to(made))).body.items
      return item?.state === 'failed' && item
    })
    expect(delivery.attempts).toMatchObject([{ status: null, error: 'blocked_address' }])
    expect(receiver.received).toEqual([])
    await sender.close()
    await receiver.stop()
  })
})

it('needs https when the product itself has it', async () => {
  const secure = await startTestServer({ env: { PUBLIC_URL: 'https://limber.example.com' } })
  const app = await asProgram(secure)
  const body = {
    url: 'http://hooks.example.com/',
    events: ['customer.updated'] as 'customer.updated'[],
    description: '',
  }
  expect((await app.send(createOwnWebhook, { body })).failure).toMatchObject({ code: 'https_required' })
  expect((await app.send(createOwnWebhook, { body: { ...body, url: 'https://hooks.example.com/' } })).status).toBe(200)
  await secure.stop()
})
