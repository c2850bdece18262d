import { eraseUser, exportUser } from '@limber/contract/support/customers/account.ts'
import {
  listDraftFiles,
  readTicketFile,
  removeTicketFile,
  uploadTicketFile,
} from '@limber/contract/support/files/ticket-file.ts'
import { mergeTicket, readTicket, respondToTicket } from '@limber/contract/support/tickets/ticket.ts'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY, shift } from '#platform/clock.ts'
import { formBody } from '#platform/testing/testing.form.ts'
import { type MailServer, openMailServer } from '#platform/testing/testing.mail.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '../customers/customer.factory.ts'
import { makeTicket } from '../tickets/ticket.factory.ts'
import { removeFilesJob, sweepTicketFiles } from './files.jobs.ts'
import { fileKey } from './store-file.ts'
import { PNG, pdf } from './ticket-file.testing.ts'

let server: TestServer
let smtp: MailServer
let agent: TestCaller
let ticketId: number

beforeAll(async () => {
  smtp = await openMailServer()
  server = await startTestServer({ env: { SMTP_URL: smtp.url } })
})
afterAll(async () => {
  await server.stop()
  await smtp.close()
})
beforeEach(async () => {
  agent = server.as('tickets.handle')
  ticketId = (await makeTicket(server.db, { customer_email: 'ana@example.com' })).id
})

const at = (id: number) => ({ params: { id: String(id) } })
const upload = (content: Buffer | string, filename = 'receipt.pdf', by = agent, id = ticketId) => {
  const form = formBody([{ name: 'file', filename, content }])
  return by.send(uploadTicketFile, at(id), form)
}
const respond = async (files: number[], by = agent, id = ticketId) =>
  by.send(respondToTicket, { ...at(id), body: { message: 'Here it is.', workerId: (await by.worker()).id, files } })
const storedNames = async () => {
  const names: string[] = []
  for await (const { key } of server.running.services.storage.list(fileKey(''))) names.push(key)
  return names
}
const nameOf = async (id: number) =>
  (await server.db.selectFrom('ticket_files').select('name').where('id', '=', id).executeTakeFirst())?.name ?? ''

describe('a file for a reply', () => {
  it('is kept as it is, with the type of its content', async () => {
    const { status, body } = await upload(pdf(), 'C:\\fakepath\\my receipt.exe')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      filename: 'my receipt.exe',
      type: 'application/pdf',
      bytes: 600,
      width: null,
      role: 'attachment',
      state: 'ready',
    })
    expect((await agent.send(listDraftFiles, at(ticketId))).body).toEqual([body])
    const picture = await upload(PNG, 'photo')
    expect(picture.body).toMatchObject({ type: 'image/png', width: 2, height: 1 })
  })

  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'x.png'],
    ['an XML document', '<?xml version="1.0"?><svg/>', 'x.svg'],
    ['HTML', '<!doctype html><script>alert(1)</script>', 'x.jpg'],
    ['HTML after a comment', '<!-- x --><html>', 'x.txt'],
    ['a program', Buffer.from('MZ\u0090\0\u0003\0\0\0', 'latin1'), 'x.pdf'],
    ['an archive', Buffer.from('PK\u0003\u0004aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'latin1'), 'x.gif'],
    ['half a PNG', PNG.subarray(0, 20), 'x.png'],
  ])('%s is only ever a download without a meaning', async (_what, content, name) => {
    const { body } = await upload(content, name)
    const read = await agent.send(readTicketFile, at(body.id))
    expect(read.status).toBe(200)
    expect(read.headers.get('content-type')).toBe('application/octet-stream')
    expect(read.headers.get('content-disposition')).toMatch(/^attachment; /)
    expect(read.headers.get('x-content-type-options')).toBe('nosniff')
    expect(read.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  })

  it.each([
    ['a picture', PNG, 'image/png', 'inline'],
    ['a PDF file', pdf(), 'application/pdf', 'inline'],
    ['text', Buffer.from('Hello é'), 'text/plain; charset=utf-8', 'attachment'],
    ['long text that is cut in a character', Buffer.from('é'.repeat(5_000)), 'text/plain; charset=utf-8', 'attachment'],
  ])('%s is served as %s', async (_what, content, type, disposition) => {
    const { body } = await upload(content, 'a"b\r\nX: y.bin')
    const read = await agent.send(readTicketFile, at(body.id))
    expect(read.headers.get('content-type')).toBe(type)
    expect(read.headers.get('content-disposition')).toMatch(new RegExp(`^${disposition}; `))
    expect(read.headers.get('content-security-policy')).toContain('sandbox')
    const down = await agent.send(readTicketFile, { ...at(body.id), query: { download: '1' } })
    expect(down.headers.get('content-disposition')).toMatch(/^attachment; /)
  })

  it('is closed to others until the reply is sent, and to people without the permission', async () => {
    const { body } = await upload(pdf())
    const other = server.as('tickets.handle')
    expect((await other.send(readTicketFile, at(body.id))).status).toBe(404)
    expect((await other.send(removeTicketFile, at(body.id))).status).toBe(404)
    expect((await other.send(listDraftFiles, at(ticketId))).body).toEqual([])
    expect((await respond([body.id], other)).failure.code).toBe('no_file')
    expect((await server.as('users.tickets').send(readTicketFile, at(body.id))).status).toBe(403)
    expect((await server.anonymous().send(readTicketFile, at(body.id))).status).toBe(401)
    expect((await respond([body.id])).status).toBe(200)
    expect((await other.send(readTicketFile, at(body.id))).status).toBe(200)
    expect((await agent.send(removeTicketFile, at(body.id))).status).toBe(404)
  })

  it('is refused when it is empty, missing, too large, one of two, or for no ticket', async () => {
    expect((await upload('')).failure.code).toBe('empty_file')
    expect((await upload(Buffer.alloc(25 * 1024 * 1024 + 1))).failure.code).toBe('too_large')
    const two = formBody([
      { name: 'file', filename: 'a', content: 'a' },
      { name: 'file', filename: 'b', content: 'b' },
    ])
    expect((await agent.send(uploadTicketFile, at(ticketId), two)).failure.code).toBe('one_file')
    const none = formBody([{ name: 'other', filename: 'a', content: 'a' }])
    expect((await agent.send(uploadTicketFile, at(ticketId), none)).failure.code).toBe('malformed')
    expect((await upload('x', 'x', agent, 999_999)).failure.code).toBe('not_found')
    expect((await agent.send(listDraftFiles, at(ticketId))).body).toEqual([])
  })

  it('is refused beyond 25 MB or 20 files of one message, also when two uploads run at once', async () => {
    const large = Buffer.alloc(13 * 1024 * 1024, 1)
    const both = await Promise.all([upload(large), upload(large)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 413])
    const [left] = (await agent.send(listDraftFiles, at(ticketId))).body
    await agent.send(removeTicketFile, at(left?.id ?? 0))
    for (let n = 0; n < 20; n++) expect((await upload('x')).status).toBe(200)
    expect((await upload('x')).failure.code).toBe('too_many_files')
  })

  it('is refused beyond 5 GB of a worker a day, and leaves nothing', async () => {
    const before = await storedNames()
    const sent_at = server.clock.now()
    const { id } = await agent.worker()
    await server.db
      .insertInto('worker_uploads')
      .values({ worker_id: id, bytes: 5 * 1024 ** 3 - 100, sent_at })
      .execute()
    const reply = await upload(pdf(5_000))
    expect([reply.status, reply.failure.code]).toEqual([429, 'quota'])
    expect(await storedNames()).toEqual(before)
    await server.db
      .updateTable('worker_uploads')
      .set({ sent_at: shift(sent_at, -DAY) })
      .where('worker_id', '=', id)
      .execute()
    expect((await upload(pdf(5_000))).status).toBe(200)
  })

  it('leaves nothing in the storage when it is refused or removed', async () => {
    const before = await storedNames()
    await upload('x', 'x', agent, 999_999)
    await upload(Buffer.alloc(26 * 1024 * 1024))
    const { body } = await upload('y')
    const name = await nameOf(body.id)
    expect((await storedNames()).length).toBe(before.length + 1)
    expect((await agent.send(removeTicketFile, at(body.id))).status).toBe(200)
    await removeFilesJob.run(server.running.services, { names: [name] })
    expect(await storedNames()).toEqual(before)
  })

  it('is swept a day later when the reply was never sent', async () => {
    const { body } = await upload('draft')
    const sent = await upload('sent')
    await respond([sent.body.id])
    const stored = fileKey(await nameOf(sent.body.id))
    server.clock.advance(2 * DAY)
    // The files themselves are as old as the machine's clock says, so the sweep of a moment far ahead sees them as old.
    const clock = { ...server.clock, now: () => shift(new Date(), 3 * DAY) }
    await sweepTicketFiles({ ...server.running.services, clock })
    expect((await server.as('tickets.handle').send(readTicketFile, at(body.id))).status).toBe(404)
    expect(await storedNames()).toContain(stored)
    expect((await server.as('tickets.handle').send(readTicketFile, at(sent.body.id))).status).toBe(200)
  })
})

describe('a reply with files', () => {
  it('leaves with them, whole', async () => {
    const content = pdf(3_000_000)
    const one = await upload(content, 'Quittung für März.pdf')
    const two = await upload(PNG, 'photo.png')
    const { status, body } = await respond([one.body.id, two.body.id])
    expect(status).toBe(200)
    expect(body.messages.at(-1)?.files).toMatchObject([
      { filename: 'Quittung für März.pdf', type: 'application/pdf', bytes: 3_000_000 },
      { filename: 'photo.png', type: 'image/png', width: 2 },
    ])
    const key = body.messages.at(-1)?.id
    const isOurs = ({ raw }: { raw: string }) =>
      raw.includes(Buffer.from(`ticket-message-${key}`).toString('base64url'))
    await vi.waitFor(() => expect(smtp.letters.some(isOurs)).toBe(true), { timeout: 50_000 })
    const mail = await PostalMime.parse(smtp.letters.find(isOurs)?.raw ?? '')
    expect(mail.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      ['Quittung für März.pdf', 'application/pdf'],
      ['photo.png', 'image/png'],
    ])
    expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).equals(content)).toBe(true)
    expect(Buffer.from(mail.attachments[1]?.content as ArrayBuffer).equals(PNG)).toBe(true)
    expect(mail.text).toContain('Here it is.')
  })

  it('is refused with a file of another ticket, one that was sent, or one twice', async () => {
    const { body } = await upload('x')
    const other = await makeTicket(server.db, { customer_email: 'eve@example.com' })
    expect((await respond([body.id], agent, other.id)).failure.code).toBe('no_file')
    expect((await respond([body.id, body.id])).failure.code).toBe('no_file')
    expect((await respond([body.id])).status).toBe(200)
    expect((await respond([body.id])).failure.code).toBe('no_file')
    expect((await agent.send(readTicket, at(ticketId))).body.messageCount).toBe(2)
  })

  it('keeps its files when the ticket is merged', async () => {
    const { body } = await upload('x')
    await respond([body.id])
    const into = await makeTicket(server.db, { customer_email: 'ana@example.com' })
    const merged = await agent.send(mergeTicket, { ...at(ticketId), body: { into: into.id } })
    expect(merged.body.messages.flatMap(({ files }) => files)).toMatchObject([{ id: body.id }])
    expect((await upload('late')).failure.code).toBe('merged')
  })
})

describe('the files of a person', () => {
  it('are in the export, and erased with the person', async () => {
    const owner = server.asOwner({ isSteppedUp: true })
    const person = await makeCustomer(server.db, { email: 'mia@example.com' })
    const ticket = await makeTicket(server.db, { customer_id: person.id, customer_email: person.email })
    const sent = await upload(pdf(), 'mias-id.pdf', owner, ticket.id)
    await respond([sent.body.id], owner, ticket.id)
    const draft = await upload('draft', 'mia.txt', owner, ticket.id)
    const names = [await nameOf(sent.body.id), await nameOf(draft.body.id)]
    const exported = await owner.send(exportUser, { ...at(person.id), body: { reason: 'asked for it' } })
    expect(exported.text).toContain('mias-id.pdf')
    const gone = { reason: 'asked for it', email: person.email }
    expect((await owner.send(eraseUser, { ...at(person.id), body: gone })).status).toBe(200)
    expect((await owner.send(readTicketFile, at(sent.body.id))).status).toBe(404)
    expect((await owner.send(readTicketFile, at(draft.body.id))).status).toBe(404)
    const jobs = await server.db.selectFrom('outbox').select('key').where('channel', '=', 'job').execute()
    expect(jobs.some(({ key }) => names.some((name) => key === `support-files:${name}`))).toBe(true)
    await removeFilesJob.run(server.running.services, { names })
    for (const name of names) expect(await server.running.services.storage.size(fileKey(name))).toBeUndefined()
  })
})
