import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { checkMailbox, createMailbox, listMailboxes } from '@limber/contract/support/mailboxes/mailbox.ts'
import { listTickets, respondToTicket } from '@limber/contract/support/tickets/ticket.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HOUR } from '#platform/clock.ts'
import { type MailServer, openMailServer } from '#platform/testing/testing.mail.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { type ImapServer, openImapServer } from './imap.testing.ts'
import { draftMailbox, hastyTimes, letter } from './mailbox.testing.ts'
import { startMailboxReader } from './mailbox-reader.ts'

let server: TestServer
let service: Awaited<ReturnType<typeof openTokenService>>
let imap: ImapServer
let smtp: MailServer
let readers: ReturnType<typeof startMailboxReader>[]

/** A sign-in service that exchanges refresh tokens. Each exchange ends the access token before it. */
async function openTokenService() {
  const asked: Record<string, string>[] = []
  let refreshToken = 'refresh-1'
  let count = 0
  let answer: { status: number; body: unknown } | undefined
  let rotates = false
  const exchange = async (request: IncomingMessage, reply: ServerResponse) => {
    const sent = Object.fromEntries(new URLSearchParams(await text(request)))
    asked.push(sent)
    const isRight =
      sent.grant_type === 'refresh_token' &&
      sent.client_id === 'limber' &&
      sent.client_secret === 'client-secret' &&
      sent.refresh_token === refreshToken
    const refused = { status: 400, body: { error: 'invalid_grant', error_description: 'Token has been revoked.' } }
    if (isRight && !answer) {
      count += 1
      if (rotates) refreshToken = `refresh-${count + 1}`
    }
    const fresh = { access_token: `access-${count}`, expires_in: 3600, ...(rotates && { refresh_token: refreshToken }) }
    const { status, body } = answer ?? (isRight ? { status: 200, body: fresh } : refused)
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const service = createServer((request, reply) => void exchange(request, reply))
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(service.address() as AddressInfo).port}/token`,
    asked,
    token: () => `access-${count}`,
    /** Ends the access token, as a sign-out everywhere does. */
    revoke: () => {
      count += 1
    },
    rotate: () => {
      rotates = true
    },
    say: (next: typeof answer) => {
      answer = next
    },
    close: () => new Promise((done) => service.close(done)),
  }
}

beforeEach(async () => {
  service = await openTokenService()
  imap = await openImapServer({ token: service.token })
  smtp = await openMailServer(0, { user: 'help@example.com', token: service.token })
  server = await startTestServer({ env: { LIMBER_EMBEDDED: '0' } })
  readers = []
})
afterEach(async () => {
  await Promise.all(readers.map((reader) => reader.close()))
  await server.stop()
  await Promise.all([imap.close(), smtp.close(), service.close()])
})

const lead = () => server.asSteppedUp('notifications.send')
const agent = () => server.as('tickets.handle')
const until = <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 50_000, interval: 50 })
const state = async () => (await lead().send(listMailboxes)).body[0]
const tickets = async () => (await agent().send(listTickets)).body
const draft = (more = {}) =>
  draftMailbox(imap, {
    imap_auth: 'oauth',
    imap_secret: 'refresh-1',
    oauth_url: 'https://tokens.example.com/token',
    oauth_client_id: 'limber',
    oauth_secret: 'client-secret',
    smtp_host: '127.0.0.1',
    smtp_port: smtp.port,
    smtp_security: 'none',
    smtp_auth: 'oauth',
    ...more,
  })
/** Token addresses must be https; the one of the test is not. */
const add = async () => {
  expect((await lead().send(createMailbox, { body: draft() })).status).toBe(200)
  await server.db.updateTable('mailboxes').set({ oauth_url: service.url }).execute()
}
const read = () => readers.push(startMailboxReader(server.running.services, hastyTimes))
const answer = async (message: string) => {
  const caller = agent()
  const [ticket] = await tickets()
  const body = { message, workerId: (await caller.worker()).id }
  const sent = await caller.send(respondToTicket, { params: { id: String(ticket?.id) }, body })
  expect(sent.status).toBe(200)
}

describe('a mailbox with OAuth 2.0', () => {
  it('is read, and sends its replies, with tokens from the refresh token', async () => {
    await add()
    read()
    await until(async () => expect((await state())?.state).toBe('connected'))
    imap.deliver(letter({ text: 'Hello' }), server.clock.now())
    await until(async () => expect(await tickets()).toHaveLength(1))
    await answer('Good morning.')
    await until(async () => expect(smtp.letters).toHaveLength(1))
    expect(smtp.letters[0]?.raw).toContain('Good morning.')
    expect(service.asked[0]).toEqual({
      grant_type: 'refresh_token',
      client_id: 'limber',
      client_secret: 'client-secret',
      refresh_token: 'refresh-1',
    })
  })

  it('keeps a token until shortly before its end, and gets another one when it is refused', async () => {
    await add()
    read()
    await until(async () => expect((await state())?.state).toBe('connected'))
    imap.deliver(letter({ text: 'Hello' }), server.clock.now())
    await until(async () => expect(await tickets()).toHaveLength(1))
    for (const [place, text] of ['one', 'two'].entries()) {
      await answer(text)
      await until(async () => expect(smtp.letters).toHaveLength(place + 1))
    }
    const before = service.asked.length
    expect(before).toBe(2)
    server.clock.advance(HOUR)
    await answer('three')
    await until(async () => expect(smtp.letters).toHaveLength(3))
    expect(service.asked).toHaveLength(before + 1)
    service.revoke()
    await answer('four')
    await until(async () => {
      await server.db
        .updateTable('outbox')
        .set({ next_try_at: server.clock.now() })
        .where('state', '=', 'waiting')
        .execute()
      await server.running.courier.run()
      expect(smtp.letters).toHaveLength(4)
    })
    imap.cutAll()
    await until(async () => expect(imap.signIns()).toBeGreaterThan(1))
  })

  it('stores the refresh token that replaces the one before', async () => {
    service.rotate()
    await add()
    read()
    await until(async () => expect((await state())?.state).toBe('connected'))
    imap.cutAll()
    await until(async () => expect(imap.signIns()).toBe(2))
    imap.cutAll()
    await until(async () => expect(imap.signIns()).toBe(3))
    expect(service.asked.map(({ refresh_token }) => refresh_token)).toEqual(['refresh-1', 'refresh-2', 'refresh-3'])
  })

  it('says that the refresh token was refused, or that the service is down', async () => {
    service.say({ status: 400, body: { error: 'invalid_grant' } })
    await add()
    read()
    await until(async () => expect((await state())?.error).toBe('The sign-in service refused the refresh token.'))
    service.say({ status: 503, body: 'busy' })
    await until(async () => expect((await state())?.error).toMatch(/^The sign-in service did not answer/))
    service.say(undefined)
    await until(async () => expect((await state())?.state).toBe('connected'))
  })

  it('is refused when only its replies would use a token', async () => {
    const alone = draft({ imap_auth: 'password', imap_secret: 'password', smtp_auth: 'oauth' })
    expect((await lead().send(createMailbox, { body: alone })).failure.code).toBe('token_needed')
    expect((await lead().send(checkMailbox, { body: alone })).failure.code).toBe('token_needed')
  })

  it('is checked without showing a secret', async () => {
    const { body, text: said } = await lead().send(checkMailbox, {
      body: draft({ oauth_url: 'https://127.0.0.1:1/token' }),
    })
    expect(body.imap).toMatchObject({ isOk: false })
    expect(body.smtp?.summary).toMatch(/^The sign-in service did not answer/)
    expect(said).not.toMatch(/refresh-1|client-secret/)
  })
})
