import { exportUser } from '@limber/contract/support/customers/account.ts'
import { unsubscribe } from '@limber/contract/support/notifications/notification.ts'
import {
  rateTicket,
  readRatingPage,
  readRatingSettings,
  saveRatingSettings,
} from '@limber/contract/support/ratings/rating.ts'
import {
  createTicket,
  listTickets,
  readTicket,
  respondToTicket,
  setTicketStatus,
} from '@limber/contract/support/tickets/ticket.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '#platform/clock.ts'
import { suppress, unsubscribeToken } from '#platform/mail/suppressions.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '../customers/customer.factory.ts'
import { askForRatings } from './ask-for-ratings.ts'

let server: TestServer
let agent: TestCaller
let lead: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  agent = awake(server.as('tickets.handle', 'tickets.create'))
  lead = awake(server.as('notifications.send', 'tickets.handle'))
})
afterAll(() => server.stop())

/** A caller who stays signed in while the clock jumps over days. */
const awake = (caller: TestCaller): TestCaller => ({
  worker: () => caller.worker(),
  async send(...given) {
    const { sessionId } = await caller.worker()
    const now = server.clock.now()
    await sql`update sessions set created_at = ${now}, last_seen_at = ${now}, stepped_up_at = ${now} where id = ${sessionId}`.execute(
      server.db,
    )
    return caller.send(...given)
  },
})

const pathOf = (id: number) => ({ params: { id: String(id) } })
const ask = () => askForRatings(server.running.services)
const turnOn = async () => {
  const { isOn, version } = (await lead.send(readRatingSettings)).body
  if (!isOn) await lead.send(saveRatingSettings, { body: { isOn: true, version } })
}
const read = async (id: number) => (await agent.send(readTicket, pathOf(id))).body
const setStatus = (id: number, status: 'open' | 'closed') =>
  agent.send(setTicketStatus, { ...pathOf(id), body: { status } })

let serial = 0
/** A ticket that was answered and closed. */
async function close(email = `rater${++serial}@example.com`, { isAnswered = true } = {}) {
  const { body } = await agent.send(createTicket, {
    body: { customer_email: email, subject: 'Lost <keys>', content: 'Hello', priority: 'low' },
  })
  const workerId = (await agent.worker()).id
  if (isAnswered) await agent.send(respondToTicket, { ...pathOf(body.id), body: { message: 'Found', workerId } })
  await setStatus(body.id, 'closed')
  return body.id
}

/** The emails to an address, opened from the outbox. */
async function ratingMails(ticket: number) {
  const rows = await server.db.selectFrom('outbox').selectAll().where('key', '=', `ticket-rating-${ticket}`).execute()
  return rows.map(({ payload }) => JSON.parse(server.running.services.keyring.open('outbox', payload as Buffer)))
}

async function askedTicket(email?: string) {
  const id = await close(email)
  server.clock.advance(HOUR)
  await ask()
  const [mail] = await ratingMails(id)
  const token = /\/api\/rating\/([\w-]+)\?choice=good/.exec(mail.text)?.[1] ?? ''
  return { id, mail, token }
}

const open = (token: string, choice?: string) =>
  server.anonymous().send(readRatingPage, { params: { token }, ...(choice && { query: { choice } as never }) })
const rate = (token: string, body: Record<string, string>) =>
  server.anonymous().send(
    rateTicket,
    { params: { token } },
    {
      rawBody: new URLSearchParams(body).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
  )

describe('the setting', () => {
  it('is off at first; nobody is asked', async () => {
    expect((await lead.send(readRatingSettings)).body).toEqual({ isOn: false, version: 0 })
    const id = await close()
    server.clock.advance(HOUR)
    expect(await ask()).toEqual({ asked: 0 })
    const on = await lead.send(saveRatingSettings, { body: { isOn: true, version: 0 } })
    expect(on.body).toEqual({ isOn: true, version: 1 })
    expect((await lead.send(saveRatingSettings, { body: { isOn: false, version: 0 } })).failure.code).toBe('stale')
    // It was closed before.
    server.clock.advance(HOUR)
    expect(await ask()).toEqual({ asked: 0 })
    expect((await read(id)).rating).toBeNull()
  })

  it('is closed to others', async () => {
    expect((await agent.send(readRatingSettings)).status).toBe(403)
    expect((await agent.send(saveRatingSettings, { body: { isOn: false, version: 1 } })).status).toBe(403)
  })
})

describe('the question', () => {
  beforeAll(turnOn)

  it('is sent an hour after closing, once a ticket', async () => {
    const id = await close()
    server.clock.advance(59 * MINUTE)
    expect(await ask()).toEqual({ asked: 0 })
    server.clock.advance(MINUTE)
    const runs = await Promise.all([ask(), ask()])
    expect(runs.reduce((sum, { asked }) => sum + asked, 0)).toBe(1)
    const [mail] = await ratingMails(id)
    expect(mail).toMatchObject({ isBulk: true, subject: `How did we do? [#${id}] Lost <keys>` })
    expect(mail.html).toContain('Lost &lt;keys&gt;')
    expect(mail.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    expect((await read(id)).events.map(({ text }) => text)).toContain('Satisfaction email sent')
    await setStatus(id, 'open')
    await setStatus(id, 'closed')
    server.clock.advance(HOUR)
    expect(await ask()).toEqual({ asked: 0 })
  })

  it('is not sent about a ticket that was reopened or never answered', async () => {
    const reopened = await close()
    server.clock.advance(10 * MINUTE)
    await setStatus(reopened, 'open')
    await close(undefined, { isAnswered: false })
    server.clock.advance(HOUR)
    expect(await ask()).toEqual({ asked: 0 })
  })

  it('is never sent to people who opted out, were erased, or whose address bounces', async () => {
    const { keyring } = server.running.services
    const token = unsubscribeToken(keyring, 'mail', 'out@example.com')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const out = await server
      .anonymous()
      .send(unsubscribe, { params: { token } }, { rawBody: 'List-Unsubscribe=One-Click', headers: form })
    expect(out.status).toBe(200)
    const bounce = { channel: 'mail', reason: 'hard_bounce', source: 'test' } as const
    await suppress(server.db, 'bounced@example.com', bounce, server.clock.now())
    const ids = [await close('out@example.com'), await close('bounced@example.com'), await close()]
    await sql`update tickets set customer_email = 'erased-9@erased.invalid' where id = ${ids[2]}`.execute(server.db)
    server.clock.advance(HOUR)
    expect(await ask()).toEqual({ asked: 0 })
    for (const id of ids) expect(await ratingMails(id)).toEqual([])
  })
})

describe('a rating link', () => {
  beforeAll(turnOn)

  it('opens a page that rates nothing, and its button rates', async () => {
    const { id, token } = await askedTicket()
    const page = await open(token, 'good')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain('value="good" required checked')
    expect(page.text).toContain('Lost &lt;keys&gt;')
    expect((await read(id)).rating).toMatchObject({ rating: null, ratedAt: null })
    const rated = await rate(token, { rating: 'good', comment: '  Quick <b>and</b> kind ' })
    expect([rated.status, rated.text]).toEqual([200, expect.stringContaining('You rated our help Good.')])
    expect((await read(id)).rating).toMatchObject({
      rating: 'good',
      comment: 'Quick <b>and</b> kind',
      ratedAt: server.clock.now().toISOString(),
    })
    expect((await open(token)).text).toContain('Quick &lt;b&gt;and&lt;/b&gt; kind')
  })

  it('can change the rating until it expires', async () => {
    const { id, token } = await askedTicket()
    await rate(token, { rating: 'good' })
    server.clock.advance(29 * DAY)
    expect((await open(token)).text).toContain('You rated this Good. You can change it until')
    await rate(token, { rating: 'bad', comment: 'It happened again' })
    expect((await read(id)).rating).toMatchObject({ rating: 'bad', comment: 'It happened again' })
    server.clock.advance(2 * DAY)
    for (const reply of [await open(token), await rate(token, { rating: 'good' })]) {
      expect(reply.status).toBe(404)
      expect(reply.text).toContain('This link has expired. Links work for 30 days.')
    }
    expect((await read(id)).rating).toMatchObject({ rating: 'bad' })
  })

  it('is refused when it is forged, cut or of an erased customer', async () => {
    const { id, token } = await askedTicket()
    const other = unsubscribeToken(server.running.services.keyring, 'mail', 'a@example.com')
    for (const wrong of ['0123456789', token.slice(0, -6), other]) {
      const reply = await rate(wrong, { rating: 'good' })
      expect([reply.status, reply.text]).toEqual([404, expect.stringContaining('This link is not valid.')])
    }
    await sql`update tickets set customer_email = 'erased-7@erased.invalid' where id = ${id}`.execute(server.db)
    expect((await rate(token, { rating: 'good', comment: 'x' })).status).toBe(404)
    expect((await open(token)).status).toBe(404)
    const { rows } = await sql`select rating, comment from ticket_ratings where ticket_id = ${id}`.execute(server.db)
    expect(rows).toEqual([{ rating: null, comment: null }])
  })

  it('asks again for a choice or a shorter comment, and loses nothing', async () => {
    const { id, token } = await askedTicket()
    const nothing = await rate(token, { comment: 'Hello' })
    expect(nothing.text).toContain('Select Good or Bad.')
    expect(nothing.text).toContain('>Hello</textarea>')
    const long = await rate(token, { rating: 'bad', comment: 'x'.repeat(2_001) })
    expect(long.text).toContain('at most 2000 characters')
    expect((await read(id)).rating).toMatchObject({ rating: null })
  })

  it('is in no log, event or audit row', async () => {
    const { id, token } = await askedTicket()
    await rate(token, { rating: 'good', comment: 'Secret words' })
    const { keyring } = server.running.services
    const logged = await server.db
      .selectFrom('email_logs')
      .selectAll()
      .where('outbox_key', '=', `ticket-rating-${id}`)
      .execute()
    expect(logged).toHaveLength(1)
    for (const { content_sealed } of logged) {
      const text = keyring.open('email log content', content_sealed as Buffer)
      expect(text).toContain('[hidden]')
      expect(text).not.toContain(token)
    }
    const { rows } = await sql<{ all: string }>`
      select jsonb_agg(to_jsonb(a))::text || coalesce((select jsonb_agg(to_jsonb(e))::text from events e), '') as all from audit_log a`.execute(
      server.db,
    )
    expect(rows[0]?.all).not.toContain(token)
    expect(rows[0]?.all).not.toContain('Secret words')
  })
})

describe('ratings of a customer', () => {
  beforeAll(turnOn)

  it('are a fact of their tickets, and part of their export', async () => {
    const customer = await makeCustomer(server.db, { email: 'fan@example.com' })
    for (const rating of ['good', 'good', 'bad']) {
      const { token } = await askedTicket('fan@example.com')
      await rate(token, { rating, comment: `It was ${rating}` })
    }
    const { id } = await askedTicket('fan@example.com')
    expect((await read(id)).satisfaction).toEqual({ good: 2, rated: 3 })
    expect((await agent.send(listTickets, { query: { limit: '1' } as never })).status).toBe(200)
    const owner = server.asOwner({ isSteppedUp: true })
    const exported = await owner.send(exportUser, {
      ...pathOf(customer.id),
      body: { reason: 'They asked for it' } as never,
    })
    expect(exported.text).toContain('It was bad')
  })
})
