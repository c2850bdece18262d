import type { Socket } from 'node:net'
import { readTicket, respondToTicket } from '@limber/contract/support/ticket.ts'
import type { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '#platform/log.ts'
import { eventually, startTestServer, type TestServer } from '#platform/testing.ts'
import { makeTicket } from './ticket.factory.ts'

let smtp: SMTPServer
let server: TestServer
const letters: string[] = []
const sockets = new Set<Socket>()
const logged: string[] = []
let answer: ((finish: (error?: Error) => void) => void) | undefined

beforeAll(async () => {
  const { SMTPServer: Server } = await import('smtp-server')
  smtp = new Server({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, finish) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        if (answer) return answer(finish)
        letters.push(Buffer.concat(parts).toString('utf8'))
        finish()
      })
    },
  })
  smtp.server.on('connection', (socket: Socket) => sockets.add(socket))
  const port = await new Promise<number>((done) => {
    const listening = smtp.listen(0, '127.0.0.1', () => {
      const address = listening.address()
      done(typeof address === 'object' && address ? address.port : 0)
    })
  })
  const note = (text: string, more?: object) => void logged.push(`${text} ${JSON.stringify(more ?? {})}`)
  const log = { error: note, warn: note, info: note, debug: note } as Log
  server = await startTestServer({ env: { SMTP_URL: `smtp://127.0.0.1:${port}` }, log })
})
beforeEach(() => {
  letters.length = 0
  answer = undefined
})
afterAll(async () => {
  await server.stop()
  await new Promise<void>((done) => smtp.close(() => done()))
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
      const own = letters.filter((letter) => letter.includes('thread@example.com'))
      return own.length === 2 && own
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
  it('loses nothing when the mail server refuses for now, and says so when it refuses for good', async () => {
    const { caller, respond } = await sender()
    const look = async (ticket: { id: number }) =>
      (await caller.send(readTicket, { params: { id: String(ticket.id) } })).body.messages.at(-1)?.delivery
    const patient = await makeTicket(server.db)
    answer = (finish) => finish(Object.assign(new Error('try later'), { responseCode: 451 }))
    await respond(patient, { message: 'Patience' })
    await server.running.courier.run()
    expect(await look(patient)).toBe('waiting')
    answer = undefined
    server.clock.advance(120_000)
    await server.running.courier.run()
    expect(await look(patient)).toBe('sent')
    const hopeless = await makeTicket(server.db)
    answer = (finish) => finish(Object.assign(new Error('no such user'), { responseCode: 550 }))
    await respond(hopeless, { message: 'Hopeless' })
    await server.running.courier.run()
    expect(await look(hopeless)).toBe('failed')
  })
  it('sends once what was cut off on its way', async () => {
    const { caller, respond } = await sender()
    const ticket = await makeTicket(server.db)
    const look = async () =>
      (await caller.send(readTicket, { params: { id: String(ticket.id) } })).body.messages.at(-1)?.delivery
    answer = () => {
      for (const socket of sockets) socket.destroy()
    }
    await respond(ticket, { message: 'Cut in the middle' })
    await server.running.courier.run()
    expect(await look()).toBe('waiting')
    answer = undefined
    server.clock.advance(120_000)
    await server.running.courier.run()
    expect(await look()).toBe('sent')
    await server.running.courier.run()
    expect(letters.filter((letter) => letter.includes('Cut in the middle'))).toHaveLength(1)
  })
  it('writes neither words nor addresses into the log', async () => {
    const { respond } = await sender()
    const ticket = await makeTicket(server.db, {
      customer_email: 'canary-quokka@example.com',
      subject: 'canary-subject',
    })
    answer = (finish) => finish(Object.assign(new Error('refused canary-quokka@example.com'), { responseCode: 451 }))
    await respond(ticket, { message: 'canary-message' })
    await server.running.courier.run()
    expect(logged.length).toBeGreaterThan(0)
    expect(logged.join('\n')).not.toMatch(/canary-(quokka|subject|message)/)
    const audit = await server.db.selectFrom('audit_log').selectAll().execute()
    expect(JSON.stringify(audit)).not.toMatch(/canary/)
  })
})
