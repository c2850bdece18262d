// @module-tag slow
import {
  type Audience,
  listNotifications,
  previewNotification,
  readNotification,
  readNotificationChoices,
  sendNotification,
  undoNotification,
} from '@limber/contract/support/notifications/notification.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { DAY, MINUTE, SECOND, shift } from '#platform/clock.ts'
import { runWork } from '#platform/db/work.ts'
import { isSuppressed, suppress } from '#platform/mail/suppressions.ts'
import { startTestServer, TEST_NOW, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeBooking } from '../customers/booking.factory.ts'
import { type CustomerDraft, draftCustomer, makeCustomer } from '../customers/customer.factory.ts'
import { type FakeTwilio, startFakeTwilio } from '../texts/twilio.testing.ts'
import { untilEnded } from './notification.testing.ts'
import { resumeNotifications, sendNotificationNow } from './send-notification.ts'

let server: TestServer
let twilio: FakeTwilio
let sender: TestCaller
let lead: TestCaller
beforeAll(async () => {
  twilio = await startFakeTwilio()
  server = await startTestServer({ env: { ...twilio.env, COMPANY_ADDRESS: '1 Main Street, Riverside' } })
  twilio.follow(server.clock)
  sender = server.as('notifications.view', 'notifications.send')
  lead = server.as('notifications.view')
})
afterAll(async () => {
  await server.stop()
  await twilio.close()
})
beforeEach(async () => {
  server.clock.set(TEST_NOW)
  twilio.feel('well')
  twilio.messages.length = 0
  await sql`truncate notifications, outbox, mailbox, texts, suppressions, rate_limits cascade`.execute(server.db)
  // Customers of earlier tests have ledger entries and cannot be deleted: they are blocked, and their addresses changed.
  await sql`update customers set blocked_at = joined_at, blocked_reason = 'earlier', email = 'earlier-' || id || '@example.com'`.execute(
    server.db,
  )
})

const JOINED = new Date('2026-01-01T00:00:00Z')
let serial = 0
const someone = (draft: CustomerDraft = {}) => ({
  first_name: 'Ann',
  phone: `+1951555${String(++serial).padStart(4, '0')}`,
  joined_at: JOINED,
  email_verified_at: JOINED,
  last_login_at: shift(server.clock.now(), -DAY),
  ...draft,
})
const person = ({ credits = 0, ...draft }: CustomerDraft & { credits?: number } = {}) =>
  makeCustomer(server.db, { ...someone(draft), credits })
const people = (count: number, draft: CustomerDraft = {}) =>
  server.db
    .insertInto('customers')
    .values(Array.from({ length: count }, (_, n) => draftCustomer(someone({ email: `p${n}@example.com`, ...draft }))))
    .execute()
const everyone: Audience = { kind: 'all', zoneId: null, valueTier: null }
const draft = (more: Record<string, unknown> = {}) => ({
  title: 'New times',
  body: 'Hello {first_name}, look in the app.',
  audience: everyone,
  channel: 'mail' as const,
  ...more,
})
const preview = async (more: Record<string, unknown> = {}) =>
  (await sender.send(previewNotification, { body: draft(more) })).body
const reach = async (audience: Partial<Audience>, channel = 'mail') =>
  (await preview({ audience: { ...everyone, ...audience }, channel })).people
const send = (more: Record<string, unknown> = {}) => sender.send(sendNotification, { body: draft(more) })
const read = async (id: number) => (await lead.send(readNotification, { params: { id: String(id) } })).body
const undo = (id: number) => sender.send(undoNotification, { params: { id: String(id) } })
/** Advances the clock to the send time and runs the job. */
const goOut = async (id: number) => {
  server.clock.advance(11 * SECOND)
  await sendNotificationNow(server.running.services, id)
  await server.running.courier.run()
}
const ended = (id: number) => untilEnded(server, () => read(id))
const mails = () => server.db.selectFrom('mailbox').selectAll().orderBy('to_address').execute()

describe('an audience', () => {
  it('matches its definition, and the preview counts it', async () => {
    const zone = await makeZone(server.db)
    await person({ value_tier: 'vip' })
    await person({
      last_login_at: shift(server.clock.now(), -91 * DAY),
      zone_id: zone.id,
      latitude: 33.9,
      longitude: -117.4,
    })
    await person({ last_login_at: null, credits: 3 })
    const booked = await person()
    const at = shift(server.clock.now(), DAY)
    await makeBooking(server.db, {
      customer_id: booked.id,
      zone_id: zone.id,
      starts_at: at,
      ends_at: shift(at, 60 * MINUTE),
      status: 'requested',
      created_at: JOINED,
      stretcher_id: null,
    })
    expect(await reach({ kind: 'all' })).toBe(4)
    expect(await reach({ kind: 'active' })).toBe(2)
    expect(await reach({ kind: 'inactive' })).toBe(2)
    expect(await reach({ kind: 'with_credits' })).toBe(1)
    expect(await reach({ kind: 'upcoming_booking' })).toBe(1)
    expect(await reach({ kind: 'stretchers' })).toBe(0)
    expect(await reach({ zoneId: zone.id })).toBe(1)
    expect(await reach({ valueTier: 'vip' })).toBe(1)
    expect(await reach({ kind: 'inactive', valueTier: 'vip' })).toBe(0)
  })

  it('excludes people who are blocked, have no address or opted out, and counts them', async () => {
    await people(3)
    await person({ blocked_at: JOINED, blocked_reason: 'x' })
    await person({ email_verified_at: null, phone: null })
    const out = { channel: 'mail', reason: 'unsubscribed', source: 'test' } as const
    await suppress(server.db, 'p1@example.com', out, server.clock.now())
    expect(await preview()).toMatchObject({ people: 2, optedOut: 1, withoutAddress: 1, needsPasskey: false })
    expect(await preview({ channel: 'text' })).toMatchObject({ people: 3, optedOut: 0, withoutAddress: 1 })
  })

  it('counts two accounts with one number as one person', async () => {
    await people(2, { phone: '+19515559999' })
    expect(await reach({}, 'text')).toBe(1)
  })

  it('refuses an unknown zone and a text that is too long', async () => {
    expect((await send({ audience: { ...everyone, zoneId: 999_999 } })).failure.code).toBe('no_zone')
    expect((await send({ channel: 'text', body: 'x'.repeat(640) })).failure.code).toBe('too_long')
  })
})

describe('the preview', () => {
  it.each([
    ['Hi {name}', '{name}'],
    ['Hi {First_Name} of {city}, {city}', '{First_Name}, {city}'],
    ['Hi {{first_name}}', '{{first_name}}'],
    ['Hi { first_name }', '{ first_name }'],
    ['Hi {prénom}', '{prénom}'],
  ])('refuses %j because %s is unknown, and names the known placeholders', async (body, found) => {
    const error = `${found} cannot be filled in. Use {first_name}, or remove the braces.`
    for (const call of [previewNotification, sendNotification]) {
      const reply = await sender.send(call, { body: draft({ body }) })
      expect([reply.status, reply.failure]).toMatchObject([
        422,
        { code: 'unknown_placeholder', error, fields: [{ path: 'body', text: error }] },
      ])
    }
    const { failure } = await send({ title: body, body: 'Hello' })
    expect(failure.fields).toEqual([{ path: 'title', text: error }])
    expect(await server.db.selectFrom('notifications').select('id').execute()).toEqual([])
  })
  it('keeps braces that are not placeholders', async () => {
    await person()
    const body = '{first_name}: {} { } {1} {:-} { a\nb } {'
    expect((await preview({ body })).sample.text).toContain('Alex: {} { } {1} {:-} { a\nb } {')
  })
  it('shows the rendered message', async () => {
    const mail = await preview()
    expect(mail.sample.subject).toBe('New times')
    expect(mail.sample.text).toContain('Hello Alex, look in the app.')
    expect(mail.sample.text).toContain('1 Main Street, Riverside')
    const text = await preview({ channel: 'text' })
    expect(text.sample).toEqual({
      subject: null,
      text: 'New times\nHello Alex, look in the app.\nReply STOP to opt out.',
    })
  })
  it('requires the permission to send', async () => {
    expect((await lead.send(previewNotification, { body: draft() })).status).toBe(403)
    expect((await lead.send(sendNotification, { body: draft() })).status).toBe(403)
    expect((await sender.send(readNotificationChoices, {})).body).toMatchObject({
      connected: ['mail', 'text'],
      hasCompanyAddress: true,
    })
  })
})

describe('a notification by email', () => {
  it('waits ten seconds, then goes to everyone once', async () => {
    await people(3)
    const made = (await send({ people: 3 })).body
    expect(made).toMatchObject({
      status: 'scheduled',
      audienceText: 'All customers',
      counts: { people: 3, waiting: 3 },
    })
    expect(made.sendAt).toBe(shift(server.clock.now(), 10 * SECOND).toISOString())
    await sendNotificationNow(server.running.services, made.id)
    expect(await mails()).toHaveLength(0)
    await goOut(made.id)
    const done = await ended(made.id)
    expect(done).toMatchObject({ status: 'sent', counts: { people: 3, waiting: 0, sent: 3, failed: 0, optedOut: 0 } })
    await goOut(made.id)
    expect((await mails()).map(({ to_address }) => to_address)).toEqual([
      'p0@example.com',
      'p1@example.com',
      'p2@example.com',
    ])
    expect((await mails())[0]?.text).toContain('Hello Ann, look in the app.')
    expect(await server.db.selectFrom('email_logs').select('type').execute()).toHaveLength(3)
  })

  it('is sent once by two concurrent senders', async () => {
    await people(250)
    const { id } = (await server.asSteppedUp('notifications.send').send(sendNotification, { body: draft() })).body
    server.clock.advance(11 * SECOND)
    const { services } = server.running
    await Promise.all([
      sendNotificationNow(services, id),
      sendNotificationNow(services, id),
      resumeNotifications(services),
    ])
    await ended(id)
    const addresses = (await mails()).map(({ to_address }) => to_address)
    expect(addresses).toHaveLength(250)
    expect(new Set(addresses).size).toBe(250)
  })

  it('can be undone within ten seconds, and is then never sent', async () => {
    await people(2)
    const { id } = (await send()).body
    expect((await undo(id)).body).toMatchObject({ status: 'undone', stoppedBy: expect.any(String) })
    await goOut(id)
    await resumeNotifications(server.running.services)
    expect(await mails()).toHaveLength(0)
    expect((await undo(id)).body, 'again, it is undone').toMatchObject({ id, status: 'undone' })
    expect((await undo(999_999)).status).toBe(404)
  })

  it('cannot be undone once sending has started', async () => {
    await people(1)
    const { id } = (await send()).body
    await goOut(id)
    expect(await undo(id)).toMatchObject({ status: 409, failure: { error: 'The notification is already being sent.' } })
    expect(await mails()).toHaveLength(1)
  })

  it('is sent at its scheduled time, and can be canceled until then', async () => {
    await people(1)
    const sendAt = shift(server.clock.now(), 10 * MINUTE).toISOString()
    const { id } = (await send({ sendAt })).body
    const other = (await send({ sendAt })).body
    expect((await undo(other.id)).body.status).toBe('cancelled')
    await goOut(id)
    expect(await mails()).toHaveLength(0)
    server.clock.advance(10 * MINUTE)
    await goOut(id)
    expect((await ended(id)).status).toBe('sent')
    expect(await mails()).toHaveLength(1)
  })

  it('is resumed by the schedule when its job was lost', async () => {
    await people(1)
    const { id } = (await send()).body
    server.clock.advance(5 * MINUTE)
    expect(await resumeNotifications(server.running.services)).toMatchObject({ takenUp: 1 })
    await ended(id)
    expect(await mails()).toHaveLength(1)
  })

  it('excludes people who opt out, are blocked or erased between scheduling and sending', async () => {
    await people(3)
    const { id } = (await send()).body
    const out = { channel: 'mail', reason: 'unsubscribed', source: 'test' } as const
    await suppress(server.db, 'p0@example.com', out, server.clock.now())
    await server.db
      .updateTable('customers')
      .set({ blocked_at: server.clock.now(), blocked_reason: 'x' })
      .where('email', '=', 'p1@example.com')
      .execute()
    await goOut(id)
    expect((await ended(id)).counts).toMatchObject({ people: 1, sent: 1, optedOut: 1 })
    expect((await mails()).map(({ to_address }) => to_address)).toEqual(['p2@example.com'])
  })

  it('excludes people who opt out while their email is queued', async () => {
    const { id: customer_id, email } = await person()
    const { id } = (await send()).body
    const now = server.clock.now()
    const sending = { status: 'sending', started_at: now, handed_over_at: now } as const
    await server.db.updateTable('notifications').set(sending).where('id', '=', id).execute()
    const { outbox_key: key } = await server.db
      .insertInto('notification_recipients')
      .values({ notification_id: id, customer_id, state: 'posted' })
      .returning('outbox_key')
      .executeTakeFirstOrThrow()
    await runWork(server.running.services, { call: 'test' }, async ({ enqueue }) => {
      const payload = { to: email, subject: 'New times', text: 'Hello', isBulk: true }
      enqueue({ channel: 'mail', key: String(key), payload, notBefore: shift(now, MINUTE) })
    })
    expect((await read(id)).counts).toMatchObject({ people: 1, waiting: 1 })
    await suppress(server.db, email, { channel: 'mail', reason: 'unsubscribed', source: 'test' }, now)
    server.clock.advance(2 * MINUTE)
    expect((await ended(id)).counts).toMatchObject({ people: 0, sent: 0, optedOut: 1 })
    expect(await mails()).toEqual([])
  })

  it('requires a passkey above 100 people', async () => {
    await people(101)
    expect(await send()).toMatchObject({ status: 403, failure: { code: 'step_up_required' } })
    expect(await server.db.selectFrom('notifications').select('id').execute()).toEqual([])
    const strong = server.asSteppedUp('notifications.send')
    expect((await strong.send(sendNotification, { body: draft() })).status).toBe(200)
    expect(await preview()).toMatchObject({ people: 101, needsPasskey: true })
  })

  it('is not sent when the audience has grown above 100 and no passkey was used', async () => {
    await people(99)
    const sendAt = shift(server.clock.now(), 10 * MINUTE).toISOString()
    const { id } = (await send({ sendAt })).body
    const strong = (await server.asSteppedUp('notifications.send').send(sendNotification, { body: draft({ sendAt }) }))
      .body
    await Promise.all([person(), person()])
    server.clock.advance(10 * MINUTE)
    await goOut(id)
    expect(await read(id)).toMatchObject({
      status: 'failed',
      counts: { people: 101, waiting: 0, sent: 0, failed: 101 },
      failures: [
        {
          reason: 'The audience grew to 101 people. More than 100 require a passkey, and it was created without one.',
          people: 101,
        },
      ],
    })
    await resumeNotifications(server.running.services)
    expect([(await read(id)).counts.people, (await mails()).length]).toEqual([101, 0])
    await goOut(strong.id)
    expect((await ended(strong.id)).counts).toMatchObject({ people: 101, sent: 101 })
  })

  it('reaches recipients locked by a runner that died, although another runner found no one else', async () => {
    await people(3)
    const { id } = (await send()).body
    const { id: held } = await person()
    await server.db.insertInto('notification_recipients').values({ notification_id: id, customer_id: held }).execute()
    const runner = await server.running.services.pool.connect()
    await runner.query('begin')
    await runner.query('select from notification_recipients where customer_id = $1 for update', [held])
    await goOut(id)
    expect((await read(id)).counts).toMatchObject({ people: 4, waiting: 1 })
    await runner.query('rollback')
    runner.release()
    server.clock.advance(3 * MINUTE)
    expect((await ended(id)).counts).toMatchObject({ people: 4, sent: 4 })
  })

  it('refuses an empty audience, a changed audience and invalid times', async () => {
    expect((await send()).failure.code).toBe('nobody')
    await people(20)
    expect(await send({ people: 5 })).toMatchObject({
      status: 409,
      failure: { error: 'The audience has changed to 20 people. Review it and send again.' },
    })
    expect((await send({ people: 19 })).status).toBe(200)
    expect((await send({ sendAt: shift(server.clock.now(), -DAY).toISOString() })).failure.code).toBe('past')
    expect((await send({ sendAt: shift(server.clock.now(), 91 * DAY).toISOString() })).failure.code).toBe('too_far')
    expect((await send({ sendAt: '2026-12-01T09:00' })).status).toBe(400)
    expect((await send({ title: 'a\r\nBcc: x@example.com' })).status).toBe(400)
    expect((await send({ audience: { kind: 'everybody' } })).status).toBe(400)
  })
})

describe('a notification by text message', () => {
  it('counts what the carrier reports', async () => {
    await people(3)
    const { id } = (await send({ channel: 'text' })).body
    await goOut(id)
    const done = await ended(id)
    expect(done).toMatchObject({ status: 'sent', counts: { people: 3, sent: 3, delivered: 0 } })
    expect(twilio.messages).toHaveLength(3)
    expect(twilio.messages[0]?.body).toBe('New times\nHello Ann, look in the app.\nReply STOP to opt out.')
    const [first, second] = twilio.messages
    await server.db
      .updateTable('texts')
      .set({ state: 'delivered' })
      .where('sid', '=', first?.sid ?? '')
      .execute()
    await server.db
      .updateTable('texts')
      .set({ state: 'failed' })
      .where('sid', '=', second?.sid ?? '')
      .execute()
    await resumeNotifications(server.running.services)
    const { counts, failures } = await read(id)
    expect(counts).toEqual({ people: 3, waiting: 0, sent: 2, delivered: 1, failed: 1, optedOut: 0 })
    expect(failures).toEqual([{ reason: 'The carrier could not deliver it.', people: 1 }])
  })

  it('fails when it reached no one', async () => {
    await people(2)
    twilio.feel('bad_number')
    const { id } = (await send({ channel: 'text' })).body
    await goOut(id)
    expect(await ended(id)).toMatchObject({ status: 'failed', counts: { sent: 0, failed: 2 } })
  })

  it('fails instead of sending forever when the service was disconnected', async () => {
    await people(2)
    const { id } = (await send({ channel: 'text' })).body
    server.clock.advance(11 * SECOND)
    await sendNotificationNow({ ...server.running.services, texts: undefined }, id)
    expect(await read(id)).toMatchObject({
      status: 'failed',
      counts: { people: 2, waiting: 0, sent: 0, failed: 2 },
      failures: [{ reason: 'The service was no longer connected.', people: 2 }],
    })
    expect(twilio.messages).toEqual([])
  })
})

describe('GET /api/support/notifications', () => {
  it('pages by ten, newest first, filtered by status and channel', async () => {
    await people(1)
    for (let n = 0; n < 12; n++) {
      server.clock.advance(MINUTE)
      const { id } = (await send({ title: `No. ${n}` })).body
      if (n % 2) await undo(id)
    }
    const all = (await lead.send(listNotifications, {})).body
    expect(all.data.map(({ title }) => title).slice(0, 2)).toEqual(['No. 11', 'No. 10'])
    expect(all).toMatchObject({ pagination: { totalItems: 12, totalPages: 2, limit: 10 } })
    const undone = (await lead.send(listNotifications, { query: { status: 'undone' } })).body
    expect(undone.pagination.totalItems).toBe(6)
    expect((await lead.send(listNotifications, { query: { channel: 'text' } })).body.data).toEqual([])
    expect((await lead.send(listNotifications, { query: { status: 'lost' as never } })).status).toBe(400)
    expect((await server.as('support.tab').send(listNotifications, {})).status).toBe(403)
  })
})

describe('the unsubscribe link in an email', () => {
  const linkOf = async () => {
    await people(1)
    const { id } = (await send()).body
    await goOut(id)
    await ended(id)
    const [mail] = await mails()
    return /Unsubscribe: http:\/\/localhost:3000(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
  }
  const isOut = () => isSuppressed(server.db, 'mail', 'p0@example.com')

  it('changes nothing when it is only opened', async () => {
    const path = await linkOf()
    const page = await fetch(server.url + path, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<button>Unsubscribe</button>')
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(await isOut()).toBe(false)
  })
  it('unsubscribes with one click, without a cookie, an origin or a redirect', async () => {
    const path = await linkOf()
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    const reply = await fetch(server.url + path, { method: 'POST', body, redirect: 'manual' })
    expect(reply.status).toBe(200)
    expect(await isOut()).toBe(true)
    expect((await fetch(server.url + path, { method: 'POST', body })).status).toBe(200)
    expect(await preview()).toMatchObject({ people: 0, optedOut: 1 })
  })
  it('cannot be forged', async () => {
    const path = await linkOf()
    const altered = `${path.slice(0, -4)}AAAA`
    for (const method of ['GET', 'POST']) expect((await fetch(server.url + altered, { method })).status).toBe(404)
    expect(await isOut()).toBe(false)
  })
})
