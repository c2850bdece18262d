import { allowImages, readMessageHtml, readTicketFile } from '@limber/contract/support/files/ticket-file.ts'
import { createMailbox } from '@limber/contract/support/mailboxes/mailbox.ts'
import {
  listTickets,
  mergeTicket,
  readTicket,
  respondToTicket,
  type TicketDetail,
} from '@limber/contract/support/tickets/ticket.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type MailServer, openMailServer } from '#platform/testing/testing.mail.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { type ImapServer, openImapServer } from '../mailboxes/imap.testing.ts'
import { draftMailbox, hastyTimes } from '../mailboxes/mailbox.testing.ts'
import { startMailboxReader } from '../mailboxes/mailbox-reader.ts'
import { makeTicket } from '../tickets/ticket.factory.ts'
import { scanWaitingFiles } from './files.jobs.ts'
import { fileKey } from './store-file.ts'
import { EICAR, named, openScanner, PNG, partsLetter, pdf, type Scanner } from './ticket-file.testing.ts'

let server: TestServer
let imap: ImapServer
let reader: ReturnType<typeof startMailboxReader>
let ends: (() => Promise<unknown>)[]

const start = async (env: NodeJS.ProcessEnv = {}, mailbox = {}) => {
  server = await startTestServer({ env })
  imap = await openImapServer()
  const body = draftMailbox(imap, mailbox)
  const added = await server.asSteppedUp('notifications.send').send(createMailbox, { body })
  expect(added.status).toBe(200)
  reader = startMailboxReader(server.running.services, hastyTimes)
  ends.push(
    () => reader.close(),
    () => server.stop(),
    () => imap.close(),
  )
}
beforeEach(() => {
  ends = []
})
afterEach(async () => {
  for (const end of ends) await end()
})

const at = (id: number) => ({ params: { id: String(id) } })
const agent = () => server.as('tickets.handle')
const until = <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 50_000, interval: 50 })
const deliver = (raw: string | Buffer) => imap.deliver(raw, server.clock.now())
const text = { type: 'text/plain', content: 'See the file.' }

/** The ticket of the email that was delivered last. */
const readLast = (count = 1): Promise<TicketDetail> =>
  until(async () => {
    const { body } = await agent().send(listTickets)
    expect(body).toHaveLength(count)
    const id = Math.max(...body.map((ticket) => ticket.id))
    return (await agent().send(readTicket, at(id))).body
  })
const storedKeys = async () => {
  const keys: string[] = []
  for await (const { key } of server.running.services.storage.list(fileKey(''))) keys.push(key)
  return keys
}

describe('an email with files', () => {
  it('keeps them, with safe names and the types of their contents', async () => {
    await start()
    const content = pdf(100_000)
    deliver(
      partsLetter([
        text,
        named('text/html', '../../etc/passwd.html', content),
        named('image/png', '=?utf-8?Q?a=E2=80=AEgnp=2Eexe?=', PNG),
        named('application/pdf', 'page.pdf', '<svg onload=alert(1)>'),
      ]),
    )
    const [message] = (await readLast()).messages
    expect(message).toMatchObject({
      content: 'See the file.',
      files: [
        { filename: 'passwd.html', type: 'application/pdf', bytes: 100_000, role: 'attachment', state: 'ready' },
        { filename: 'agnp.exe', type: 'image/png', width: 2, height: 1 },
        { filename: 'page.pdf', type: 'application/octet-stream', width: null },
      ],
    })
    const [first, , third] = message?.files ?? []
    const read = await agent().send(readTicketFile, at(first?.id ?? 0))
    expect(read.text).toBe(content.toString())
    const svg = await agent().send(readTicketFile, at(third?.id ?? 0))
    expect(svg.headers.get('content-disposition')).toMatch(/^attachment/)
  })

  it('names the files that are beyond 25 MB together, and keeps the others', async () => {
    await start()
    const large = Buffer.alloc(14 * 1024 * 1024, 7)
    deliver(partsLetter([text, named('a/b', 'one.bin', large), named('a/b', 'two.bin', large), named('a/b', 'c', 'x')]))
    const [message] = (await readLast()).messages
    expect(message?.files.map(({ filename, state }) => [filename, state])).toEqual([
      ['one.bin', 'ready'],
      ['two.bin', 'too_large'],
      ['c', 'ready'],
    ])
    expect(await storedKeys()).toHaveLength(2)
    expect((await agent().send(readTicketFile, at(message?.files[1]?.id ?? 0))).status).toBe(404)
  })

  it('is stored once when the server renumbers its emails', async () => {
    await start()
    deliver(partsLetter([text, named('application/pdf', 'a.pdf', pdf())]))
    await readLast()
    imap.renumber()
    deliver(partsLetter([text, named('application/pdf', 'b.pdf', pdf())]))
    await readLast(2)
    expect(await storedKeys()).toHaveLength(2)
  })

  it('that cannot be read is kept as it came, and can be downloaded', async () => {
    await start()
    const raw = `From: ana@example.com\r\nSubject: Deep\r\nMessage-ID: <deep@example.com>\r\n${'X-Filler: y\r\n'.repeat(60_000)}\r\nHello`
    deliver(raw)
    const [message] = (await readLast()).messages
    expect(message).toMatchObject({
      email: { kind: 'unreadable' },
      files: [{ filename: 'original.eml', role: 'original', bytes: raw.length, state: 'ready' }],
    })
    const read = await agent().send(readTicketFile, at(message?.files[0]?.id ?? 0))
    expect(read.text).toBe(raw)
    expect(read.headers.get('content-type')).not.toContain('rfc822')
    expect(read.headers.get('content-disposition')).toContain('attachment; filename="original.eml"')
  })
})

describe('an HTML email', () => {
  const html = `<p>Look: <img src="cid:photo@x" alt="photo"></p><script>alert(1)</script>
    <img src="https://tracker.example/pixel.gif" onerror="alert(1)"><a href="javascript:alert(1)">x</a>
    <div class="gmail_quote">On Tuesday we wrote: hello</div>`
  const related = () =>
    partsLetter(
      [
        { type: 'text/html; charset=utf-8', content: html },
        {
          type: 'image/png; name="photo.png"',
          content: PNG,
          headers: ['Content-ID: <photo@x>', 'Content-Disposition: inline; filename="photo.png"'],
        },
      ],
      { kind: 'related' },
    )

  it('is shown without scripts, with its own images in place and no others', async () => {
    await start()
    deliver(related())
    const ticket = await readLast()
    const [message] = ticket.messages
    expect(message).toMatchObject({
      email: { html: { isOnly: true, hasRemote: true, showsRemote: false } },
      files: [{ filename: 'photo.png', role: 'inline', type: 'image/png' }],
    })
    const page = () => agent().send(readMessageHtml, at(message?.id ?? 0))
    const shown = await page()
    expect(shown.text).toContain(`<img src="/api/support/files/${message?.files[0]?.id}" alt="photo">`)
    expect(shown.text).toContain('<details><summary>Quoted text</summary><div class="gmail_quote">')
    expect(shown.text).not.toMatch(/<script|onerror|javascript:/)
    const policy = () => page().then(({ headers }) => headers.get('content-security-policy'))
    expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(shown.headers.get('x-frame-options')).toBe('SAMEORIGIN')
    expect(await policy()).toContain("default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'")
    expect(await policy()).not.toContain('allow-scripts')
    const allow = (isAllowed: boolean) =>
      agent().send(allowImages, { ...at(ticket.id), body: { messageId: message?.id ?? 0, isAllowed } })
    expect((await allow(true)).body).toEqual({ isAllowed: true })
    expect((await allow(true)).status).toBe(200)
    expect(await policy()).toContain("img-src 'self' data: https:;")
    const allowed = await agent().send(readTicket, at(ticket.id))
    expect(allowed.body.messages[0]?.email?.html?.showsRemote).toBe(true)
    // Only for this sender: a merge gave the message to another customer's ticket.
    const other = await makeTicket(server.db)
    expect(
      (await agent().send(mergeTicket, { ...at(ticket.id), body: { into: other.id, isSamePerson: true } })).status,
    ).toBe(200)
    expect(await policy()).toContain('https:')
    const within = { ...at(other.id), body: { messageId: message?.id ?? 0, isAllowed: false } }
    expect((await agent().send(allowImages, { ...within, ...at(ticket.id) })).status).toBe(404)
    expect((await agent().send(allowImages, within)).status).toBe(200)
    expect(await policy()).not.toContain('https:')
    expect((await server.as('users.tickets').send(readMessageHtml, at(message?.id ?? 0))).status).toBe(403)
  })

  it('has no HTML view when it is plain text, and text first when it has both', async () => {
    await start()
    deliver(partsLetter([text]))
    const [plain] = (await readLast()).messages
    expect(plain?.email?.html).toBeNull()
    expect((await agent().send(readMessageHtml, at(plain?.id ?? 0))).status).toBe(404)
    deliver(partsLetter([text, { type: 'text/html', content: '<b>See</b>' }], { kind: 'alternative', subject: 'b' }))
    const [both] = (await readLast(2)).messages
    expect(both).toMatchObject({ content: 'See the file.', email: { html: { isOnly: false, hasRemote: false } } })
  })
})

describe('with a virus scanner', () => {
  let scanner: Scanner
  const letterWith = (content: Buffer, subject: string) =>
    partsLetter([text, named('application/pdf', 'bill.pdf', content)], { subject })
  const startScanned = async () => {
    scanner = await openScanner()
    await start({ CLAMD_URL: scanner.url })
    ends.push(() => scanner.close())
  }
  const verdictOf = async (id: number) =>
    (await agent().send(readTicket, at(id))).body.messages[0]?.files.map(({ state }) => state)

  it('an infected file is not stored, and the thread says so', async () => {
    await startScanned()
    deliver(letterWith(EICAR, 'Bill'))
    const ticket = await readLast()
    const file = ticket.messages[0]?.files[0]
    expect(file).toMatchObject({ filename: 'bill.pdf', state: 'infected' })
    expect((await agent().send(readTicketFile, at(file?.id ?? 0))).status).toBe(404)
    expect(await storedKeys()).toEqual([])
    deliver(letterWith(pdf(500_000), 'Clean'))
    expect((await readLast(2)).messages[0]?.files[0]).toMatchObject({ state: 'ready' })
    expect(scanner.scanned.at(-1)?.equals(pdf(500_000))).toBe(true)
  })

  it('a file that comes while the scanner is down is closed until it was scanned', async () => {
    await start({ CLAMD_URL: 'unix:/nowhere/clamd.ctl' })
    deliver(letterWith(pdf(), 'Clean'))
    const clean = await readLast()
    deliver(letterWith(EICAR, 'Bill'))
    const bad = await readLast(2)
    const [file] = clean.messages[0]?.files ?? []
    expect(file?.state).toBe('unscanned')
    expect((await agent().send(readTicketFile, at(file?.id ?? 0))).failure.code).toBe('unscanned')
    const { services } = server.running
    expect(await scanWaitingFiles(services)).toEqual({ scanned: 0 })
    const up = await openScanner()
    ends.push(() => up.close())
    const scanned = { ...services, config: { ...services.config, scanner: { host: '127.0.0.1', port: up.port } } }
    expect(await scanWaitingFiles(scanned)).toEqual({ scanned: 2 })
    expect(await verdictOf(clean.id)).toEqual(['ready'])
    expect(await verdictOf(bad.id)).toEqual(['infected'])
    expect((await agent().send(readTicketFile, at(file?.id ?? 0))).status).toBe(200)
  })

  it('a file that the scanner cannot take waits', async () => {
    scanner = await openScanner({ limit: 1_000 })
    await start({ CLAMD_URL: scanner.url })
    ends.push(() => scanner.close())
    deliver(letterWith(pdf(5_000), 'Large'))
    expect((await readLast()).messages[0]?.files[0]?.state).toBe('unscanned')
  })
})

describe('a mailbox with its own mail server', () => {
  it('sends without a mail server of the company, and other emails wait', async () => {
    const smtp: MailServer = await openMailServer()
    ends.push(() => smtp.close())
    await start(
      { LIMBER_EMBEDDED: '0' },
      { smtp_host: '127.0.0.1', smtp_port: smtp.port, smtp_security: 'none', confirms: false },
    )
    const { services, courier } = server.running
    expect(services.channels.has('mail')).toBe(false)
    deliver(partsLetter([text]))
    const ticket = await readLast()
    const worker = agent()
    const body = { message: 'Thank you.', workerId: (await worker.worker()).id }
    expect((await worker.send(respondToTicket, { ...at(ticket.id), body })).status).toBe(200)
    await until(async () => expect(smtp.letters).toHaveLength(1))
    expect(smtp.letters[0]?.raw).toMatch(/^From: "?Coastline Help"? <help@example\.com>/m)
    await server.db.deleteFrom('ticket_mailboxes').execute()
    expect((await worker.send(respondToTicket, { ...at(ticket.id), body })).status).toBe(200)
    const waiting = () =>
      services.db.selectFrom('outbox').selectAll().where('state', '=', 'waiting').where('tries', '>', 0).execute()
    await until(async () => {
      await courier.run()
      expect(await waiting()).toHaveLength(1)
    })
    server.clock.advance(3 * 24 * 60 * 60 * 1000)
    await courier.run()
    expect(await waiting()).toHaveLength(1)
    expect(smtp.letters).toHaveLength(1)
  })
})
