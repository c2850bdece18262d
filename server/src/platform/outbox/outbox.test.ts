import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Clock, fixedClock } from '../clock.ts'
import { type OutboxMessage, runWork } from '../db/work.ts'
import { openMailServer } from '../testing/testing.mail.ts'
import { eventually, startTestServer, type TestServer } from '../testing/testing.ts'
import { type Deliver, makeOutboxCourier, RetryLaterError } from './outbox.ts'
import { UndeliverableError } from './undeliverable.ts'

let deliver: Deliver = async () => ({})
const seen: { payload: unknown; key: string }[] = []
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({
    channels: {
      text: (payload, key) => {
        seen.push({ payload, key })
        return deliver(payload, key)
      },
    },
  })
})
afterAll(() => server.stop())
afterEach(() => {
  seen.length = 0
  deliver = async () => ({})
})

const post = (message: Partial<OutboxMessage>, fail = false) =>
  runWork(server.running.services, { call: 'test' }, async (work) => {
    work.enqueue({ channel: 'text', key: 'k', payload: { to: 'x' }, ...message })
    if (fail) throw new Error('rolled back')
  })
const row = (key: string) => server.db.selectFrom('outbox').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
const { run } = { run: () => server.running.courier.run() }

describe('the outbox', () => {
  it('delivers right after the commit', async () => {
    await post({ key: 'wake', payload: { hello: 'ä' } })
    await eventually(async () => seen.find((each) => each.key === 'wake'))
    expect(seen).toEqual([{ key: 'wake', payload: { hello: 'ä' } }])
    expect(
      (await eventually(async () => ((await row('wake')).state === 'sent' ? await row('wake') : undefined))).tries,
    ).toBe(1)
  })
  it('delivers nothing from a rolled-back transaction', async () => {
    await expect(post({ key: 'gone' }, true)).rejects.toThrow()
    await run()
    expect(seen).toEqual([])
  })
  it('stores one message per key', async () => {
    await post({ key: 'twice' })
    await post({ key: 'twice', payload: 'other' })
    await run()
    expect(seen.filter((each) => each.key === 'twice')).toHaveLength(1)
  })
  it('does not retry a message that was discarded during delivery', async () => {
    deliver = async () => {
      await server.db.updateTable('outbox').set({ state: 'discarded' }).where('key', '=', 'taken').execute()
      throw new Error('no answer')
    }
    await post({ key: 'taken' })
    await run()
    expect(await row('taken')).toMatchObject({ state: 'discarded', tries: 1 })
  })
  it('encrypts the payload', async () => {
    await post({ key: 'sealed', payload: { code: 'canary-481516' } })
    expect((await row('sealed')).payload.toString('latin1')).not.toContain('canary')
    await run()
  })
  it('retries with backoff, then marks the message as failed', async () => {
    deliver = async () => {
      throw new Error('the line is busy')
    }
    await post({ key: 'busy' })
    await eventually(async () => (await row('busy')).last_error)
    await run()
    expect(await row('busy')).toMatchObject({ state: 'waiting', last_error: 'the line is busy', tries: 1 })
    for (let i = 0; i < 12; i++) {
      server.clock.advance(61 * 60_000)
      await run()
    }
    expect(await row('busy')).toMatchObject({ state: 'dead', tries: 10 })
  })
  it('does not count tries that are asked to wait, for up to a day', async () => {
    let isReady = false
    deliver = async () => {
      if (!isReady) throw new RetryLaterError('still preparing', 20_000)
      throw new Error('the line is busy')
    }
    await post({ key: 'early' })
    await eventually(async () => (await row('early')).last_error)
    for (let i = 0; i < 30; i++) {
      server.clock.advance(21_000)
      await run()
    }
    expect(await row('early')).toMatchObject({ state: 'waiting', tries: 31, last_error: 'still preparing' })
    isReady = true
    server.clock.advance(21_000)
    await run()
    expect(await row('early')).toMatchObject({ state: 'waiting', last_error: 'the line is busy' })
    isReady = false
    server.clock.advance(24 * 60 * 60_000)
    await run()
    expect(await row('early')).toMatchObject({ state: 'dead', last_error: 'still preparing' })
  })
  it('fails at once on a permanent rejection', async () => {
    deliver = async () => {
      throw new UndeliverableError('no such number')
    }
    await post({ key: 'refused' })
    const dead = await eventually(async () =>
      (await row('refused')).state === 'dead' ? await row('refused') : undefined,
    )
    expect(dead).toMatchObject({ tries: 1, last_error: 'no such number' })
  })
  it('does not deliver before the requested time', async () => {
    await post({ key: 'later', notBefore: new Date(server.clock.now().getTime() + 60_000) })
    await run()
    expect(seen).toEqual([])
    server.clock.advance(61_000)
    await run()
    expect(seen).toHaveLength(1)
  })
  it('times out a hanging delivery before its lease expires, and retries', async () => {
    deliver = () => new Promise(() => {})
    const wait = globalThis.setTimeout
    const waits = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((go: () => void, ms = 0) =>
      // Shortens timeouts between one minute and the lease of two minutes.
      wait(go, ms >= 60_000 && ms < 120_000 ? 20 : ms)) as typeof setTimeout)
    try {
      await post({ key: 'hangs' })
      await eventually(async () => (await row('hangs')).last_error)
    } finally {
      waits.mockRestore()
    }
    expect(await row('hangs')).toMatchObject({
      state: 'waiting',
      last_error: 'No response in time.',
      leased_until: null,
    })
  })
  it('takes over a message whose courier died', async () => {
    const hanging = Promise.withResolvers<Record<string, never>>()
    deliver = () => hanging.promise
    await post({ key: 'lost' })
    await eventually(async () => seen.some((each) => each.key === 'lost'))
    const second = startCourierElsewhere(server.clock)
    server.clock.advance(3 * 60_000)
    // The lease expires by the database's clock, not by the couriers' clocks.
    await second.run()
    expect(await row('lost')).toMatchObject({ state: 'waiting', tries: 1 })
    await sql`update outbox set leased_until = clock_timestamp() where key = 'lost'`.execute(server.db)
    await second.run()
    expect(await row('lost')).toMatchObject({ state: 'sent', tries: 2 })
    await second.close()
    hanging.resolve({})
  })
  it.each([130_000, -130_000])('is sent once by two couriers whose clocks are %i ms apart', async (apart) => {
    const carried: string[] = []
    const hanging = Promise.withResolvers<Record<string, never>>()
    deliver = () => hanging.promise
    const key = `apart ${apart}`
    await post({ key, notBefore: new Date(server.clock.now().getTime() - 10 * 60_000) })
    await eventually(async () => seen.some((each) => each.key === key))
    const second = startCourierElsewhere(fixedClock(new Date(server.clock.now().getTime() + apart)), carried)
    await second.run()
    expect(carried).toEqual([])
    hanging.resolve({})
    await eventually(async () => (await row(key)).state === 'sent')
    await second.run()
    expect({ seen: seen.map((each) => each.key), carried }).toEqual({ seen: [key], carried: [] })
    await second.close()
  })
})

const startCourierElsewhere = (clock: Clock, carried: string[] = []) =>
  makeOutboxCourier(
    { ...server.running.services, clock },
    {
      text: async (_, key) => {
        carried.push(key)
        return {}
      },
    },
  )

describe('email', () => {
  it('is sent over SMTP with a stable Message-ID', async () => {
    const smtp = await openMailServer()
    const other = await startTestServer({
      env: { SMTP_URL: smtp.url, MAIL_FROM: 'Limber <desk@example.com>' },
    })
    await runWork(other.running.services, { call: 'test' }, async ({ enqueue: send }) => {
      send({
        channel: 'mail',
        key: 'welcome-1',
        payload: { to: 'robin@example.com', subject: 'Grüße', text: 'Hello Robin' },
      })
    })
    const [letter] = await eventually(async () => smtp.letters.length > 0 && smtp.letters)
    const mail = await PostalMime.parse(letter?.raw ?? '')
    expect(mail).toMatchObject({
      subject: 'Grüße',
      from: { address: 'desk@example.com' },
      messageId: `<${Buffer.from('welcome-1').toString('base64url')}@localhost>`,
    })
    expect(mail.text?.trim()).toBe('Hello Robin')
    await other.stop()
    await smtp.close()
  })
  it('is not sent with a line break in its subject', async () => {
    const smtp = await openMailServer()
    const other = await startTestServer({ env: { SMTP_URL: smtp.url } })
    const { services } = other.running
    const send = (key: string, subject: string) =>
      runWork(services, { call: 'test' }, async (work) =>
        work.enqueue({ channel: 'mail', key, payload: { to: 'robin@example.com', subject, text: 'Hello' } }),
      )
    await send('broken', 'Hi\r\nBcc: everybody@example.com')
    await send('whole', 'Hi')
    await eventually(async () => smtp.letters.length > 0)
    const states = other.db.selectFrom('outbox').select(['key', 'state']).orderBy('key')
    const all = await eventually(async () => {
      const rows = await states.execute()
      return rows.every(({ state }) => state !== 'waiting') && rows
    })
    expect(all).toEqual([
      { key: 'broken', state: 'dead' },
      { key: 'whole', state: 'sent' },
    ])
    expect(smtp.letters).toHaveLength(1)
    await other.stop()
    await smtp.close()
  })
  it('stays in the local mailbox when no SMTP server is set up', async () => {
    await post({ channel: 'mail', key: 'local-1', payload: { to: 'robin@example.com', subject: 'Hi', text: 'Hello' } })
    const mail = await eventually(() => server.db.selectFrom('mailbox').selectAll().executeTakeFirst())
    expect(mail).toMatchObject({ to_address: 'robin@example.com', subject: 'Hi', text: 'Hello' })
  })
})
