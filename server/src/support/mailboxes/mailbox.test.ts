import {
  checkMailbox,
  createMailbox,
  deleteMailbox,
  listMailboxes,
  updateMailbox,
} from '@limber/contract/support/mailboxes/mailbox.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { type ImapServer, openImapServer } from './imap.testing.ts'
import { draftMailbox } from './mailbox.testing.ts'

let server: TestServer
let imap: ImapServer

beforeAll(async () => {
  server = await startTestServer()
  imap = await openImapServer()
})
afterAll(async () => {
  await server.stop()
  await imap.close()
})
beforeEach(() => server.db.deleteFrom('mailboxes').execute())

const lead = () => server.asSteppedUp('notifications.send')
const create = async (more = {}) => (await lead().send(createMailbox, { body: draftMailbox(imap, more) })).body

describe('mailboxes', () => {
  it('are created, changed and deleted, and never show a password', async () => {
    const made = await lead().send(createMailbox, { body: draftMailbox(imap) })
    expect(made.body).toMatchObject({ address: 'help@example.com', state: 'waiting', hasImapSecret: true, version: 1 })
    const { imap_secret: _, ...kept } = draftMailbox(imap, { name: 'Help desk' })
    const changed = await lead().send(updateMailbox, {
      params: { id: String(made.body.id) },
      body: { ...kept, version: 1 },
    })
    expect(changed.body).toMatchObject({ name: 'Help desk', hasImapSecret: true, version: 2 })
    const listed = await lead().send(listMailboxes)
    expect(listed.text).not.toContain(imap.login.password)
    expect(listed.body).toHaveLength(1)
    const row = await server.db.selectFrom('mailboxes').select('imap_secret').executeTakeFirstOrThrow()
    expect(row.imap_secret?.toString('latin1')).not.toContain(imap.login.password)
    expect((await lead().send(deleteMailbox, { params: { id: String(made.body.id) } })).status).toBe(200)
    expect((await lead().send(deleteMailbox, { params: { id: String(made.body.id) } })).status).toBe(404)
  })

  it('sign in with their address where no user is given', async () => {
    const smtp = { smtp_host: '127.0.0.1', smtp_secret: 'open-sesame' }
    const body = draftMailbox(imap, { imap_username: '', ...smtp })
    expect((await lead().send(checkMailbox, { body })).body.imap).toMatchObject({ isOk: true })
    const address = 'help@example.com'
    expect(await create({ imap_username: '', ...smtp })).toMatchObject({
      imap_username: address,
      smtp_username: address,
    })
    const open = await create({ address: 'billing@example.com', smtp_host: '127.0.0.1' })
    expect(open.smtp_username).toBe('')
  })

  it('are closed to others, and need a passkey to change', async () => {
    expect((await server.as('tickets.handle').send(listMailboxes)).status).toBe(403)
    expect((await server.anonymous().send(listMailboxes)).status).toBe(401)
    const plain = await server.as('notifications.send').send(createMailbox, { body: draftMailbox(imap) })
    expect(plain.status).toBe(403)
    expect(await server.db.selectFrom('mailboxes').selectAll().execute()).toEqual([])
  })

  it('have one address each', async () => {
    await create()
    const again = await lead().send(createMailbox, { body: draftMailbox(undefined) })
    expect([again.status, again.failure.code]).toEqual([409, 'address_taken'])
    const other = await create({ address: 'billing@example.com' })
    const moved = await lead().send(updateMailbox, {
      params: { id: String(other.id) },
      body: { ...draftMailbox(imap), version: other.version },
    })
    expect([moved.status, moved.failure.code]).toEqual([409, 'address_taken'])
  })

  it('never send a stored password to another server or user', async () => {
    const { id, version } = await create()
    const { imap_secret: _, ...kept } = draftMailbox(imap)
    for (const other of [{ imap_host: 'localhost' }, { imap_username: 'eve' }]) {
      const body = { ...kept, ...other }
      const changed = await lead().send(updateMailbox, { params: { id: String(id) }, body: { ...body, version } })
      expect([changed.status, changed.failure.code]).toEqual([422, 'secret_needed'])
      const checked = await lead().send(checkMailbox, { body: { ...body, id } })
      expect([checked.status, checked.failure.code]).toEqual([422, 'secret_needed'])
    }
  })

  it('never send a stored token or an SMTP password to another server', async () => {
    const draft = draftMailbox(imap, {
      imap_auth: 'oauth',
      imap_secret: 'refresh-token',
      oauth_url: 'https://sign-in.example.com/token',
      oauth_client_id: 'limber',
      oauth_secret: 'client-secret',
      smtp_host: 'smtp.example.com',
      smtp_username: 'help',
      smtp_secret: 'smtp-password',
    })
    const { id, version } = (await lead().send(createMailbox, { body: draft })).body
    const { imap_secret: _i, oauth_secret: _o, smtp_secret: _s, ...kept } = draft
    for (const other of [
      { oauth_url: 'https://elsewhere.example.com/token' },
      { oauth_client_id: 'eve' },
      { smtp_host: 'smtp.elsewhere.example.com' },
      { smtp_username: 'eve' },
    ]) {
      const body = { ...kept, ...other, version }
      const changed = await lead().send(updateMailbox, { params: { id: String(id) }, body })
      expect([other, changed.failure.code]).toEqual([other, 'secret_needed'])
    }
    const same = { ...kept, name: 'Help desk', version }
    expect((await lead().send(updateMailbox, { params: { id: String(id) }, body: same })).status).toBe(200)
  })

  it('are named in the audit log without a secret', async () => {
    const { id, version } = await create()
    const body = { ...draftMailbox(imap, { imap_secret: 'another-password' }), version }
    expect((await lead().send(updateMailbox, { params: { id: String(id) }, body })).status).toBe(200)
    const rows = await server.db.selectFrom('audit_log').selectAll().where('subject', '=', 'mailbox').execute()
    expect(rows.at(-1)?.after).toMatchObject({ imap_secret: 'changed' })
    for (const secret of [imap.login.password, 'another-password']) expect(JSON.stringify(rows)).not.toContain(secret)
  })

  it('refuse a stale change, an IMAP mailbox without a server, and bad input', async () => {
    const { id } = await create()
    const stale = await lead().send(updateMailbox, {
      params: { id: String(id) },
      body: { ...draftMailbox(imap), version: 9 },
    })
    expect(stale.status).toBe(409)
    const hostless = await lead().send(createMailbox, {
      body: draftMailbox(imap, { address: 'b@example.com', imap_host: '' }),
    })
    expect(hostless.failure.code).toBe('host_needed')
    for (const bad of [
      { address: 'x' },
      { imap_host: 'a b' },
      { imap_port: 0 },
      { oauth_url: 'http://example.com' },
      { name: 'a\r\nBcc: x' },
    ])
      expect((await lead().send(createMailbox, { body: draftMailbox(imap, bad) })).status).toBe(400)
  })
})

describe('a check of the settings', () => {
  it('says what works', async () => {
    const { body } = await lead().send(checkMailbox, { body: draftMailbox(imap) })
    expect(body).toEqual({ imap: { isOk: true, summary: 'Limber can read this mailbox.', answer: '' }, smtp: null })
  })

  it('says what does not, without the password', async () => {
    const draft = draftMailbox(imap, {
      imap_secret: 'not-this-one',
      smtp_host: '127.0.0.1',
      smtp_port: 1,
      smtp_security: 'none',
    })
    const { body, text } = await lead().send(checkMailbox, { body: draft })
    expect(body.imap).toMatchObject({ isOk: false, summary: 'The server refused the user or the password.' })
    expect(body.smtp).toMatchObject({ isOk: false })
    expect(body.smtp?.summary).toMatch(/^Couldn't connect to the server/)
    expect(text).not.toContain('not-this-one')
  })
})
