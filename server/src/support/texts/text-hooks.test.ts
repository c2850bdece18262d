import {
  listMessages,
  receiveMessage,
  receiveMessageState,
  sendMessage,
} from '@limber/contract/support/texts/message.ts'
import { listIntegrations, readInbound } from '@limber/contract/tech/integrations/integration.ts'
import twilioLibrary from 'twilio'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE, shift } from '#platform/clock.ts'
import { isSuppressed } from '#platform/mail/suppressions.ts'
import { makeTextService } from '#platform/outbox/texts.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import {
  eventually,
  startTestServer,
  TEST_NOW,
  TEST_ORIGIN,
  type TestCaller,
  type TestServer,
} from '#platform/testing/testing.ts'
import { makeTextDelivery } from './deliver-text.ts'
import { syncTexts } from './sync-texts.ts'
import { makeText } from './text.factory.ts'
import { insertOutgoing } from './text.queries.ts'
import { type FakeTwilio, startFakeTwilio } from './twilio.testing.ts'

let server: TestServer
let twilio: FakeTwilio
let agent: TestCaller
const ANNA = '+19515550123'
let logged = ''

beforeAll(async () => {
  twilio = await startFakeTwilio()
  const log = makeLog('debug', {
    write: (line: string) => {
      logged += line
    },
  } as never)
  server = await startTestServer({ env: twilio.env, log })
  twilio.follow(server.clock)
  agent = server.as('support.tab')
})
afterAll(async () => {
  await server.stop()
  await twilio.close()
})
beforeEach(async () => {
  server.clock.set(TEST_NOW)
  twilio.feel('well')
  twilio.messages.length = 0
  for (const table of ['outbox', 'inbound_events', 'texts', 'suppressions', 'rate_limits', 'installation'] as const)
    await server.db.deleteFrom(table as 'texts').execute()
})

type Hook = typeof receiveMessage | typeof receiveMessageState
/** Posts like Twilio: a form, signed by its own library. */
async function post(
  call: Hook,
  fields: Record<string, string>,
  { query = '', signature = undefined as string | undefined } = {},
) {
  const signed = twilioLibrary.getExpectedTwilioSignature(twilio.authToken, TEST_ORIGIN + call.path + query, fields)
  const reply = await fetch(server.url + call.path + query, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'x-twilio-signature': signature ?? signed,
    },
    body: new URLSearchParams(fields),
  })
  return { status: reply.status, text: await reply.text(), type: reply.headers.get('content-type') }
}
const SID = `SM${'1'.repeat(32)}`
const arriving = (more: Record<string, string> = {}) => ({
  MessageSid: SID,
  From: ANNA,
  To: twilio.number,
  Body: 'Hello & goodbye? Ünïcode=yes',
  NumMedia: '0',
  ...more,
})
const read = async () => (await agent.send(listMessages, {})).body.messages

describe('POST /api/hooks/twilio/message', () => {
  it('stores a signed message and responds as the service expects', async () => {
    const reply = await post(receiveMessage, arriving())
    expect(reply).toMatchObject({ status: 200, type: 'text/xml; charset=utf-8' })
    expect(reply.text).toContain('<Response></Response>')
    expect(await read()).toMatchObject([
      { sid: SID, from: ANNA, body: 'Hello & goodbye? Ünïcode=yes', state: 'received', isOutgoing: false },
    ])
  })

  it('stores a repeated message once, also under concurrency', async () => {
    await Promise.all(Array.from({ length: 10 }, () => post(receiveMessage, arriving())))
    expect((await post(receiveMessage, arriving())).status).toBe(200)
    expect(await read()).toHaveLength(1)
    const events = await server.db.selectFrom('inbound_events').select(['status', 'times']).execute()
    expect(events).toEqual([{ status: 'done', times: 11 }])
  })

  it.each([
    ['a wrong signature', { signature: 'c2lnbmF0dXJl' }],
    ['a missing signature', { signature: '' }],
    ['a signature for another URL', { query: '?a=1', signature: 'x' }],
  ])('refuses %s and stores nothing', async (_, how) => {
    expect((await post(receiveMessage, arriving(), how)).status).toBeGreaterThanOrEqual(400)
    expect(await read()).toEqual([])
  })
  it('refuses a message that was changed in transit', async () => {
    const signature = twilioLibrary.getExpectedTwilioSignature(
      twilio.authToken,
      TEST_ORIGIN + receiveMessage.path,
      arriving(),
    )
    expect((await post(receiveMessage, arriving({ Body: 'Other words' }), { signature })).status).toBe(403)
    expect(await read()).toEqual([])
    expect(await server.db.selectFrom('inbound_events').select(['is_signed', 'status', 'fields']).execute()).toEqual([
      { is_signed: false, status: 'rejected', fields: [] },
    ])
  })
  it('refuses a signed request that is not a message', async () => {
    expect((await post(receiveMessage, { Hello: 'world' })).status).toBe(400)
    expect((await post(receiveMessage, arriving({ MessageSid: '' }))).status).toBe(400)
  })

  it('treats STOP as an opt-out and START as an opt-in', async () => {
    await post(receiveMessage, arriving({ Body: ' stop ' }))
    expect(await isSuppressed(server.db, 'text', ANNA)).toBe(true)
    const reply = await agent.send(sendMessage, { body: { to: ANNA, body: 'Hello?' } })
    expect(reply).toMatchObject({ status: 422, failure: { code: 'opted_out' } })
    await post(receiveMessage, arriving({ MessageSid: `SM${'2'.repeat(32)}`, Body: 'Start' }))
    expect(await isSuppressed(server.db, 'text', ANNA)).toBe(false)
  })

  it('appears in the integration events without the number or the text', async () => {
    await post(receiveMessage, arriving({ Body: 'canary-words' }))
    const keeper = server.as('integrations.events')
    const { events } = (await keeper.send(listIntegrations, {})).body
    const inbound = events.find(({ about }) => about === 'A text message')
    const detail = await keeper.send(readInbound, { params: { id: String(inbound?.id) } })
    expect(detail.status).toBe(200)
    expect(JSON.stringify([events, detail.body])).not.toMatch(/canary-words|9515550123/)
  })
})

const outgoing = async (state: 'waiting' | 'sent' | 'delivered' = 'waiting') => {
  await makeText(server.db, { sid: SID, is_outgoing: true, from_number: twilio.number, to_number: ANNA, state })
}
const report = (MessageStatus: string, more: Record<string, string> = {}, query = '') =>
  post(receiveMessageState, { MessageSid: SID, MessageStatus, ...more }, { query })
const state = async () => (await read())[0]

describe('POST /api/hooks/twilio/status', () => {
  it('stores the delivery state', async () => {
    await outgoing()
    expect((await report('sent')).status).toBe(200)
    expect(await state()).toMatchObject({ state: 'sent' })
    await report('delivered')
    expect(await state()).toMatchObject({ state: 'delivered', error: null })
  })
  it('ignores a report that arrives out of order', async () => {
    await outgoing()
    await report('delivered')
    await report('sent')
    expect(await state()).toMatchObject({ state: 'delivered' })
  })
  it('explains the reason of a failure', async () => {
    await outgoing('sent')
    await report('undelivered', { ErrorCode: '30006' })
    expect(await state()).toMatchObject({ state: 'failed', error: 'The number is a landline.' })
  })
  it('finds a message without a sid by its key', async () => {
    const key = 'text:early'
    const draft = { from_number: twilio.number, to_number: ANNA, body: 'Hi', worker_id: null, outbox_key: key }
    await insertOutgoing(server.db, [draft], server.clock.now())
    await report('delivered', {}, `?key=${encodeURIComponent(key)}`)
    expect(await read()).toMatchObject([{ sid: SID, state: 'delivered' }])
  })
  it('refuses a wrong signature', async () => {
    await outgoing()
    const reply = await post(receiveMessageState, { MessageSid: SID, MessageStatus: 'delivered' }, { signature: 'no' })
    expect(reply.status).toBe(403)
    expect(await state()).toMatchObject({ state: 'waiting' })
    expect((await report('')).status).toBe(400)
  })
})

describe('the text message sync', () => {
  it('adds messages that no webhook delivered, page by page, once', async () => {
    for (let n = 0; n < 1_203; n++) twilio.receive(ANNA, `No. ${n}`, shift(server.clock.now(), -n * MINUTE))
    const { services } = server.running
    expect(await syncTexts(services)).toEqual({ added: 1_203, changed: 0 })
    expect(await syncTexts(services)).toEqual({ added: 0, changed: 0 })
    expect(new Set(twilio.pageSizes.slice(-3))).toEqual(new Set([500]))
  })
  it('honors a STOP that no webhook delivered', async () => {
    twilio.receive(ANNA, 'Stop', shift(server.clock.now(), -5 * MINUTE))
    await syncTexts(server.running.services)
    const reply = await agent.send(sendMessage, { body: { to: ANNA, body: 'Hello?' } })
    expect(reply).toMatchObject({ status: 422, failure: { code: 'opted_out' } })
  })
  it('applies the latest request, whatever way and order the messages came in', async () => {
    twilio.receive(ANNA, 'STOP', shift(server.clock.now(), -9 * MINUTE))
    await post(receiveMessage, arriving({ Body: 'START' }))
    await syncTexts(server.running.services)
    expect(await isSuppressed(server.db, 'text', ANNA)).toBe(false)
    twilio.receive(ANNA, 'START', shift(server.clock.now(), 1 * MINUTE))
    twilio.receive(ANNA, 'STOP', shift(server.clock.now(), 2 * MINUTE))
    await syncTexts(server.running.services)
    expect(await isSuppressed(server.db, 'text', ANNA)).toBe(true)
  })
  it('moves states forward and leaves erased messages', async () => {
    await outgoing('sent')
    await server.db.updateTable('texts').set({ body: '[Erased]', to_number: 'erased' }).execute()
    const created = shift(server.clock.now(), -1 * DAY)
    twilio.messages.push({
      sid: SID,
      to: ANNA,
      from: twilio.number,
      body: 'secret',
      direction: 'outbound-api',
      status: 'delivered',
      statusUrl: '',
      error_code: null,
      created,
    })
    expect(await syncTexts(server.running.services)).toEqual({ added: 0, changed: 1 })
    expect(await read()).toMatchObject([{ state: 'delivered', body: '[Erased]', to: 'erased' }])
  })
  it('keeps one row for a message whose connection was cut', async () => {
    await makeText(server.db, { from_number: ANNA, sent_at: shift(server.clock.now(), -DAY) })
    twilio.feel('cut')
    await agent.send(sendMessage, { body: { to: ANNA, body: 'Cut off' } })
    await eventually(
      async () => (await server.db.selectFrom('outbox').select('last_error').executeTakeFirst())?.last_error,
    )
    twilio.feel('well')
    await syncTexts(server.running.services)
    server.clock.advance(15 * MINUTE)
    await server.running.courier.run()
    await eventually(async () => (await read()).length === 2)
    expect(twilio.messages).toHaveLength(1)
  })
})

describe('a service that does not respond', () => {
  it('times out, and is checked before a retry', async () => {
    const { services } = server.running
    const hasty = makeTextService(services.config, 150)
    if (!hasty) throw new Error('It is set up.')
    const deliver = makeTextDelivery(services, hasty)
    const key = 'text:slow'
    const draft = { from_number: twilio.number, to_number: ANNA, body: 'Slow', worker_id: null, outbox_key: key }
    await insertOutgoing(server.db, [draft], server.clock.now())
    twilio.feel('slow')
    await expect(deliver({}, key)).rejects.toThrow(/timeout/)
    twilio.feel('well')
    expect(await deliver({}, key)).toEqual({ outsideId: twilio.messages[0]?.sid })
    expect(twilio.messages).toHaveLength(1)
  })
})

it('logs no number and no text', async () => {
  twilio.feel('bad_number')
  await makeText(server.db, { from_number: ANNA })
  await agent.send(sendMessage, { body: { to: ANNA, body: 'canary-in-the-log' } })
  await eventually(
    async () => (await server.db.selectFrom('outbox').select('state').executeTakeFirst())?.state === 'dead',
  )
  await post(receiveMessage, arriving({ Body: 'canary-in-the-log' }))
  expect(logged).toContain('delivery')
  expect(logged).not.toMatch(/canary|9515550123/)
})

it('says that no service is connected', async () => {
  const plain = await startTestServer()
  const worker = plain.as('support.tab')
  expect((await worker.send(listMessages, {})).body).toMatchObject({
    isConnected: false,
    ownNumber: null,
    messages: [],
  })
  const reply = await worker.send(sendMessage, { body: { to: ANNA, body: 'Hello' } })
  expect(reply).toMatchObject({
    status: 503,
    failure: { error: 'Text messages are not connected. Set up a text message service first.' },
  })
  const hook = await fetch(plain.url + receiveMessage.path, { method: 'POST', body: new URLSearchParams(arriving()) })
  expect(hook.status).toBe(503)
  await plain.stop()
})
