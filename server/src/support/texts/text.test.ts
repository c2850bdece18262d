import { eraseUser } from '@limber/contract/support/customers/account.ts'
import { listMessages, listUserMessages, sendMessage } from '@limber/contract/support/texts/message.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE, shift } from '#platform/clock.ts'
import { suppress } from '#platform/mail/suppressions.ts'
import { eventually, startTestServer, TEST_NOW, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '../customers/customer.factory.ts'
import { packCursor } from './page-token.ts'
import { makeText } from './text.factory.ts'
import { type FakeTwilio, startFakeTwilio } from './twilio.testing.ts'

let server: TestServer
let twilio: FakeTwilio
let agent: TestCaller
const ANNA = '+19515550123'
const BEN = '+19515550124'

beforeAll(async () => {
  twilio = await startFakeTwilio()
  server = await startTestServer({ env: twilio.env })
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
  for (const table of ['outbox', 'texts', 'suppressions', 'rate_limits'] as const)
    await server.db.deleteFrom(table as 'texts').execute()
  await server.db.deleteFrom('customers').execute()
})

const ago = (minutes: number) => shift(server.clock.now(), -minutes * MINUTE)
const many = async (count: number, number = ANNA) => {
  for (let n = 0; n < count; n++) await makeText(server.db, { body: `No. ${n}`, from_number: number, sent_at: ago(n) })
}
const read = async (pageToken = '', number = '') =>
  (await agent.send(listMessages, { query: { pageToken, number } })).body
const bodies = ({ messages }: { messages: { body: string }[] }) => messages.map(({ body }) => body)

describe('GET /api/support/messages/get', () => {
  it('shows messages newest first with our own number', async () => {
    await makeText(server.db, { body: 'first', sent_at: ago(5) })
    await makeText(server.db, {
      body: 'second',
      is_outgoing: true,
      from_number: twilio.number,
      to_number: ANNA,
      sent_at: ago(4),
    })
    const page = await read()
    expect(page).toMatchObject({
      ownNumber: twilio.number,
      isConnected: true,
      nextPageToken: null,
      prevPageToken: null,
    })
    expect(page.messages).toMatchObject([
      { body: 'second', isOutgoing: true, state: 'delivered', from: twilio.number, to: ANNA },
      { body: 'first', isOutgoing: false, state: 'received', from: ANNA, dateSent: ago(5).toISOString() },
    ])
  })

  it('pages to the end and back by tokens without losing or repeating a message', async () => {
    await many(120)
    const first = await read()
    const second = await read(first.nextPageToken ?? '')
    const third = await read(second.nextPageToken ?? '')
    expect(first.prevPageToken).toBeNull()
    expect(third.nextPageToken).toBeNull()
    const all = [...bodies(first), ...bodies(second), ...bodies(third)]
    expect(all).toEqual(Array.from({ length: 120 }, (_, n) => `No. ${n}`))
    const back = await read(third.prevPageToken ?? '')
    expect(bodies(back)).toEqual(bodies(second))
    const front = await read(back.prevPageToken ?? '')
    expect(bodies(front)).toEqual(bodies(first))
    expect(front.prevPageToken).toBeNull()
  })

  it('pages correctly through messages with the same time', async () => {
    for (let n = 0; n < 60; n++) await makeText(server.db, { body: `No. ${n}`, sent_at: ago(1) })
    const first = await read()
    const second = await read(first.nextPageToken ?? '')
    expect(new Set([...bodies(first), ...bodies(second)]).size).toBe(60)
  })

  it('filters one conversation, whose tokens are invalid elsewhere', async () => {
    await many(60)
    await many(60, BEN)
    const ben = await read('', BEN)
    expect(ben.messages.every(({ from }) => from === BEN)).toBe(true)
    expect(bodies(await read(ben.nextPageToken ?? '', BEN))).toHaveLength(10)
    const other = await agent.send(listMessages, { query: { pageToken: ben.nextPageToken ?? '', number: ANNA } })
    expect(other).toMatchObject({ status: 400, failure: { code: 'bad_token' } })
  })

  it.each([
    ['a made-up one', () => 'abc'],
    ['an empty signature', () => `${Buffer.from('["older",1,1]').toString('base64url')}.`],
    [
      'another key',
      () =>
        packCursor({ ...server.running.services.keyring, sign: () => 'x' }, 'texts ', {
          way: 'older',
          at: ago(1),
          id: 1,
        }),
    ],
    ['an address', () => 'https://example.com/Messages.json?PageToken=PA1'],
  ])('refuses a token that is %s', async (_, make) => {
    const reply = await agent.send(listMessages, { query: { pageToken: make() } })
    expect(reply).toMatchObject({ status: 400, failure: { code: 'bad_token' } })
  })

  it('names the customer only to workers who may see accounts', async () => {
    const { id } = await makeCustomer(server.db, { phone: ANNA })
    await makeText(server.db, { from_number: ANNA })
    const lead = await server.as('support.tab', 'users.overview').send(listMessages, {})
    expect(lead.body.messages[0]?.customer).toEqual({ id, name: expect.any(String) })
    expect((await read()).messages[0]?.customer).toBeNull()
  })

  it('refuses callers without the permission', async () => {
    expect((await server.as('users.overview').send(listMessages, {})).status).toBe(403)
  })
})

describe('GET /api/support/users/:id/messages', () => {
  it("shows only the messages with the customer's number", async () => {
    const { id } = await makeCustomer(server.db, { phone: ANNA })
    await makeText(server.db, { from_number: ANNA, body: 'mine' })
    await makeText(server.db, { from_number: BEN, body: 'not mine' })
    const reply = await server
      .as('support.tab', 'users.directory')
      .send(listUserMessages, { params: { id: String(id) } })
    expect(bodies(reply.body)).toEqual(['mine'])
    expect(reply.body).toMatchObject({ phone: ANNA, name: expect.any(String) })
  })
  it('is empty for a customer without a number, and 404 for an unknown one', async () => {
    const { id } = await makeCustomer(server.db, { phone: null })
    await makeText(server.db)
    const who = server.as('support.tab', 'users.overview')
    expect((await who.send(listUserMessages, { params: { id: String(id) } })).body.messages).toEqual([])
    expect((await who.send(listUserMessages, { params: { id: '999999' } })).status).toBe(404)
  })
  it('requires both the permission for text messages and one for accounts', async () => {
    const { id } = await makeCustomer(server.db, { phone: ANNA })
    await makeText(server.db, { from_number: ANNA, body: 'canary' })
    const of = { params: { id: String(id) } }
    const replies = [
      await server.as('users.overview').send(listUserMessages, of),
      await server.as('users.directory').send(listUserMessages, of),
      await agent.send(listUserMessages, of),
    ]
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 404])
    for (const { text } of replies) expect(text).not.toMatch(/canary|Jordan/)
  })
})

const send = (body: Record<string, unknown> = {}) =>
  agent.send(sendMessage, { body: { to: ANNA, body: 'Nine is fine.', ...body } })
const row = async () => (await read()).messages[0]
const handedOver = () =>
  eventually(async () => {
    const first = await row()
    return first?.sid ? first : undefined
  })
const carry = async () => {
  server.clock.advance(15 * MINUTE)
  await server.running.courier.run()
}

describe('POST /api/support/messages/send', () => {
  beforeEach(async () => {
    twilio.messages.length = 0
    await makeText(server.db, { from_number: ANNA, sent_at: ago(60) })
  })

  it('sends the message and stores its sid', async () => {
    const reply = await send()
    expect(reply).toMatchObject({
      status: 200,
      body: { state: 'waiting', isOutgoing: true, from: twilio.number, to: ANNA },
    })
    const sent = await handedOver()
    expect(twilio.messages).toMatchObject([{ sid: sent.sid, to: ANNA, from: twilio.number, body: 'Nine is fine.' }])
    expect(twilio.messages[0]?.statusUrl).toContain('http://localhost:3000/api/hooks/twilio/status?key=text')
  })

  it.each(['busy', 'broken', 'closed', 'cut'] as const)(
    'sends once although the service is %s at first',
    async (mood) => {
      twilio.feel(mood)
      await send()
      await eventually(
        async () => (await server.db.selectFrom('outbox').select('last_error').executeTakeFirst())?.last_error,
      )
      twilio.feel('well')
      await carry()
      const sent = await handedOver()
      expect(twilio.messages).toMatchObject([{ sid: sent.sid, body: 'Nine is fine.' }])
    },
  )

  it('sends the same text twice when requested twice', async () => {
    twilio.feel('cut')
    await send()
    await eventually(
      async () => (await server.db.selectFrom('outbox').select('last_error').executeTakeFirst())?.last_error,
    )
    twilio.feel('well')
    await send()
    await eventually(async () => twilio.messages.length === 2)
    await carry()
    await eventually(async () => (await read()).messages.filter(({ sid }) => sid).length === 3)
    expect(new Set((await read()).messages.map(({ sid }) => sid)).size).toBe(3)
    expect(twilio.messages).toHaveLength(2)
  })

  it('fails for good when the number does not exist, and gives the reason without the number', async () => {
    twilio.feel('bad_number')
    await send()
    const failed = await eventually(async () => (await row())?.state === 'failed' && row())
    expect(failed.error).toBe('The number is not valid.')
    expect(await server.db.selectFrom('outbox').select(['state', 'tries']).execute()).toEqual([
      { state: 'dead', tries: 1 },
    ])
  })

  it('sends nothing again for the same idempotency key', async () => {
    const headers = { 'idempotency-key': 'one-answer' }
    const body = { to: ANNA, body: 'Once' }
    await agent.send(sendMessage, { body }, { headers })
    await agent.send(sendMessage, { body }, { headers })
    await eventually(async () => (await row())?.sid)
    expect(twilio.messages).toHaveLength(1)
  })

  it('refuses an unknown number and one that opted out', async () => {
    expect(await send({ to: BEN })).toMatchObject({ status: 422, failure: { code: 'unknown_number' } })
    await suppress(server.db, ANNA, { channel: 'text', reason: 'stop_word', source: 'test' }, server.clock.now())
    expect(await send()).toMatchObject({ status: 422, failure: { code: 'opted_out' } })
    expect(await server.db.selectFrom('outbox').select('id').execute()).toEqual([])
  })

  it.each([
    ['a number without country code', { to: '951 555 0123' }],
    ['an empty text', { body: '' }],
    ['a text that is too long', { body: 'x'.repeat(1_601) }],
    ['an unknown field', { extra: 1 }],
    ['control characters', { body: 'a\u0000b' }],
  ])('refuses %s', async (_, wrong) => {
    expect((await send(wrong)).status).toBe(400)
  })
})

describe('an erased customer', () => {
  it('is erased from text messages, and stays erased after a sync', async () => {
    const { id, email } = await makeCustomer(server.db, { phone: ANNA, email: 'anna@example.com' })
    await makeText(server.db, { from_number: ANNA, body: 'canary' })
    const lead = server.asSteppedUp('users.overview')
    const reply = await lead.send(eraseUser, { params: { id: String(id) }, body: { email, reason: 'Asked for it' } })
    expect(reply.status).toBe(200)
    expect((await read()).messages).toMatchObject([{ body: '[Erased]', from: 'erased', to: twilio.number }])
  })
})
