// @module-tag slow
import {
  type NotificationChannel,
  readNotification,
  sendNotification,
} from '@limber/contract/support/notifications/notification.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE, SECOND } from '#platform/clock.ts'
import { makeMailDelivery } from '#platform/mail/mail.ts'
import { isSuppressed } from '#platform/mail/suppressions.ts'
import type { Deliver } from '#platform/outbox/outbox.ts'
import { makeTextService } from '#platform/outbox/texts.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { type MailServer, type MailServerMode, openMailServer } from '#platform/testing/testing.mail.ts'
import { eventually, startTestServer, TEST_NOW, type TestServer } from '#platform/testing/testing.ts'
import { draftCustomer } from '../customers/customer.factory.ts'
import { makeTextDelivery } from '../texts/deliver-text.ts'
import { type FakeTwilio, type Mood, startFakeTwilio } from '../texts/twilio.testing.ts'
import { untilEnded } from './notification.testing.ts'
import { sendNotificationNow } from './send-notification.ts'

let smtp: MailServer
let twilio: FakeTwilio
let server: TestServer
let carryMail: Deliver
let carryText: Deliver
let logged = ''

const HASTY = 400
/** No server listens on this port. */
const UNREACHABLE = '127.0.0.1:1'
const isSet = <T>(made: T | undefined): T => {
  if (!made) throw new Error('It is set up.')
  return made
}

function mailBy({ isThere = true, isHasty = false }): Deliver {
  const { config, company, db, clock } = server.running.services
  const patience = { connectionTimeout: HASTY, greetingTimeout: HASTY, socketTimeout: HASTY }
  const nowhere = { server: `smtp://${UNREACHABLE}`, label: 'nowhere' }
  const setup = { ...company.current(), ...(!isThere && { mail: nowhere }) }
  return makeMailDelivery(setup, config, db, clock, { timeouts: isHasty ? patience : undefined })
}

function textBy({ isThere = true, isHasty = false }): Deliver {
  const { services } = server.running
  const texts = isSet(services.config.texts)
  const place = { texts: isThere ? texts : { ...texts, url: `http://${UNREACHABLE}` } }
  return makeTextDelivery(services, isSet(makeTextService(place, isHasty ? HASTY : undefined)))
}

beforeAll(async () => {
  ;[smtp, twilio] = await Promise.all([openMailServer(), startFakeTwilio()])
  const log = makeLog('debug', {
    write: (line: string) => {
      logged += line
    },
  } as never)
  server = await startTestServer({
    env: { ...twilio.env, SMTP_URL: smtp.url, COMPANY_ADDRESS: '1 Main Street, Riverside' },
    log,
    channels: {
      mail: (payload, key) => carryMail(payload, key),
      text: (payload, key) => carryText(payload, key),
    },
  })
  twilio.follow(server.clock)
  const joined_at = new Date('2026-01-01T00:00:00Z')
  const people = [0, 1, 2].map((n) =>
    draftCustomer({ email: `p${n}@example.com`, phone: `+1951555000${n}`, joined_at, email_verified_at: joined_at }),
  )
  await server.db.insertInto('customers').values(people).execute()
})
afterAll(async () => {
  await server.stop()
  await Promise.all([smtp.close(), twilio.close()])
})

function mend() {
  smtp.behave('well')
  twilio.feel('well')
  carryMail = mailBy({})
  carryText = textBy({})
}
beforeEach(async () => {
  server.clock.set(TEST_NOW)
  await sql`truncate notifications, outbox, texts, suppressions, rate_limits cascade`.execute(server.db)
  smtp.letters.length = 0
  twilio.messages.length = 0
  mend()
})

const RECIPIENTS = ['p0@example.com', 'p1@example.com', 'p2@example.com']
const NUMBERS = ['+19515550000', '+19515550001', '+19515550002']
const read = async (id: number) =>
  (await server.as('notifications.view').send(readNotification, { params: { id: String(id) } })).body

/** Sends to three people and attempts each delivery once. */
async function goOut(channel: NotificationChannel, title = 'New times', body = 'Look in the app.'): Promise<number> {
  const audience = { kind: 'all', zoneId: null, valueTier: null } as const
  const sender = server.as('notifications.send')
  const { id } = (await sender.send(sendNotification, { body: { title, body, audience, channel } })).body
  server.clock.advance(11 * SECOND)
  await sendNotificationNow(server.running.services, id)
  await eventually(async () => {
    await server.running.courier.run()
    const rows = await server.db
      .selectFrom('outbox')
      .select(['state', 'last_error'])
      .where('channel', '=', channel)
      .execute()
    return rows.length === 3 && rows.every(({ state, last_error }) => state === 'sent' || last_error !== null)
  })
  return id
}
const ended = (id: number) => untilEnded(server, () => read(id))
const none = { waiting: 0, sent: 0, delivered: 0, failed: 0, optedOut: 0, people: 3 }

describe('a notification by email', () => {
  it.each<[string, MailServerMode, { isThere?: boolean; isHasty?: boolean }]>([
    ['is down', 'well', { isThere: false }],
    ['does not respond', 'slow', { isHasty: true }],
    ['defers delivery', 'later', {}],
    ['drops the connection', 'cut', {}],
  ])('reaches everyone once although the mail server %s at first', async (_, mood, how) => {
    smtp.behave(mood)
    carryMail = mailBy(how)
    const id = await goOut('mail')
    expect(await read(id)).toMatchObject({ status: 'sending', counts: { ...none, waiting: 3 } })
    expect(smtp.letters).toEqual([])
    mend()
    server.clock.advance(15 * MINUTE)
    expect(await ended(id)).toMatchObject({ status: 'sent', counts: { ...none, sent: 3 } })
    expect(smtp.letters.map(({ to }) => to).toSorted()).toEqual(RECIPIENTS)
  })

  it('fails when the mail server rejects its content, without suppressing the addresses', async () => {
    smtp.behave('never')
    const id = await goOut('mail')
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      counts: { ...none, failed: 3 },
      failures: [{ reason: expect.stringMatching(/\b55\d\b/), people: 3 }],
    })
    for (const address of RECIPIENTS) expect(await isSuppressed(server.db, 'mail', address)).toBe(false)
  })

  it('suppresses an address that its mail server does not know', async () => {
    smtp.behave('unknown')
    const id = await goOut('mail')
    expect(await ended(id)).toMatchObject({ status: 'failed', counts: { ...none, failed: 3 } })
    for (const address of RECIPIENTS) expect(await isSuppressed(server.db, 'mail', address)).toBe(true)
  })
})

describe('a notification by text message', () => {
  it.each<[string, Mood, { isThere?: boolean; isHasty?: boolean }]>([
    ['is down', 'well', { isThere: false }],
    ['accepts the message and does not respond', 'slow', { isHasty: true }],
    ['is rate-limited (429)', 'busy', {}],
    ['is broken (503)', 'broken', {}],
    ['drops the connection', 'closed', {}],
    ['accepts the message and drops the connection', 'cut', {}],
  ])('reaches everyone once although the service %s at first', async (_, mood, how) => {
    twilio.feel(mood)
    carryText = textBy(how)
    const id = await goOut('text')
    expect(await read(id)).toMatchObject({ status: 'sending', counts: { ...none, waiting: 3 } })
    mend()
    server.clock.advance(15 * MINUTE)
    expect(await ended(id)).toMatchObject({ status: 'sent', counts: { ...none, sent: 3 } })
    expect(twilio.messages.map(({ to }) => to).toSorted()).toEqual(NUMBERS)
  })
})

it('logs neither its text nor its recipients', async () => {
  smtp.behave('later')
  twilio.feel('bad_number')
  const words = ['canary-title', 'canary-body'] as const
  await goOut('mail', ...words)
  await goOut('text', ...words)
  expect(logged).toContain('delivery failed')
  expect(logged).toContain('delivery failed permanently')
  const secret = /canary|p\d@example|1951555000/
  expect(logged).not.toMatch(secret)
  const kept = await server.db.selectFrom('outbox').select(['about', 'last_error', 'payload']).execute()
  expect(
    kept.map(({ about, last_error, payload }) => `${about} ${last_error} ${payload.toString()}`).join(),
  ).not.toMatch(secret)
  // The audit log names the notification by its title and none of its recipients.
  const audit = JSON.stringify(await server.db.selectFrom('audit_log').selectAll().execute())
  expect(audit).not.toMatch(/canary-body|p\d@example|1951555000/)
})
