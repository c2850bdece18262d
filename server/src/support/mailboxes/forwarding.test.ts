import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { readMessageHtml, readTicketFile } from '@limber/contract/support/files/ticket-file.ts'
import { makeForwardingAddress } from '@limber/contract/support/mailboxes/forwarding.ts'
import { createMailbox, listMailboxes, updateMailbox } from '@limber/contract/support/mailboxes/mailbox.ts'
import { listTickets, readTicket, respondToTicket } from '@limber/contract/support/tickets/ticket.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type MailServer, openMailServer } from '#platform/testing/testing.mail.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { fileKey } from '../files/store-file.ts'
import { named, PNG, partsLetter, pdf } from '../files/ticket-file.testing.ts'
import { draftMailbox, letter } from './mailbox.testing.ts'

let server: TestServer
let smtp: MailServer

beforeEach(async () => {
  smtp = await openMailServer()
  server = await startTestServer({ env: { SMTP_URL: smtp.url } })
})
afterEach(async () => {
  await server.stop()
  await smtp.close()
})

const lead = () => server.asSteppedUp('notifications.send')
const agent = () => server.as('tickets.handle')
const at = (id: number | undefined) => ({ params: { id: String(id) } })
const add = async (more = {}) => (await lead().send(createMailbox, { body: draftMailbox(undefined, more) })).body
const addressOf = async (id: number) => (await lead().send(makeForwardingAddress, at(id))).body.url
const pathOf = (url: string) => new URL(url).pathname
const open = async (more = {}) => pathOf(await addressOf((await add(more)).id))
const tickets = async () => (await agent().send(listTickets)).body
const messages = async () => (await tickets()).flatMap((ticket) => ticket.messages.map(({ content }) => content)).sort()

type Sent = { status: number; body: { isNew?: boolean; code?: string } }
const post = async (path: string, body: string | Uint8Array<ArrayBuffer> | FormData, type?: string): Promise<Sent> => {
  const reply = await fetch(server.url + path, {
    method: 'POST',
    body,
    ...(type && { headers: { 'content-type': type } }),
  })
  return { status: reply.status, body: (await reply.json()) as Sent['body'] }
}
const postMail = (path: string, raw: string | Buffer) => post(path, new Uint8Array(Buffer.from(raw)), 'message/rfc822')
const storedKeys = async () => {
  const keys: string[] = []
  for await (const { key } of server.running.services.storage.list(fileKey(''))) keys.push(key)
  return keys
}

describe('a mailbox with a forwarding address', () => {
  it('takes an email as it came: with its text, its HTML and its files', async () => {
    const path = await open()
    expect(path).toMatch(/^\/api\/hooks\/support\/mail\/[\w-]{43}\/mime$/)
    const content = pdf(300_000)
    const html = '<p>See <img src="cid:photo@x"></p><script>alert(1)</script>'
    const sent = await postMail(
      path,
      partsLetter(
        [
          { type: 'text/html; charset=utf-8', content: html },
          { type: 'image/png; name="photo.png"', content: PNG, headers: ['Content-ID: <photo@x>'] },
          named('application/pdf', 'Bill.pdf', content),
        ],
        { kind: 'related' },
      ),
    )
    expect(sent).toEqual({ status: 200, body: { isNew: true } })
    const [ticket] = await tickets()
    const { body } = await agent().send(readTicket, at(ticket?.id))
    expect(body).toMatchObject({ customer_email: 'ana@example.com', subject: 'My receipt', status: 'open' })
    const [message] = body.messages
    expect(message?.files.map(({ filename, type }) => [filename, type])).toEqual([
      ['photo.png', 'image/png'],
      ['Bill.pdf', 'application/pdf'],
    ])
    const shown = await agent().send(readMessageHtml, at(message?.id))
    expect(shown.text).toContain(`src="/api/support/files/${message?.files[0]?.id}"`)
    expect(shown.text).not.toContain('<script')
    const file = await agent().send(readTicketFile, at(message?.files[1]?.id))
    expect(file.text).toBe(content.toString())
    const [mailbox] = (await lead().send(listMailboxes)).body
    expect(mailbox).toMatchObject({ state: 'forwarded', lastMessageAt: server.clock.now().toISOString() })
  })

  it('takes each email once, also when its provider sends it again at the same time', async () => {
    const path = await open()
    const raw = partsLetter([{ type: 'text/plain', content: 'once' }, named('application/pdf', 'a.pdf', pdf())])
    const sent = await Promise.all([1, 2, 3, 4].map(() => postMail(path, raw)))
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(sent.filter(({ body }) => body.isNew)).toHaveLength(1)
    expect((await postMail(path, raw)).body).toEqual({ isNew: false })
    const nameless = letter({ id: null, text: 'nameless' })
    expect([(await postMail(path, nameless)).body.isNew, (await postMail(path, nameless)).body.isNew]).toEqual([
      true,
      false,
    ])
    expect(await messages()).toEqual(['nameless', 'once'])
    expect(await storedKeys()).toHaveLength(1)
  })

  it('adds answers to their ticket, and its replies leave from its address', async () => {
    const path = await open()
    await postMail(path, letter({ id: '<first@example.com>', text: 'Where is it?' }))
    const [ticket] = await tickets()
    const caller = agent()
    const body = { message: 'On its way.', workerId: (await caller.worker()).id }
    expect((await caller.send(respondToTicket, { ...at(ticket?.id), body })).status).toBe(200)
    await vi.waitFor(() => expect(smtp.letters).toHaveLength(1), { timeout: 50_000 })
    const sent = smtp.letters[0]?.raw ?? ''
    expect(sent).toMatch(/^From: "?Coastline Help"? <help@example\.com>/m)
    expect(sent).toMatch(/^In-Reply-To: <first@example\.com>/m)
    const ours = /^Message-ID: (<.+>)/im.exec(sent)?.[1] ?? ''
    await postMail(path, letter({ headers: { 'In-Reply-To': ours }, subject: 'another', text: 'Thank you!' }))
    await postMail(path, letter({ headers: { 'In-Reply-To': ours }, from: 'eve@example.com', text: 'stranger' }))
    const threads = (await tickets()).map((each) => each.messages.map(({ content }) => content)).sort()
    expect(threads).toEqual([['Where is it?', 'On its way.', 'Thank you!'], ['stranger']])
  })

  it('reads the forms of providers, and the bytes in them as they came', async () => {
    const path = await open()
    const latin = Buffer.concat([
      Buffer.from('From: ana@example.com\r\nMessage-ID: <l@x>\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\n'),
      Buffer.from('Gr\xfc\xdfe', 'latin1'),
    ])
    const raw = (boundary: string, disposition: string) =>
      Buffer.concat([
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="envelope"\r\n\r\n{}\r\n`),
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
        latin,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ])
    const form = 'multipart/form-data; boundary=xYz'
    expect((await post(path, raw('xYz', 'name="email"'), form)).body).toEqual({ isNew: true })
    expect((await post(path, raw('xYz', 'name="body-mime"; filename="mail.eml"'), form)).body).toEqual({ isNew: false })
    const encoded = [...letter({ from: 'bo@example.com', text: 'Grüße' })]
      .map((char) => encodeURIComponent(char))
      .join('')
    const urlencoded = `recipient=help%40example.com&body-mime=${encoded}`
    expect((await post(path, urlencoded, 'application/x-www-form-urlencoded')).body).toEqual({ isNew: true })
    expect(await messages()).toEqual(['Grüße', 'Grüße'])
  })

  it('keeps an email that cannot be read as it came', async () => {
    const path = await open()
    const raw = `From: ana@example.com\r\nMessage-ID: <deep@example.com>\r\n${'X-Filler: y\r\n'.repeat(60_000)}\r\nHello`
    expect((await postMail(path, raw)).status).toBe(200)
    const [message] = (await tickets())[0]?.messages ?? []
    const { body } = await agent().send(readTicket, at((await tickets())[0]?.id))
    expect(message?.content).toMatch(/could not be read/)
    expect(body.messages[0]?.files).toMatchObject([{ filename: 'original.eml', role: 'original', bytes: raw.length }])
  })

  it('keeps the beginning of an email that is too large', async () => {
    const path = await open()
    const raw = Buffer.concat([Buffer.from(letter({ text: '' })), Buffer.alloc(41 * 1024 * 1024, 'x\r\n')])
    expect(await postMail(path, raw)).toEqual({ status: 200, body: { isNew: true } })
    const { body } = await agent().send(readTicket, at((await tickets())[0]?.id))
    expect(body.messages[0]?.files).toMatchObject([{ filename: 'beginning.eml', bytes: 40 * 1024 * 1024 }])
  })

  it('refuses a wrong key unread, a form without an email, other types, and everything while it is off', async () => {
    const mailbox = await add()
    const path = pathOf(await addressOf(mailbox.id))
    const wrong = path.replace(/mail\/..../, 'mail/aaaa')
    expect(await postMail(wrong, letter())).toMatchObject({ status: 404, body: { code: 'wrong_key' } })
    const form = new FormData()
    form.set('subject', 'Hi')
    expect(await post(path, form)).toMatchObject({ status: 400, body: { code: 'malformed' } })
    expect(await post(path, '', 'message/rfc822')).toMatchObject({ status: 400, body: { code: 'malformed' } })
    expect((await post(path, '{}', 'application/json')).status).toBe(415)
    const off = { ...draftMailbox(undefined, { is_enabled: false }), version: mailbox.version }
    expect((await lead().send(updateMailbox, { ...at(mailbox.id), body: off })).status).toBe(200)
    expect(await postMail(path, letter())).toMatchObject({ status: 503, body: { code: 'off' } })
    // Before the email itself has come.
    const headers = { 'content-type': 'message/rfc822', 'content-length': 999 }
    const begun = request(server.url + path, { method: 'POST', headers }).on('error', () => {})
    begun.flushHeaders()
    const [answer] = (await once(begun, 'response', { signal: AbortSignal.timeout(10_000) })) as [IncomingMessage]
    expect(answer.statusCode).toBe(503)
    begun.destroy()
    expect(await tickets()).toEqual([])
  })

  it('goes on when senders leave in the middle of an email, or while they wait for their turn', async () => {
    const path = await open()
    const begin = (type: string) => {
      const sent = request(server.url + path, {
        method: 'POST',
        headers: { 'content-type': type, 'content-length': 999 },
      })
      sent.on('error', () => {})
      sent.write('--x\r\n')
      return sent
    }
    const types = ['message/rfc822', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded']
    const senders = [...types, ...types, ...types].map(begin)
    await sleep(200)
    for (const sender of senders.toReversed()) {
      sender.destroy()
      await sleep(20)
    }
    expect(await postMail(path, letter({ text: 'after' }))).toEqual({ status: 200, body: { isNew: true } })
    expect(await messages()).toEqual(['after'])
  })

  it('ends its old address with a new one, and when it is read by IMAP', async () => {
    const mailbox = await add()
    const first = pathOf(await addressOf(mailbox.id))
    const second = pathOf(await addressOf(mailbox.id))
    expect((await postMail(first, letter())).status).toBe(404)
    expect((await postMail(second, letter())).status).toBe(200)
    expect((await lead().send(listMailboxes)).text).not.toContain(second.split('/')[5])
    const imap = draftMailbox(undefined, { incoming: 'imap', imap_host: 'imap.example.com' })
    const moved = await lead().send(updateMailbox, { ...at(mailbox.id), body: { ...imap, version: mailbox.version } })
    expect(moved.body).toMatchObject({ hasForwardingAddress: false })
    expect((await postMail(second, letter())).status).toBe(404)
    expect((await lead().send(makeForwardingAddress, at(mailbox.id))).failure.code).toBe('not_forwarded')
    // It does not come back with forwarding.
    const back = { ...draftMailbox(), version: moved.body.version }
    expect((await lead().send(updateMailbox, { ...at(mailbox.id), body: back })).status).toBe(200)
    expect((await postMail(second, letter())).status).toBe(404)
  })

  it('takes no email that was on its way to the old address', async () => {
    const mailbox = await add()
    const raw = letter()
    const headers = { 'content-type': 'message/rfc822', 'content-length': Buffer.byteLength(raw) }
    const sent = request(server.url + pathOf(await addressOf(mailbox.id)), { method: 'POST', headers })
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>
    sent.write(raw.slice(0, 20))
    await sleep(100)
    const next = pathOf(await addressOf(mailbox.id))
    sent.end(raw.slice(20))
    const [answer] = await answered
    // On a slow machine, the address was replaced before it was looked up.
    expect([503, 404]).toContain(answer.statusCode)
    expect(await tickets()).toEqual([])
    expect((await postMail(next, raw)).status).toBe(200)
  })

  it('has an address that only a lead with a passkey can make', async () => {
    const { id } = await add()
    expect((await server.as('notifications.send').send(makeForwardingAddress, at(id))).status).toBe(403)
    expect((await server.asSteppedUp('tickets.handle').send(makeForwardingAddress, at(id))).status).toBe(403)
    expect((await lead().send(makeForwardingAddress, at(999))).status).toBe(404)
    const row = await server.db.selectFrom('mailboxes').select('forward_hash').executeTakeFirstOrThrow()
    expect(row.forward_hash).toBeNull()
  })
})
