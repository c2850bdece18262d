import { mergeUsers } from '@limber/contract/support/customers/account.ts'
import { receiveTicketMessage } from '@limber/contract/support/inbox/inbound.ts'
import { mergeTicket, readTicket, respondToTicket } from '@limber/contract/support/tickets/ticket.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE } from '#platform/clock.ts'
import { makeMailDelivery } from '#platform/mail/mail.ts'
import type { Deliver } from '#platform/outbox/outbox.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { type MailServer, openMailServer } from '#platform/testing/testing.mail.ts'
import { eventually, startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '../customers/customer.factory.ts'
import { makeTicket } from './ticket.factory.ts'

let smtp: MailServer
let server: TestServer
let carry: Deliver
const logged: string[] = []
const KEY = 'a key of the mailbox program'
/** No server listens on this port. */
const UNREACHABLE = 'smtp://127.0.0.1:1'

const carryWith = ({ smtpUrl }: { smtpUrl?: string }, patience?: number): Deliver => {
  const { config, company, db, clock } = server.running.services
  const hasty = patience && { connectionTimeout: patience, greetingTimeout: patience, socketTimeout: patience }
  const setup = { ...company.current(), ...(smtpUrl && { mail: { server: smtpUrl, label: smtpUrl } }) }
  return makeMailDelivery(setup, config, db, clock, { timeouts: hasty || undefined })
}

beforeAll(async () => {
  smtp = await openMailServer()
  const note = (text: string, more?: object) => void logged.push(`${text} ${JSON.stringify(more ?? {})}`)
  const log = { error: note, warn: note, info: note, debug: note } as Log
  const channels = { mail: (payload: unknown, key: string) => carry(payload, key) }
  server = await startTestServer({ env: { SMTP_URL: smtp.url, SUPPORT_INBOUND_KEY: KEY }, log, channels })
})
beforeEach(() => {
  smtp.letters.length = 0
  smtp.behave('well')
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
  it('adds the reply, keeps the status and ends the wait', async () => {
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
  it('sends emails of one thread, with the typed text escaped', async () => {
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
  it('requires the worker id, which must be the caller', async () => {
    const { respond, workerId } = await sender()
    const ticket = await makeTicket(server.db)
    for (const claim of [undefined, null])
      expect(await respond(ticket, { message: 'x', workerId: claim })).toMatchObject({
        status: 400,
        failure: { error: 'No worker information available' },
      })
    const other = await server.signIn(['tickets.handle'])
    expect((await respond(ticket, { message: 'x', workerId: other.id })).status).toBe(403)
    expect((await respond(ticket, { message: 'x', workerId: String(workerId) })).status).toBe(200)
  })
  it('sends nothing when someone replied first, and returns their message', async () => {
    const [one, other] = [await sender(), await sender()]
    const ticket = await makeTicket(server.db)
    await one.respond(ticket, { message: 'I was first', version: ticket.version })
    const late = await other.respond(ticket, { message: 'Me too', version: ticket.version })
    expect(late).toMatchObject({ status: 409, failure: { code: 'replied_meanwhile' } })
    expect(late.failure.current).toMatchObject({ messageCount: 2, messages: [{}, { content: 'I was first' }] })
    const seen = (late.failure.current as { version: number }).version
    expect((await other.respond(ticket, { message: 'Me too', version: seen })).status).toBe(200)
  })
  it('accepts a reply when only the status changed', async () => {
    const { respond } = await sender()
    const ticket = await makeTicket(server.db)
    await server.db
      .updateTable('tickets')
      .set({ version: ticket.version + 1 })
      .where('id', '=', ticket.id)
      .execute()
    expect((await respond(ticket, { message: 'x', version: ticket.version })).status).toBe(200)
  })
  it('sends one of several concurrent replies to the same version', async () => {
    const senders = [await sender(), await sender(), await sender()]
    const ticket = await makeTicket(server.db)
    const replies = await Promise.all(
      senders.map(({ respond }) => respond(ticket, { message: 'Hi', version: ticket.version })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })
  it.each([{ message: '' }, { message: '  ' }, { message: 'x'.repeat(20_001) }, { message: 'a\u0000b' }, {}])(
    'refuses %#',
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
    ['defers delivery', 'later', () => carryWith({})],
    ['drops the connection', 'cut', () => carryWith({})],
    ['accepts the message and does not respond', 'slow', () => carryWith({}, 400)],
    ['is down', 'well', () => carryWith({ smtpUrl: UNREACHABLE })],
  ] as const)('sends once although the mail server %s at first', async (_, mood, make) => {
    smtp.behave(mood)
    carry = make()
    const { delivery, letters } = await answered()
    expect(await delivery()).toBe('waiting')
    expect(letters()).toEqual([])
    smtp.behave('well')
    carry = carryWith({})
    server.clock.advance(2 * MINUTE)
    await server.running.courier.run()
    expect(await delivery()).toBe('sent')
    server.clock.advance(60 * MINUTE)
    await server.running.courier.run()
    expect(letters()).toHaveLength(1)
  })
  it('shows the failure when the mail server rejects the email', async () => {
    smtp.behave('unknown')
    expect(await (await answered()).delivery()).toBe('failed')
  })
  it('logs neither text nor addresses', async () => {
    const { respond } = await sender()
    const ticket = await makeTicket(server.db, {
      customer_email: 'canary-quokka@example.com',
      subject: 'canary-subject',
    })
    smtp.behave('later')
    await respond(ticket, { message: 'canary-message' })
    await server.running.courier.run()
    expect(logged.length).toBeGreaterThan(0)
    expect(logged.join('\n')).not.toMatch(/canary-(quokka|subject|message)/)
    const audit = await server.db.selectFrom('audit_log').selectAll().execute()
    expect(JSON.stringify(audit)).not.toMatch(/canary/)
  })
})

describe('POST /api/hooks/support/message', () => {
  let count = 0
  const bring = async (body: Record<string, unknown>, key = KEY) => {
    count += 1
    const whole = { messageId: `<customer-${count}@example.com>`, from: 'bea@example.com', content: 'Hello', ...body }
    return server
      .anonymous()
      .send(receiveTicketMessage, { body: whole as never }, { headers: { 'x-support-key': key } })
  }
  const read = async (ticketId: number) =>
    (await server.as('tickets.handle').send(readTicket, { params: { id: String(ticketId) } })).body
  const letterTo = (address: string) =>
    eventually(async () => {
      await server.running.courier.run()
      return smtp.letters.find(({ to }) => to === address)?.raw
    })

  it('opens a ticket for a first message', async () => {
    const { body } = await bring({ subject: 'Re: FW:  A lost\r\nkey ', content: 'I lost <b>it</b>.' })
    expect(body).toEqual({ ticketId: expect.any(Number), isNew: true })
    const ticket = await read(body.ticketId)
    expect(ticket).toMatchObject({
      subject: 'A lost key',
      status: 'open',
      customer_email: 'bea@example.com',
      version: 1,
    })
    expect(ticket.waitingSince).not.toBeNull()
    expect(ticket.messages).toMatchObject([{ from_customer: true, content: 'I lost <b>it</b>.', worker: null }])
    expect(ticket.events).toMatchObject([{ kind: 'opened', text: 'Opened by the customer', worker: null }])
  })

  it('adds a reply to its ticket, reopens it, and blocks a response that has not seen it', async () => {
    const { respond } = await sender()
    const ticket = await makeTicket(server.db, { subject: 'Keys', customer_email: 'ann@example.com' })
    const before = (await respond(ticket, { message: 'Look under the mat.', status: 'closed' })).body
    const ours = header(await letterTo('ann@example.com'), 'Message-ID') ?? ''
    const theirs = '<from-ann@example.com>'
    const said = {
      from: 'Ann@Example.com',
      messageId: theirs,
      references: [`<other@x> ${ours}`],
      content: 'Not there.',
    }
    expect((await bring(said)).body).toEqual({ ticketId: ticket.id, isNew: false })
    const after = await read(ticket.id)
    expect(after).toMatchObject({ status: 'open', messageCount: before.messageCount + 1, version: before.version + 1 })
    expect(after.waitingSince).not.toBeNull()
    expect(after.events.at(-1)).toMatchObject({ text: 'Reopened by the customer' })
    const stale = await respond(ticket, { message: 'Anything else?', version: before.version })
    expect(stale).toMatchObject({ status: 409, body: { code: 'replied_meanwhile' } })
    smtp.letters.length = 0
    await respond(ticket, { message: 'We send another.', version: after.version })
    expect(header(await letterTo('ann@example.com'), 'In-Reply-To')).toBe(theirs)
  })

  it('stores a repeated message once, also under concurrency', async () => {
    const messageId = '<once@example.com>'
    const replies = await Promise.all(Array.from({ length: 5 }, () => bring({ messageId, subject: 'Once' })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(replies.map(({ body }) => body.ticketId)).size).toBe(1)
    expect((await read(replies[0]?.body.ticketId ?? 0)).messageCount).toBe(1)
  })

  it('follows a merged ticket to its target', async () => {
    const [one, other] = [
      await makeTicket(server.db, { customer_email: 'cleo@example.com' }),
      await makeTicket(server.db, { customer_email: 'cleo@example.com' }),
    ]
    const merge = { params: { id: String(one.id) }, body: { into: other.id } }
    expect((await server.as('tickets.handle').send(mergeTicket, merge)).status).toBe(200)
    const { body } = await bring({ from: 'cleo@example.com', subject: `Re: [#${one.id}] Whatever` })
    expect(body).toEqual({ ticketId: other.id, isNew: false })
  })

  it('goes to the address that the customer last wrote from, once their tickets are merged', async () => {
    const { caller, respond } = await sender()
    const opened = async (from: string) => (await bring({ from, subject: 'Lost keys' })).body.ticketId
    const [id, other] = [await opened('gia@example.com'), await opened('gia@work.example')]
    const read = async () => (await caller.send(readTicket, { params: { id: String(id) } })).body.replyTo
    expect(await read()).toBe('gia@example.com')
    const merge = { params: { id: String(other) }, body: { into: id, isSamePerson: true } }
    expect((await caller.send(mergeTicket, merge)).status).toBe(200)
    expect(await read()).toBe('gia@work.example')
    await respond({ id }, { message: 'Found at work.' })
    await letterTo('gia@work.example')
    expect((await bring({ from: 'gia@example.com', subject: `Re: [#${id}] Lost keys` })).body.ticketId).toBe(id)
    await respond({ id }, { message: 'Found at home.' })
    expect(await letterTo('gia@example.com')).toContain('Found at home.')
    expect(smtp.letters.map(({ to }) => to)).toEqual(['gia@work.example', 'gia@example.com'])
  })

  it('names who wrote from another address, also what a worker entered, and where replies go', async () => {
    const { caller } = await sender()
    const hal = await makeCustomer(server.db, { first_name: 'Hal', last_name: 'Ito' })
    const { ticketId: id } = (await bring({ from: 'ida@example.com', subject: 'Late' })).body
    const { ticketId: mailed } = (await bring({ from: 'ida@work.example', subject: 'Late' })).body
    const phoned = await makeTicket(server.db, { customer_email: hal.email, thread: [{ content: 'He called.' }] })
    for (const from of [mailed, phoned.id]) {
      const merge = { params: { id: String(from) }, body: { into: id, isSamePerson: true } }
      expect((await caller.send(mergeTicket, merge)).status).toBe(200)
    }
    const { body } = await caller.send(readTicket, { params: { id: String(id) } })
    expect(new Set(body.messages.map((message) => JSON.stringify(message.sender)))).toEqual(
      new Set([
        'null',
        JSON.stringify({ address: 'ida@work.example', name: null }),
        JSON.stringify({ address: hal.email, name: 'Hal Ito' }),
      ]),
    )
    const last = body.messages.findLast(({ from_customer }) => from_customer)
    expect(body.replyTo).toBe(last?.sender?.address ?? 'ida@example.com')
  })

  it('joins the ticket from any address of a merged account, and is answered there', async () => {
    const { respond } = await sender()
    const [keep, drop] = [await makeCustomer(server.db), await makeCustomer(server.db)]
    const { ticketId: id } = (await bring({ from: keep.email, subject: 'Parking' })).body
    const body = { duplicateId: drop.id, reason: 'the same person' }
    const merged = await server
      .asSteppedUp('users.overview')
      .send(mergeUsers, { params: { id: String(keep.id) }, body })
    expect(merged.status).toBe(200)
    expect((await bring({ from: drop.email, subject: `Re: [#${id}] Parking` })).body).toEqual({
      ticketId: id,
      isNew: false,
    })
    await respond({ id }, { message: 'Behind the house.' })
    await letterTo(drop.email)
  })

  it('ignores a ticket number from another address', async () => {
    const ticket = await makeTicket(server.db, { customer_email: 'dan@example.com' })
    const { body } = await bring({ from: 'eve@example.com', subject: `Re: [#${ticket.id}] Mine` })
    expect(body.isNew).toBe(true)
    expect((await read(ticket.id)).messageCount).toBe(1)
  })

  it('never puts outside text into an email header', async () => {
    const { respond } = await sender()
    const { body } = await bring({ from: 'fay@example.com', messageId: '<a@b>\r\nBcc: all@example.com', subject: 'X' })
    await respond({ id: body.ticketId }, { message: 'Good day.' })
    const letter = await letterTo('fay@example.com')
    expect(letter).not.toMatch(/^Bcc/im)
    expect(header(letter, 'In-Reply-To')).toBeUndefined()
  })

  it('refuses a missing key and malformed messages', async () => {
    expect((await bring({}, 'a guess of the key')).status).toBe(401)
    for (const body of [{ from: 'nobody' }, { content: ' ' }, { content: 'x'.repeat(20_001) }, { messageId: '' }])
      expect((await bring(body)).status).toBe(400)
  })
})
