import type { WebhookEvent } from '@limber/contract/access/webhooks/events.ts'
import { createWebhook, listWebhooks, updateWebhook } from '@limber/contract/access/webhooks/webhook.ts'
import {
  createOwnWebhook,
  listOwnDeliveries,
  readOwnWebhook,
  redeliverOwn,
  redeliverOwnFailed,
  rotateOwnWebhook,
  testOwnWebhook,
  updateOwnWebhook,
} from '@limber/contract/access/webhooks/webhook-sync.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '#platform/clock.ts'
import { type Actor, runWork } from '#platform/db/work.ts'
import { eventually, startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { asProgram } from '../api-keys/program.testing.ts'
import { startReceiver } from './receiver.testing.ts'
import { makeWebhookSender } from './sender.ts'

let server: TestServer
let receiver: Awaited<ReturnType<typeof startReceiver>>
let other: Awaited<ReturnType<typeof startReceiver>>
let app: Awaited<ReturnType<typeof asProgram>>
let sender: ReturnType<typeof makeWebhookSender>
beforeAll(async () => {
  // The package compares timestamps with the machine's clock.
  server = await startTestServer({
    env: { WEBHOOK_ALLOW_PRIVATE: '1' },
    now: new Date().toISOString(),
  })
  receiver = await startReceiver()
  other = await startReceiver()
  app = await asProgram(server)
})
beforeEach(() => {
  server.clock.set(new Date())
  sender = startSender()
})
afterEach(async () => {
  await sender.close()
  receiver.reset()
  other.reset()
  await sql`delete from webhook_endpoints`.execute(server.db)
  await sql`delete from external_refs`.execute(server.db)
})
afterAll(async () => {
  await receiver.stop()
  await other.stop()
  await server.stop()
})

/** A sender that never polls: whatever it sends, something woke it. */
const startSender = (timeout?: number) =>
  makeWebhookSender(server.running.services, { pollEvery: HOUR, ...(timeout !== undefined && { timeout }) })
const EVENTS: WebhookEvent[] = ['customer.updated', 'credits.changed']
const add = async (body: object = {}) => {
  const made = await app.send(createOwnWebhook, { body: { url: receiver.url, events: EVENTS, ...body } as never })
  expect(made.status).toBe(200)
  return made.body
}
const params = ({ id }: { id: number }) => ({ params: { id: String(id) } })
/** A change of customers, as a worker makes it unless told. */
const change = (ids: readonly number[], actor: Partial<Actor> = {}, type: WebhookEvent = 'customer.updated') =>
  runWork(server.running.services, { call: 'test', ...actor }, async ({ emit }) => {
    for (const id of ids) emit({ type, of: 'customer', ids: { customer: id }, changed: ['email'] })
  })
const arrived = (count: number, at = receiver) =>
  eventually(async () => at.received.length >= count && at.received, 100_000)
const deliveries = async (endpoint: { id: number }) => (await app.send(listOwnDeliveries, params(endpoint))).body.items
const settled = (endpoint: { id: number }, states: readonly string[]) =>
  eventually(async () => {
    const items = await deliveries(endpoint)
    return items.map(({ state }) => state).join() === states.join() && items
  })
const attempted = (endpoint: { id: number }, count: number) =>
  eventually(async () => {
    const [newest] = await deliveries(endpoint)
    return newest?.attempts.length === count && newest
  })

describe('an event', () => {
  it('leaves when its change is committed, signed and thin', async () => {
    const endpoint = await add()
    await sql`insert into external_refs (source, resource, external_id, record_id, created_at)
      values ('app', 'customers', 'c-17', 17, now()), ('crm', 'customers', 'x', 17, now())`.execute(server.db)
    await change([17])
    const [event] = await arrived(1)
    if (!event) throw new Error('nothing came')
    expect(receiver.verify(endpoint.secret, event)).toEqual({
      type: 'customer.updated',
      timestamp: server.clock.now().toISOString(),
      data: { customer: { id: 17, external_ids: { app: 'c-17', crm: 'x' } }, changed: ['email'] },
    })
    expect(event.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Limber-Webhooks/1' })
    const [delivery] = await settled(endpoint, ['delivered'])
    expect(delivery).toMatchObject({
      event_id: event.id,
      next_attempt_at: null,
      attempts: [{ status: 204, error: null }],
    })
  })
  it('does not leave when the change is rolled back, or nobody listens to it', async () => {
    const endpoint = await add()
    await expect(
      runWork(server.running.services, { call: 'test' }, async ({ emit }) => {
        emit({ type: 'customer.updated', of: 'customer', ids: { customer: 1 } })
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await change([1], {}, 'customer.blocked')
    await app.send(updateOwnWebhook, { ...params(endpoint), body: { enabled: false } })
    await change([1])
    expect(await deliveries(endpoint)).toEqual([])
  })
  it('is not echoed to the source that made the change, unless asked for', async () => {
    const own = await add()
    const asked = await add({ url: other.url, include_own_changes: true })
    const boss = server.asOwner({ isSteppedUp: true })
    const screen = await boss.send(createWebhook, { body: { url: other.url, events: EVENTS } })
    await change([5], { source: 'app' })
    await arrived(2, other)
    expect(await deliveries(own)).toEqual([])
    expect(await deliveries(asked)).toHaveLength(1)
    await change([5], { source: 'crm' })
    await arrived(1)
    expect(new Set((await arrived(4, other)).map(({ id }) => id)).size).toBe(2)
    expect(screen.body.endpoint.source).toBeNull()
  })
  it('is enqueued in large numbers at once', async () => {
    const endpoint = await add()
    // More than a sender holds in memory.
    await change(Array.from({ length: 600 }, (_, index) => index + 1))
    await arrived(600)
    await eventually(async () => (await deliveries(endpoint)).every(({ state }) => state === 'delivered'))
  })
})

describe('a failed delivery', () => {
  it('is retried with the same id, after 5 seconds and then 5 minutes', async () => {
    const endpoint = await add()
    receiver.answerWith((_, reply) => void reply.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>'))
    await change([1])
    const first = await attempted(endpoint, 1)
    expect(first).toMatchObject({ state: 'waiting', attempts: [{ status: 502 }] })
    expect(Date.parse(first.next_attempt_at ?? '') - server.clock.now().getTime()).toBeGreaterThanOrEqual(5 * SECOND)
    server.clock.advance(6 * SECOND)
    await sender.run()
    const second = await attempted(endpoint, 2)
    expect(Date.parse(second.next_attempt_at ?? '') - server.clock.now().getTime()).toBeGreaterThanOrEqual(5 * MINUTE)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
    receiver.reset()
    server.clock.advance(6 * MINUTE)
    await sender.run()
    await settled(endpoint, ['delivered'])
  })
  it('fails for good after the last retry, and can be redelivered alone or with all others', async () => {
    const endpoint = await add()
    receiver.answerWith((_, reply) => void reply.writeHead(500).end())
    await change([1, 2])
    await eventually(async () => (await deliveries(endpoint)).every(({ attempts }) => attempts.length === 1))
    await sql`update webhook_deliveries set tries = 9, next_attempt_at = ${server.clock.now()}`.execute(server.db)
    await sender.run()
    const [newest] = await settled(endpoint, ['failed', 'failed'])
    receiver.reset()
    const one = { params: { id: String(endpoint.id), delivery_id: String(newest?.id) } }
    expect((await app.send(redeliverOwn, one)).body).toMatchObject({ state: 'waiting' })
    expect((await arrived(1))[0]?.id).toBe(newest?.event_id)
    await settled(endpoint, ['delivered', 'failed'])
    const since = new Date(server.clock.now().getTime() - HOUR).toISOString()
    expect((await app.send(redeliverOwnFailed, { ...params(endpoint), body: { since } })).body).toEqual({ count: 1 })
    await settled(endpoint, ['delivered', 'delivered'])
    expect((await app.send(redeliverOwnFailed, { ...params(endpoint), body: { since } })).body).toEqual({ count: 0 })
  })
  it.each([
    [
      'a redirect',
      (reply: import('node:http').ServerResponse) => reply.writeHead(302, { location: '/x' }).end(),
      { status: 302 },
    ],
    [
      'a broken connection',
      (reply: import('node:http').ServerResponse) => reply.destroy(),
      { status: null, error: 'ECONNRESET' },
    ],
  ])('is %s', async (_, answer, expected) => {
    const endpoint = await add()
    receiver.answerWith((_event, reply) => void answer(reply))
    await change([1])
    expect((await attempted(endpoint, 1)).attempts).toMatchObject([expected])
    expect(receiver.received).toHaveLength(1)
  })
  it('is a reply that never comes', async () => {
    await sender.close()
    sender = startSender(50)
    const endpoint = await add()
    receiver.answerWith(() => {})
    await change([1])
    expect((await attempted(endpoint, 1)).attempts).toMatchObject([{ status: null, error: 'timeout' }])
  })
  it('holds back later events of its record only', async () => {
    const endpoint = await add()
    let isBroken = true
    receiver.answerWith(({ data }, reply) => {
      const { id } = data.customer as { id: number }
      reply.writeHead(isBroken && id === 1 ? 500 : 200).end()
    })
    for (const id of [1, 1, 2, 1, 2]) await change([id])
    const idOf = ({ data }: { data: Record<string, unknown> }) => (data.customer as { id: number }).id
    await eventually(async () => receiver.received.filter((event) => idOf(event) === 2).length === 2)
    await eventually(async () => (await deliveries(endpoint)).filter(({ state }) => state === 'waiting').length === 3)
    expect(receiver.received.filter((event) => idOf(event) === 1)).toHaveLength(1)
    isBroken = false
    server.clock.advance(6 * SECOND)
    await sender.run()
    const items = await settled(endpoint, Array(5).fill('delivered'))
    const ofFirst = receiver.received.filter((event) => idOf(event) === 1).map(({ id }) => id)
    const inOrder = items.toReversed().filter(({ event_id }) => ofFirst.includes(event_id))
    expect(ofFirst.slice(1)).toEqual(inOrder.map(({ event_id }) => event_id))
  })
})

describe('an endpoint', () => {
  it('that hangs does not delay the others', async () => {
    await add()
    const good = await add({ url: other.url })
    receiver.answerWith(() => {})
    await change(Array.from({ length: 100 }, (_, index) => index + 1))
    await arrived(100, other)
    await eventually(async () => (await deliveries(good)).every(({ state }) => state === 'delivered'))
  })
  it('that hangs does not delay another at the same address', async () => {
    await add({ url: `${receiver.url}/hangs` })
    const good = await add({ url: `${receiver.url}/works` })
    receiver.answerWith((_, reply, { url }) => void (url?.endsWith('/works') && reply.writeHead(204).end()))
    await change(Array.from({ length: 100 }, (_, index) => index + 1))
    await eventually(async () => {
      const items = await deliveries(good)
      return items.length === 100 && items.every(({ state }) => state === 'delivered')
    })
  })
  it('that replies 410 is switched off, and gets what waited when it is on again', async () => {
    const endpoint = await add()
    receiver.answerWith((_, reply) => void reply.writeHead(410).end())
    await change([1])
    const read = () => app.send(readOwnWebhook, params(endpoint))
    await eventually(async () => (await read()).body.enabled === false)
    expect((await read()).body).toMatchObject({ off_reason: 'gone' })
    await change([2])
    expect(await deliveries(endpoint)).toMatchObject([{ state: 'waiting', next_attempt_at: null }])
    receiver.reset()
    await app.send(updateOwnWebhook, { ...params(endpoint), body: { enabled: true } })
    await settled(endpoint, ['delivered'])
    expect((await read()).body).toMatchObject({ enabled: true, off_reason: null })
  })
  it('that fails for five days is switched off', async () => {
    const endpoint = await add()
    receiver.answerWith((_, reply) => void reply.writeHead(503).end())
    await change([1])
    await attempted(endpoint, 1)
    server.clock.advance(5 * DAY)
    await sender.run()
    await eventually(async () => (await app.send(readOwnWebhook, params(endpoint))).body.off_reason === 'failing')
    const [shown] = (await server.as('access.manage').send(listWebhooks)).body.endpoints
    expect(shown).toMatchObject({ enabled: false, off: { reason: 'failing' }, waiting: 1 })
    const audited = await server.db
      .selectFrom('audit_log')
      .select('after')
      .where('action', '=', 'webhook_switched_off')
      .where('subject_id', '=', String(endpoint.id))
      .execute()
    expect(audited).toEqual([{ after: { reason: 'failing' } }])
  })
  it('gets test events, even when it is off, once', async () => {
    const endpoint = await add({ enabled: false })
    expect((await app.send(testOwnWebhook, params(endpoint))).body).toMatchObject({ event_type: 'webhook.test' })
    const [event] = await arrived(1)
    if (!event) throw new Error('nothing came')
    expect(receiver.verify(endpoint.secret, event)).toMatchObject({ type: 'webhook.test' })
    receiver.answerWith((_, reply) => void reply.writeHead(500).end())
    await settled(endpoint, ['delivered'])
    await app.send(testOwnWebhook, params(endpoint))
    await settled(endpoint, ['failed', 'delivered'])
  })
  it('is signed to with both secrets during a rotation', async () => {
    const endpoint = await add()
    const rotated = await app.send(rotateOwnWebhook, { ...params(endpoint), body: { overlap_hours: 2 } })
    await change([1])
    const [event] = await arrived(1)
    if (!event) throw new Error('nothing came')
    receiver.verify(endpoint.secret, event)
    receiver.verify(rotated.body.secret, event)
    expect(event.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    await settled(endpoint, ['delivered'])
    await app.send(rotateOwnWebhook, { ...params(endpoint), body: { overlap_hours: 0 } })
    await sql`update webhook_secrets set expires_at = least(expires_at, ${server.clock.now()})`.execute(server.db)
    await change([1])
    const last = (await arrived(2)).at(-1)
    if (!last) throw new Error('nothing came')
    expect(() => receiver.verify(endpoint.secret, last)).toThrow()
  })
  it('can tell a replay and a forgery from what was sent', async () => {
    const endpoint = await add()
    await change([1])
    const [event] = await arrived(1)
    if (!event) throw new Error('nothing came')
    const { secret } = endpoint
    const forged = (headers: Record<string, string>, body = event.body) => ({
      ...event,
      body,
      headers: { ...event.headers, ...headers },
    })
    receiver.verify(secret, event)
    const at = Number(event.headers['webhook-timestamp'])
    for (const each of [
      forged({ 'webhook-timestamp': String(at + 1) }),
      forged({ 'webhook-id': 'evt_other' }),
      forged({}, `${event.body} `),
      forged({ 'webhook-signature': 'v1,' }),
      forged({ 'webhook-signature': event.headers['webhook-signature']?.replace('v1,', 'v2,') ?? '' }),
    ])
      expect(() => receiver.verify(secret, each)).toThrow()
    await settled(endpoint, ['delivered'])
    // What was signed more than five minutes ago is refused, although the signature is right.
    server.clock.advance(-6 * MINUTE)
    await change([2])
    const [, old] = await arrived(2)
    if (!old) throw new Error('nothing came')
    expect(() => receiver.verify(secret, old)).toThrow(/too old/)
  })
  it('is told its new address at once', async () => {
    const endpoint = await add()
    const [row] = (await server.as('access.manage').send(listWebhooks)).body.endpoints
    const boss = server.asOwner({ isSteppedUp: true })
    await boss.send(updateWebhook, { ...params(endpoint), body: { url: other.url, version: row?.version ?? 0 } })
    await change([1])
    await arrived(1, other)
    expect(receiver.received).toEqual([])
  })
})

describe('two senders', () => {
  it('do not deliver anything twice', async () => {
    const second = makeWebhookSender(server.running.services)
    const endpoint = await add()
    for (let round = 0; round < 5; round += 1) await change(Array.from({ length: 40 }, (_, index) => index + 1))
    await Promise.all([sender.run(), second.run()])
    await eventually(async () => {
      const items = await deliveries(endpoint)
      return items.length === 100 && items.every(({ state }) => state === 'delivered')
    })
    await arrived(200)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(200)
    expect(receiver.received).toHaveLength(200)
    await second.close()
  })
  it('take over from one that died, when its lease ends', async () => {
    const endpoint = await add()
    await sender.close()
    await change([1])
    await sql`update webhook_endpoints set lease_owner = 'dead', leased_until = clock_timestamp() + interval '1 hour'`.execute(
      server.db,
    )
    sender = makeWebhookSender(server.running.services)
    await sender.run()
    expect(receiver.received).toEqual([])
    await sql`update webhook_endpoints set leased_until = clock_timestamp()`.execute(server.db)
    await settled(endpoint, ['delivered'])
  })
})
