import { createMailbox, listMailboxes } from '@limber/contract/support/mailboxes/mailbox.ts'
import { listQueues } from '@limber/contract/support/queues/queue.ts'
import { listTickets, readTicket, respondToTicket } from '@limber/contract/support/tickets/ticket.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MINUTE, shift } from '#platform/clock.ts'
import { isSuppressed } from '#platform/mail/suppressions.ts'
import { type MailServer, openMailServer } from '#platform/testing/testing.mail.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { type ImapServer, openImapServer } from './imap.testing.ts'
import { draftMailbox, hastyTimes, letter } from './mailbox.testing.ts'
import { startMailboxReader } from './mailbox-reader.ts'

let server: TestServer
let imap: ImapServer
let smtp: MailServer
let readers: ReturnType<typeof startMailboxReader>[]

beforeEach(async () => {
  smtp = await openMailServer()
  server = await startTestServer({ env: { SMTP_URL: smtp.url } })
  imap = await openImapServer()
  readers = []
})
afterEach(async () => {
  await Promise.all(readers.map((reader) => reader.close()))
  await server.stop()
  await imap.close()
  await smtp.close()
})

const read = (times = hastyTimes) => {
  const reader = startMailboxReader(server.running.services, times)
  readers.push(reader)
  return reader
}
const agent = () => server.as('tickets.handle')
const add = async (more = {}) => {
  const { status, body } = await server
    .asSteppedUp('notifications.send')
    .send(createMailbox, { body: draftMailbox(imap, more) })
  expect(status).toBe(200)
  return body
}
const deliver = (raw: string) => imap.deliver(raw, server.clock.now())
const tickets = async () => (await agent().send(listTickets)).body
const until = (check: () => Promise<unknown>) => vi.waitFor(check, { timeout: 50_000, interval: 50 })
const untilTickets = (count: number) => until(async () => expect(await tickets()).toHaveLength(count))
const messages = async () => (await tickets()).flatMap((ticket) => ticket.messages.map(({ content }) => content)).sort()
const state = async () => (await server.as('notifications.send').send(listMailboxes)).body[0]

describe('a mailbox that is read', () => {
  it('turns new emails into tickets, and none that came before it was added', async () => {
    imap.deliver(letter({ text: 'From long ago' }), shift(server.clock.now(), -60 * MINUTE))
    await add()
    read()
    await until(async () => expect((await state())?.state).toBe('connected'))
    deliver(letter({ text: 'It ended after forty minutes.' }))
    await untilTickets(1)
    expect((await tickets())[0]).toMatchObject({
      subject: 'Too short',
      customer_email: 'jazmin@example.com',
      status: 'open',
      waitingSince: server.clock.now().toISOString(),
      messages: [{ content: 'It ended after forty minutes.', from_customer: true }],
    })
    expect(await state()).toMatchObject({
      state: 'connected',
      error: null,
      lastMessageAt: server.clock.now().toISOString(),
    })
  })

  it('polls a server that cannot announce emails', async () => {
    await imap.close()
    imap = await openImapServer({ hasIdle: false })
    await add()
    read()
    await until(async () => expect((await state())?.readAt).not.toBeNull())
    deliver(letter())
    await untilTickets(1)
  })

  it('adds answers to their ticket by what they refer to, and never by the subject alone', async () => {
    await add()
    read()
    deliver(letter({ id: '<first@example.com>', text: 'one' }))
    deliver(letter({ headers: { References: '<first@example.com>' }, subject: 'Re: Too short', text: 'two' }))
    deliver(letter({ subject: 'Re: Too short', text: 'other' }))
    deliver(letter({ headers: { 'In-Reply-To': '<first@example.com>' }, from: 'eve@example.com', text: 'stranger' }))
    await until(async () => expect(await messages()).toEqual(['one', 'other', 'stranger', 'two']))
    const threads = (await tickets()).map((ticket) => ticket.messages.map(({ content }) => content)).sort()
    expect(threads).toEqual([['one', 'two'], ['other'], ['stranger']])
  })

  it('takes an answer to our reply, which left from the address of the mailbox', async () => {
    await add()
    read()
    deliver(letter({ id: '<question@example.com>', text: 'Where is my receipt?' }))
    await untilTickets(1)
    const [ticket] = await tickets()
    const caller = agent()
    const { id: workerId } = await caller.worker()
    const answered = await caller.send(respondToTicket, {
      params: { id: String(ticket?.id) },
      body: { message: 'Here it is.', workerId },
    })
    expect(answered.status).toBe(200)
    await until(async () => expect(smtp.letters).toHaveLength(1))
    const sent = smtp.letters[0]?.raw ?? ''
    expect(sent).toMatch(/^From: "?Coastline Help"? <help@example\.com>/m)
    expect(sent).toMatch(/^In-Reply-To: <question@example\.com>/m)
    expect(sent).toMatch(/^References: <question@example\.com>/m)
    const ours = /^Message-ID: (<.+>)/im.exec(sent)?.[1] ?? ''
    const text = 'Thank you!\n\nOn Tue, Nov 17, 2026 Coastline Help <help@example.com> wrote:\n> Here it is.'
    deliver(letter({ headers: { 'In-Reply-To': ours }, subject: 'another subject', text }))
    await until(async () => expect(await messages()).toContain('Thank you!'))
    expect(await tickets()).toHaveLength(1)
    const { body } = await agent().send(readTicket, { params: { id: String(ticket?.id) } })
    expect(body.messages.at(-1)?.email?.quoted).toContain('> Here it is.')
  })

  it('marks the address when our reply comes back', async () => {
    await add()
    read()
    deliver(letter({ text: 'Hi' }))
    await untilTickets(1)
    const [ticket] = await tickets()
    const caller = agent()
    const { id: workerId } = await caller.worker()
    await caller.send(respondToTicket, { params: { id: String(ticket?.id) }, body: { message: 'Hello', workerId } })
    await until(async () => expect(smtp.letters).toHaveLength(1))
    const ours = /^Message-ID: (<.+>)/im.exec(smtp.letters[0]?.raw ?? '')?.[1] ?? ''
    const reportOf = (status: string, words: string) => [
      '--b',
      'Content-Type: text/plain',
      '',
      words,
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example.com',
      '',
      'Final-Recipient: rfc822; jazmin@example.com',
      'Action: failed',
      `Status: ${status}`,
      '--b',
      'Content-Type: text/rfc822-headers',
      '',
      `Message-ID: ${ours}`,
      '--b--',
    ]
    const headers = { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b', 'Return-Path': '<>' }
    const comeBack = async (status: string, words: string) => {
      deliver(letter({ from: 'mailer-daemon@mx.example.com', headers, text: reportOf(status, words).join('\r\n') }))
      await until(async () => expect(await messages()).toContain(words))
    }
    // The ticket has another address by now. The one that we wrote to is returned.
    await server.db.updateTable('tickets').set({ customer_email: 'moved@example.com' }).execute()
    await comeBack('4.2.2', 'The mailbox is full.')
    expect(await isSuppressed(server.db, 'mail', 'jazmin@example.com')).toBe(false)
    await comeBack('5.1.1', 'The address does not exist.')
    expect(await tickets()).toHaveLength(1)
    expect(await isSuppressed(server.db, 'mail', 'jazmin@example.com')).toBe(true)
    expect(await isSuppressed(server.db, 'mail', 'moved@example.com')).toBe(false)
    const { body } = await agent().send(readTicket, { params: { id: String(ticket?.id) } })
    expect(body.messages.at(-1)?.email?.kind).toBe('bounce')
    expect(body.replyTo).toBe('jazmin@example.com')
  })

  it('confirms a new ticket once, and ends a loop of two programs that answer each other', async () => {
    await add({ confirms: true })
    read()
    deliver(letter({ from: 'robot@example.com', text: 'first' }))
    await until(async () => expect(smtp.letters).toHaveLength(1))
    const sent = smtp.letters[0]?.raw ?? ''
    expect(sent).toMatch(/^Auto-Submitted: auto-replied/m)
    // One that says what it is, one that refers to nothing, and one that a list sent.
    deliver(letter({ from: 'robot@example.com', headers: { 'Auto-Submitted': 'auto-replied' }, text: 'second' }))
    deliver(letter({ from: 'robot@example.com', subject: 'I am away', text: 'third' }))
    deliver(letter({ from: 'list@example.com', headers: { Precedence: 'bulk' }, text: 'fourth' }))
    await until(async () => expect(await messages()).toEqual(['first', 'fourth', 'second', 'third']))
    await server.running.courier.run()
    expect(smtp.letters).toHaveLength(1)
    // Nobody waits for an answer to the program.
    const waiting = (await tickets()).filter(({ waitingSince }) => waitingSince !== null)
    expect(waiting.flatMap((ticket) => ticket.messages.map(({ content }) => content)).sort()).toEqual([
      'first',
      'fourth',
      'third',
    ])
  })
})

describe('a server that misbehaves', () => {
  it('loses nothing and takes nothing twice when it drops every email half-way', async () => {
    await add()
    for (const text of ['a', 'b', 'c']) deliver(letter({ text }))
    imap.behave('drop')
    read()
    await until(async () => expect(await messages()).toEqual(['a', 'b', 'c']))
    expect(imap.signIns()).toBeGreaterThan(1)
  })

  it('takes nothing twice when it numbers its emails anew, with and without a Message-ID', async () => {
    await add()
    read()
    deliver(letter({ text: 'with' }))
    deliver(letter({ text: 'without', id: null }))
    await untilTickets(2)
    imap.renumber()
    deliver(letter({ text: 'new' }))
    await until(async () => expect(await messages()).toEqual(['new', 'with', 'without']))
  })

  it('is left when it stalls, with an error in plain words, and read again when it answers', async () => {
    await add()
    imap.behave('stall')
    read({ ...hastyTimes, socket: 300 })
    await until(async () => expect((await state())?.state).toBe('failing'))
    expect((await state())?.error).toMatch(
      /did not respond in time|closed the connection|connection to the server failed/i,
    )
    const failing = async () => (await agent().send(listQueues)).body.failingMailboxes
    expect(await failing()).toEqual([{ address: imap.login.user, readAt: null }])
    imap.behave('well')
    deliver(letter({ text: 'after' }))
    await until(async () => expect(await messages()).toEqual(['after']))
    await until(async () => expect((await state())?.state).toBe('connected'))
    expect(await failing()).toEqual([])
  })

  it('is named with a refused password', async () => {
    await add({ imap_secret: 'wrong' })
    read()
    await until(async () => expect((await state())?.error).toBe('The server refused the user or the password.'))
  })

  it('is read by one process at a time, and by another one when that ends', async () => {
    await add()
    const first = read()
    await until(async () => expect((await state())?.state).toBe('connected'))
    read()
    deliver(letter({ text: 'one' }))
    await untilTickets(1)
    expect(imap.signIns()).toBe(1)
    await first.close()
    deliver(letter({ text: 'two' }))
    await untilTickets(2)
    expect(imap.signIns()).toBe(2)
  })
})
