import { ingestEvents } from '@limber/contract/analytics/events/event.ts'
import {
  countIntegrations,
  discardDelivery,
  listIntegrations,
  readDelivery,
  readInbound,
  retryDead,
  retryDelivery,
} from '@limber/contract/tech/integrations/integration.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, shift, systemClock } from '#platform/clock.ts'
import { runWork } from '#platform/db/work.ts'
import { type Inbound, recordInbound, settleInbound } from '#platform/outbox/inbound.ts'
import { startTestServer, TEST_NOW, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeDelivery } from '../tech.factory.ts'
import { techSchedules } from '../tech.jobs.ts'

let server: TestServer
let operator: TestCaller
const INGEST_KEY = 'ingest-key-0123456789-abcdefgh'

beforeAll(async () => {
  server = await startTestServer({ env: { EVENT_INGEST_KEY: INGEST_KEY } })
  operator = server.as('integrations.events')
})
afterAll(() => server.stop())
beforeEach(async () => {
  server.clock.set(TEST_NOW)
  for (const table of ['outbox', 'inbound_events', 'rate_limits'] as const)
    await server.db.deleteFrom(table as 'outbox').execute()
})

const ago = (ms: number) => shift(server.clock.now(), -ms)
type Draft = Partial<Parameters<typeof makeDelivery>[2]>
// No channel sends ads in this test, so they stay unsent.
const make = (draft: Draft = {}) =>
  makeDelivery(server.db, server.running.services.keyring, { channel: 'ad', created_at: ago(MINUTE), ...draft })
const dead = (draft: Draft = {}) => make({ state: 'dead', tries: 10, last_error: 'It was refused.', ...draft })
const receive = (inbound: Partial<Inbound> = {}) =>
  runWork(server.running.services, { call: 'test' }, (work) =>
    recordInbound(work, {
      kind: 'text_message',
      key: 'SM1',
      about: 'A text message',
      isSigned: true,
      payload: { From: '+14155550134', Body: 'canary', MessageSid: 'SM1' },
      visibleFields: { From: 'phone', MessageSid: 'plain' },
      ...inbound,
    }),
  )
const list = async (query: Record<string, string> = {}) => (await operator.send(listIntegrations, { query })).body
const abouts = async (query: Record<string, string> = {}) => (await list(query)).events.map(({ about }) => about)
const of = (id: number) => ({ params: { id: String(id) } })
const auditOf = (id: number) =>
  server.db
    .selectFrom('audit_log')
    .select(['action', 'worker_id', 'reason'])
    .where('subject', '=', 'delivery')
    .where('subject_id', '=', String(id))
    .execute()

describe('GET /api/tech/integrations', () => {
  it('lists both directions, newest first, with status, attempts, next attempt and last error', async () => {
    await make({ about: 'waits', created_at: ago(5 * MINUTE), next_try_at: ago(-MINUTE) })
    await make({ about: 'retries', created_at: ago(4 * MINUTE), tries: 2, last_error: 'busy' })
    await dead({ about: 'dead', created_at: ago(3 * MINUTE) })
    await make({ about: 'sent', created_at: ago(2 * MINUTE), state: 'sent', sent_at: ago(MINUTE), tries: 1 })
    await make({
      about: 'under way',
      created_at: ago(MINUTE),
      tries: 1,
      leased_until: shift(systemClock.now(), MINUTE),
    })
    await receive()
    const { events, next } = await list()
    expect(events.map(({ about, status, tries }) => [about, status, tries])).toEqual([
      ['A text message', 'received', 1],
      ['under way', 'sending', 1],
      ['sent', 'sent', 1],
      ['dead', 'dead', 10],
      ['retries', 'retrying', 2],
      ['waits', 'waiting', 0],
    ])
    expect(events[5]).toMatchObject({ nextTryAt: ago(-MINUTE).toISOString() })
    expect(events[4]).toMatchObject({ lastError: 'busy' })
    expect(events[3]).toMatchObject({ nextTryAt: null })
    expect(next).toBeNull()
  })

  it('filters by direction, kind, status and text, without wildcards', async () => {
    await make({ about: 'push of a 50% offer', channel: 'push' })
    await dead({ about: 'ad for Riverside', key: 'campaign-7' })
    await make({ about: 'failed twice', tries: 2, created_at: ago(2 * MINUTE) })
    await receive()
    expect(await abouts({ direction: 'in' })).toEqual(['A text message'])
    expect(await abouts({ direction: 'out', kind: 'push' })).toEqual(['push of a 50% offer'])
    expect(await abouts({ kind: 'text_message' })).toEqual(['A text message'])
    expect(await abouts({ status: 'dead' })).toEqual(['ad for Riverside'])
    expect(await abouts({ status: 'retrying' })).toEqual(['failed twice'])
    expect(await abouts({ status: 'received' })).toEqual(['A text message'])
    expect(await abouts({ search: 'RIVERSIDE' })).toEqual(['ad for Riverside'])
    expect(await abouts({ search: 'campaign-7' })).toEqual(['ad for Riverside'])
    expect(await abouts({ search: '0%' })).toEqual(['push of a 50% offer'])
    expect(await abouts({ search: 'nothing' })).toEqual([])
  })

  it('continues after the cursor, also among events with the same time', async () => {
    const at = ago(MINUTE)
    for (let i = 0; i < 4; i++) await make({ about: `out ${i}`, created_at: at })
    for (let i = 0; i < 3; i++) await receive({ key: `SM${i}`, about: `in ${i}` })
    await server.db.updateTable('inbound_events').set({ received_at: at }).execute()
    const seen: string[] = []
    let before: string | null = ''
    for (let page = 0; page < 4 && before !== null; page++) {
      const reply = await list({ limit: '2', ...(before && { before }) })
      seen.push(...reply.events.map(({ about }) => about))
      before = reply.next
    }
    expect(seen).toEqual(['out 3', 'out 2', 'out 1', 'out 0', 'in 2', 'in 1', 'in 0'])
  })

  it.each([
    { direction: 'up' },
    { status: 'lost' },
    { kind: 'A b' },
    { before: '1.2' },
    { limit: '0' },
    { other: '1' },
  ])('rejects %j', async (query) => {
    expect((await operator.send(listIntegrations, { query: query as never })).status).toBe(400)
  })

  it('ignores a cursor with an invalid date', async () => {
    expect((await operator.send(listIntegrations, { query: { before: '9999999999999999.in.1' } })).status).toBe(200)
  })
})

describe('GET /api/tech/integrations/counts', () => {
  it('counts waiting, retrying, failed, sent and received events', async () => {
    await make()
    await make({ tries: 1 })
    await dead()
    await dead({ channel: 'push' })
    await make({ state: 'sent', sent_at: ago(HOUR) })
    await make({ state: 'sent', sent_at: ago(2 * DAY) })
    const { id } = await receive()
    await runWork(server.running.services, { call: 'test' }, (work) =>
      settleInbound(work, id, { status: 'failed', error: 'No.' }),
    )
    await receive({ isSigned: false, kind: 'lead' })
    expect((await operator.send(countIntegrations)).body).toEqual({
      waiting: 1,
      retrying: 1,
      dead: 2,
      sent: 1,
      received: 2,
      troubled: 1,
      kinds: [
        { direction: 'out', kind: 'ad' },
        { direction: 'out', kind: 'push' },
        { direction: 'in', kind: 'lead' },
        { direction: 'in', kind: 'text_message' },
      ],
      deadByKind: [
        { kind: 'ad', count: 1 },
        { kind: 'push', count: 1 },
      ],
    })
  })
})

describe('GET /api/tech/deliveries/:id', () => {
  it.each([
    [
      'mail',
      {
        to: 'robin.vale@example.com',
        subject: 'Your sign-in code',
        text: 'canary 482915',
        headers: { 'X-Key': 'canary' },
      },
      {
        fields: [
          { name: 'to', value: 'r•••@example.com' },
          { name: 'subject', value: 'Your sign-in code' },
          { name: 'text', value: '13 characters' },
        ],
        withheld: ['headers'],
      },
    ],
    [
      'text',
      { to: '+1 415 555 0134', text: 'canary', token: 'canary' },
      {
        fields: [
          { name: 'to', value: '•••34' },
          { name: 'text', value: '6 characters' },
        ],
        withheld: ['token'],
      },
    ],
    [
      'ad',
      { campaignId: 7, accessToken: 'canary' },
      { fields: [{ name: 'campaignId', value: '7' }], withheld: ['accessToken'] },
    ],
    [
      'job',
      { name: 'schedule', data: { runId: 'canary' } },
      {
        fields: [
          { name: 'name', value: 'schedule' },
          { name: 'data', value: 'present' },
        ],
        withheld: [],
      },
    ],
    ['file', 'canary', { fields: [], withheld: ['value'] }],
  ])('shows only the allowed fields of %s', async (channel, payload, view) => {
    const id = await make({ channel, payload, next_try_at: ago(-DAY) })
    const reply = await operator.send(readDelivery, of(id))
    expect(reply.body.payload).toEqual(view)
    // Formatted numbers only: three digits also occur in random keys.
    expect(reply.text).not.toMatch(/canary|robin|415[ -]?555|555[ -]?0134/)
  })

  it('reports a missing encryption key, and a channel that is not connected', async () => {
    const id = await make({})
    await server.db
      .updateTable('outbox')
      .set({ payload: Buffer.from('not sealed by us') })
      .execute()
    const { body } = await operator.send(readDelivery, of(id))
    expect(body).toMatchObject({ isConnected: false, payload: { fields: [] } })
    expect(body.payload.withheld).toEqual(['all fields, because the encryption key was removed'])
  })

  it('returns 404 for an unknown delivery', async () => {
    for (const call of [readDelivery, readInbound]) expect((await operator.send(call, of(999_999))).status).toBe(404)
    expect((await operator.send(retryDelivery, { ...of(999_999), body: {} })).status).toBe(404)
    expect((await operator.send(discardDelivery, { ...of(999_999), body: { reason: 'x' } })).status).toBe(404)
    expect((await operator.send(readDelivery, { params: { id: 'x' } })).status).toBe(400)
  })
})

describe('POST /api/tech/deliveries/:id/retry', () => {
  it('requeues a failed delivery with new attempts and records who did it', async () => {
    const id = await dead()
    const { body } = await operator.send(retryDelivery, { ...of(id), body: {} })
    expect(body).toMatchObject({
      status: 'waiting',
      tries: 10,
      nextTryAt: server.clock.now().toISOString(),
      retried: { at: server.clock.now().toISOString(), by: expect.stringMatching(/^Worker/) },
    })
    const { id: worker_id } = await operator.worker()
    expect(await auditOf(id)).toEqual([{ action: 'delivery_retried', worker_id, reason: null }])
  })

  it.each([
    ['under_way', { tries: 1, leased_until: shift(systemClock.now(), HOUR) }],
    ['sent', { state: 'sent' as const }],
    ['discarded', { state: 'discarded' as const }],
  ])('rejects a delivery that is %s, as does discard', async (code, draft) => {
    const id = await make(draft)
    const before = await server.db.selectFrom('outbox').selectAll().execute()
    const replies = [
      await operator.send(retryDelivery, { ...of(id), body: {} }),
      await operator.send(discardDelivery, { ...of(id), body: { reason: 'x' } }),
    ]
    for (const reply of replies) expect(reply).toMatchObject({ status: 409, failure: { code } })
    expect(await server.db.selectFrom('outbox').selectAll().execute()).toEqual(before)
  })

  it('retries all failed deliveries, or those of one kind', async () => {
    await dead()
    await dead({ channel: 'push' })
    await dead({ channel: 'push' })
    await make({ state: 'discarded' })
    expect((await operator.send(retryDead, { body: { kind: 'push' } })).body).toEqual({ retried: 2 })
    expect((await operator.send(retryDead, { body: {} })).body).toEqual({ retried: 1 })
    expect((await operator.send(retryDead, { body: {} })).body).toEqual({ retried: 0 })
    expect((await operator.send(retryDead, { body: { kind: 'smoke' as never } })).status).toBe(400)
    const { rows } = { rows: await server.db.selectFrom('outbox').select('state').orderBy('id').execute() }
    expect(rows.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting', 'discarded'])
  })
})

describe('POST /api/tech/deliveries/:id/discard', () => {
  it('discards a delivery permanently, with a reason', async () => {
    const id = await dead()
    const { body } = await operator.send(discardDelivery, { ...of(id), body: { reason: 'Wrong campaign' } })
    expect(body).toMatchObject({ status: 'discarded', nextTryAt: null, discarded: { reason: 'Wrong campaign' } })
    expect(await auditOf(id)).toMatchObject([{ action: 'delivery_discarded', reason: 'Wrong campaign' }])
    expect((await operator.send(retryDead, { body: {} })).body).toEqual({ retried: 0 })
  })
  it('requires a reason', async () => {
    const id = await dead()
    for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(301) }])
      expect((await operator.send(discardDelivery, { ...of(id), body: body as never })).status).toBe(400)
  })
})

describe('inbound event', () => {
  it('is stored once per key, with its visible fields', async () => {
    const { id, isKnown } = await receive({ requestId: 'r1', address: '203.0.113.9' })
    expect(isKnown).toBe(false)
    await runWork(server.running.services, { call: 'test' }, (work) => settleInbound(work, id, { status: 'done' }))
    server.clock.advance(MINUTE)
    expect(await receive()).toEqual({ id, isKnown: true })
    const reply = await operator.send(readInbound, of(id))
    expect(reply.body).toMatchObject({
      status: 'done',
      isSigned: true,
      tries: 2,
      lastReceivedAt: server.clock.now().toISOString(),
      payload: {
        fields: [
          { name: 'From', value: '•••34' },
          { name: 'MessageSid', value: 'SM1' },
        ],
        withheld: ['Body'],
      },
    })
    const row = await server.db.selectFrom('inbound_events').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toMatch(/canary|4155/)
  })

  it('that failed shows why, without secrets, and is processed when it is sent again', async () => {
    const { id } = await receive()
    await runWork(server.running.services, { call: 'test' }, (work) =>
      settleInbound(work, id, { status: 'failed', error: 'no customer robin@example.com' }),
    )
    expect((await operator.send(readInbound, of(id))).body.lastError).toBe('no customer r•••@example.com')
    expect((await receive()).isKnown).toBe(false)
  })

  it('without a valid signature is counted per hour, and its content is not stored', async () => {
    server.clock.set('2026-11-16T16:50:00.000Z')
    for (const key of ['a', 'b', 'c']) await receive({ isSigned: false, key })
    server.clock.set(TEST_NOW)
    await receive({ isSigned: false, key: 'd' })
    const { events } = await list({ status: 'rejected' })
    expect(events.map(({ tries }) => tries)).toEqual([1, 3])
    const { body } = await operator.send(readInbound, of(events[0]?.id ?? 0))
    expect(body).toMatchObject({ isSigned: false, payload: { fields: [], withheld: [] } })
  })

  it('with invalid usage events is recorded, and the valid ones are accepted', async () => {
    const good = {
      id: '5f0c1e7a-1b2c-4d3e-8f90-123456789abc',
      action_type: 'search',
      event_outcome: 'success',
      method: 'GET',
      url: '/api/search',
      response_status: 200,
      response_time: 5,
      createdAt: TEST_NOW,
    }
    const reply = await server
      .anonymous()
      .send(
        ingestEvents,
        { body: { events: [good, { ...good, id: 'nonsense' }] } },
        { headers: { 'x-ingest-key': INGEST_KEY } },
      )
    expect(reply.body).toMatchObject({ accepted: 1 })
    expect((await list({ kind: 'usage_events' })).events).toMatchObject([
      { status: 'failed', about: 'Rejected usage events', lastError: 'id: must be a UUID' },
    ])
  })
})

describe('delivery retention', () => {
  it('deletes events after 90 days, except failed deliveries', async () => {
    await make({ about: 'old', state: 'sent', created_at: ago(91 * DAY) })
    await dead({ about: 'failed', created_at: ago(91 * DAY) })
    await make({ about: 'new', state: 'sent', created_at: ago(89 * DAY) })
    await receive()
    await server.db
      .updateTable('inbound_events')
      .set({ received_at: ago(91 * DAY) })
      .execute()
    const run = techSchedules.find(({ name }) => name === 'delivery-retention')?.run
    expect(await run?.(server.running.services)).toEqual({ forgotten: 2 })
    expect(await abouts()).toEqual(['new', 'failed'])
  })
})
