import { readTicket, respondToTicket } from '@limber/contract/support/ticket.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'
import { makeMailDelivery } from '#platform/mail.ts'
import type { Deliver } from '#platform/outbox.ts'
import { type MailServer, openMailServer } from '#platform/testing.mail.ts'
import { eventually, startTestServer, type TestServer } from '#platform/testing.ts'
import { makeTicket } from './ticket.factory.ts'

let smtp: MailServer
let server: TestServer
let carry: Deliver
const logged: string[] = []
/** Nothing listens there. */
const NOBODY = 'smtp://127.0.0.1:1'

const carryWith = (more: { smtpUrl?: string }, patience?: number): Deliver => {
  const { config, db, clock } = server.running.services
  const hasty = patience && { connectionTimeout: patience, greetingTimeout: patience, socketTimeout: patience }
  const made = makeMailDelivery({ ...config, ...more }, db, clock, hasty || undefined)
  if (!made) throw new Error('It is set up.')
  return made
}

beforeAll(async () => {
  smtp = await openMailServer()
  const note = (text: string, more?: object) => void logged.push(`${text} ${JSON.stringify(more ?? {})}`)
  const log = { error: note, warn: note, info: note, debug: note } as Log
  const channels = { mail: (payload: unknown, key: string) => carry(payload, key) }
  server = await startTestServer({ env: { SMTP_URL: smtp.url }, log, channels })
})
beforeEach(() => {
  smtp.letters.length = 0
  smtp.feel('well')
  carry = carryWith({})
})
afterAll(async () => {
  await server.stop()
  await smtp.close()
})

const sender = async () => {
  const caller = server.as('tickets.handle')
  const { id: workerId } = await caller.worker()
  const respond = (ticket: { id: number }, body: Record<string, unknown>) =>
    caller.send(respondToTicket, { params: { id: String(ticket.id) }, body: { workerId, ...body } as never })
  return { caller, workerId, respond }
}
const header = (letter: string, name: string) =>
  new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(letter)?.[1]?.replace(/\r\n\s+/g, ' ')

describe('POST /api/support/tickets/{id}/respond', () => {
  it('adds the reply, keeps the status, and the customer no longer waits', async () => {
    const { respond, workerId } = await sender()
    const ticket = await makeTicket(server.db)
    const { body } = await respond(ticket, { message: '  We are <b>sorry</b>.  ' })
    expect(body).toMatchObject({ status: 'open', waitingSince: null, messageCount: 2 })
    expect(body.messages[1]).toMatchObject({
      from_customer: false,
      content: 'We are <b>sorry</b>.',
      worker: { id: workerId },
    })
  })
  it('sends mails that belong together, with what was typed as text', async () => {
    const { respond } = await sender()
    const ticket = await makeTicket(server.db, { subject: 'Thread', customer_email: 'thread@example.com' })
    await respond(ticket, { message: 'First <script>' })
    await server.running.courier.run()
    await respond(ticket, { message: 'Second' })
    await server.running.courier.run()
    const [first = '', second = ''] = await eventually(async () => {
      const own = smtp.letters.filter(({ to }) => to === 'thread@example.com')
      return own.length === 2 && own.map(({ raw }) => raw)
    })
    expect(header(first, 'Subject')).toBe(`Re: [#${ticket.id}] Thread`)
    expect(first).toContain('First &lt;script&gt;')
    const messageId = header(first, 'Message-ID')
    expect(messageId).toMatch(/^<.+@localhost>$/)
    expect(header(second, 'In-Reply-To')).toBe(messageId)
    expect(header(second, 'References')).toBe(messageId)
    const { body } = await server.as('tickets.handle').send(readTicket, { params: { id: String(ticket.id) } })
    expect(body.messages.map(({ delivery }) => delivery)).toEqual([null, 'sent', 'sent'])
  })
  it.each(['closed', 'in_progress'] as const)('sends and sets %s', async (status) => {
    const { respond } = await sender()
    const ticket = await makeTicket(server.db)
    const { body } = await respond(ticket, { message: 'Done.', status })
    expect(body).toMatchObject({ status, version: ticket.version + 2 })
  })
  it('needs the worker, who can only be the caller', async () => {
    const { respond, workerId } = await sender()
    const ticket = await makeTicket(server.db)
    for (const claim of [undefined, null])
      expect(await respond(ticket, { message: 'x', workerId: claim })).toMatchObject({
        status: 400,
        failure: { error: 'No worker information available' },
      })
    const colleague = await server.signIn(['tickets.handle'])
    expect((await respond(ticket, { message: 'x', workerId: colleague.id })).status).toBe(403)
    expect((await respond(ticket, { message: 'x', workerId: String(workerId) })).status).toBe(200)
  })
  it('sends nothing when somebody replied meanwhile, and hands over what they wrote', async () => {
    const [one, other] = [await sender(), await sender()]
    const ticket = await makeTicket(server.db)
    await one.respond(ticket, { message: 'I was first', version: ticket.version })
    const late = await other.respond(ticket, { message: 'Me too', version: ticket.version })
    expect(late).toMatchObject({ status: 409, failure: { code: 'replied_meanwhile' } })
    expect(late.failure.current).toMatchObject({ messageCount: 2, messages: [{}, { content: 'I was first' }] })
    const seen = (late.failure.current as { version: number }).version
    expect((await other.respond(ticket, { message: 'Me too', version: seen })).status).toBe(200)
  })
  it('lets a reply pass when only the status changed meanwhile', async () => {
    const { respond } = await sender()
    const ticket = await makeTicket(server.db)
    await server.db
      .updateTable('tickets')
      .set({ version: ticket.version + 1 })
      .where('id', '=', ticket.id)
      .execute()
    expect((await respond(ticket, { message: 'x', version: ticket.version })).status).toBe(200)
  })
  it('of two replies at once, both of which saw the same, sends one', async () => {
    const senders = [await sender(), await sender(), await sender()]
    const ticket = await makeTicket(server.db)
    const replies = await Promise.all(
      senders.map(({ respond }) => respond(ticket, { message: 'Hi', version: ticket.version })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })
  it.each([{ message: '' }, { message: '  ' }, { message: 'x'.repeat(20_001) }, { message: 'a\u0000b' }, {}])(
    'turns away %#',
    async (body) => {
      const { respond } = await sender()
      expect((await respond(await makeTicket(server.db), body)).status).toBe(400)
    },
  )
  const answered = async () => {
    const { caller, respond } = await sender()
    const ticket = await makeTicket(server.db)
    await respond(ticket, { message: `Words of ${ticket.id}` })
    await server.running.courier.run()
    const read = async () => (await caller.send(readTicket, { params: { id: String(ticket.id) } })).body
    const delivery = async () => (await read()).messages.at(-1)?.delivery
    const letters = () => smtp.letters.filter(({ raw }) => raw.includes(`Words of ${ticket.id}`))
    return { delivery, letters }
  }
  it.each([
    ['puts off', 'later', () => carryWith({})],
    ['loses the connection', 'cut', () => carryWith({})],
    ['takes the words and says nothing', 'slow', () => carryWith({}, 400)],
    ['is not there', 'well', () => carryWith({ smtpUrl: NOBODY })],
  ] as const)('loses nothing when the mail server %s, and sends it once', async (_, mood, make) => {
    smtp.feel(mood)
    carry = make()
    const { delivery, letters } = await answered()
    expect(await delivery()).toBe('waiting')
    expect(letters()).toEqual([])
    smtp.feel('well')
    carry = carryWith({})
    server.clock.advance(2 * MINUTE)
    await server.running.courier.run()
    expect(await delivery()).toBe('sent')
    server.clock.advance(60 * MINUTE)
    await server.running.courier.run()
    expect(letters()).toHaveLength(1)
  })
  it('says so when the mail server refuses for good', async () => {
    smtp.feel('unknown')
    expect(await (await answered()).delivery()).toBe('failed')
  })
  it('writes neither words nor addresses into the log', async () => {
    const { respond } = await sender()
    const ticket = await makeTicket(server.db, {
      customer_email: 'canary-quokka@example.com',
      subject: 'canary-subject',
    })
    smtp.feel('later')
    await respond(ticket, { message: 'canary-message' })
    await server.running.courier.run()
    expect(logged.length).toBeGreaterThan(0)
    expect(logged.join('\n')).not.toMatch(/canary-(quokka|subject|message)/)
    const audit = await server.db.selectFrom('audit_log').selectAll().execute()
    expect(JSON.stringify(audit)).not.toMatch(/canary/)
  })
})
