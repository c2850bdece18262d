// @module-tag slow
import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { verifyCredentials } from '@limber/contract/access/sign-in/sign-in.ts'
import { addNote } from '@limber/contract/support/customers/note.ts'
import { uploadAsset } from '@limber/contract/training/assets/asset.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestServer, TEST_ORIGIN, type TestServer } from '../testing/testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** Sends raw bytes; returns everything received until the server closed the connection. */
async function sendRaw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString()
  })
  socket.on('error', () => {})
  socket.write(bytes)
  await once(socket, 'close')
  return answer
}

const head = (...lines: string[]) =>
  [`POST ${verifyCredentials.path} HTTP/1.1`, 'host: localhost', `origin: ${TEST_ORIGIN}`, ...lines].join('\r\n')
const statuses = (answer: string) => [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => status)

describe('raw requests', () => {
  it.concurrent.each([
    ['a body that never arrives', 'content-length: 40'],
    ['a chunked body without an end', 'transfer-encoding: chunked'],
  ])('G8 times out %s after fifteen seconds', { timeout: 40_000 }, async (_, length) => {
    const began = performance.now()
    const answer = await sendRaw(`${head('content-type: application/json', length)}\r\n\r\n9\r\n{"email":`)
    expect(statuses(answer)).toEqual(['408'])
    expect(answer).toContain('The request took too long to arrive.')
    expect(performance.now() - began).toBeGreaterThan(14_000)
  })

  const endless = 'transfer-encoding: chunked\r\n\r\n9\r\n{"email":\r\n'
  const typed = `content-type: application/json\r\n${endless}`
  it.each([
    ['on an unknown path', `POST /nope HTTP/1.1\r\nhost: localhost\r\n${typed}`, '404'],
    ['without a type', `POST /nope HTTP/1.1\r\nhost: localhost\r\n${endless}`, '404'],
    ['with a length', 'PUT /api/nope HTTP/1.1\r\nhost: localhost\r\ncontent-length: 40\r\n\r\n{', '404'],
    ['with another method', `DELETE ${checkSession.path} HTTP/1.1\r\nhost: localhost\r\n${typed}`, '404'],
    ['with an unknown method', `PROPFIND /nope HTTP/1.1\r\nhost: localhost\r\n${typed}`, '404'],
    ['on a path that cannot be decoded', `POST /api/%zz HTTP/1.1\r\nhost: localhost\r\n${typed}`, '400'],
    ['of a GET request', `GET /healthz HTTP/1.1\r\nhost: localhost\r\n${endless}`, '200'],
    ['of another type', `${head('content-type: text/plain')}\r\n${endless}`, '415'],
  ])(
    'G8 replies before a body %s that never ends, and closes the connection',
    { timeout: 10_000 },
    async (_, request, status) => {
      expect(statuses(await sendRaw(request))).toEqual([status])
    },
  )

  it('G8 drops an upload that sends nothing for a minute', async () => {
    const { token, csrf } = await server.signIn(['training.manage'])
    const wait = Socket.prototype.setTimeout
    const waits = vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms, done) {
      return wait.call(this, ms === 60_000 ? 100 : ms, done)
    })
    const request = [
      `POST ${uploadAsset.path} HTTP/1.1`,
      'host: localhost',
      `origin: ${TEST_ORIGIN}`,
      `cookie: sid=${token}`,
      `x-csrf-token: ${csrf}`,
      'content-type: multipart/form-data; boundary=x',
      'content-length: 4000',
    ]
    const answer = await sendRaw(`${request.join('\r\n')}\r\n\r\n--x\r\n`).finally(() => waits.mockRestore())
    expect(answer).toBe('')
  })

  const smuggled = `0\r\n\r\nGET ${checkSession.path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
  it.each([
    ['a length and chunks', head(`content-length: ${smuggled.length}`, 'transfer-encoding: chunked')],
    ['two lengths', head('content-length: 4', `content-length: ${smuggled.length}`)],
    ['a disguised encoding', head('content-length: 4', 'transfer-encoding: xchunked')],
    ['a bare line feed in a header', head('x-note: a\ntransfer-encoding: chunked', 'content-length: 4')],
    ['a bare carriage return in a header', head('x-note: a\rcontent-length: 0', 'content-length: 4')],
    ['a NUL in a header', head('x-note: a\0b', 'content-length: 4')],
    ['two hosts', head('content-length: 4', 'Host: evil.example')],
    ['two equal hosts', head('content-length: 4', 'hOST: localhost')],
  ])('G12 refuses %s with 400, closes the connection, and reads no second request', async (_, request) => {
    expect(statuses(await sendRaw(`${request}\r\n\r\n${smuggled}`))).toEqual(['400'])
  })
})

it.each(['/', '/healthz', '/api/nope', checkSession.path])('G12 refuses two hosts on %s with 400', async (path) => {
  const answer = await sendRaw(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n\r\n`)
  expect(statuses(answer)).toEqual(['400'])
  expect(answer).toContain('The request has more than one Host header.')
})

describe('a repeated request', () => {
  it('gets 409 while the first one is still running', async () => {
    const caller = server.as('users.overview', 'users.directory')
    const { id } = await caller.worker()
    const key = 'still-running-0001'
    const finish = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const first = server.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(7214002, hashtext(${`${id}:${key}`}))`.execute(tx)
      held.resolve()
      await finish.promise
    })
    await held.promise
    const input = { params: { id: '1' }, body: { note: 'Prefers mornings' } }
    const reply = await caller.send(addNote, input, { headers: { 'idempotency-key': key } })
    expect(reply).toMatchObject({ status: 409, failure: { code: 'still_running' } })
    expect(reply.headers.get('retry-after')).toBe('1')
    finish.resolve()
    await first
  })
})

describe('on https', () => {
  let secure: TestServer
  beforeAll(async () => {
    secure = await startTestServer({ env: { PUBLIC_URL: 'https://limber.example.com' } })
  })
  afterAll(() => secure.stop())
  const origin = { origin: 'https://limber.example.com' }

  it('cookies use the __Host- prefix and are secure', async () => {
    const reply = await secure
      .anonymous()
      .send(verifyCredentials, { body: { email: 'a@example.com' } }, { headers: origin })
    const lines = reply.headers.getSetCookie()
    expect(lines.map((line) => line.split('=')[0]).sort()).toEqual(['__Host-csrf', '__Host-flow'])
    for (const line of lines) expect(line).toMatch(/; Path=\/; SameSite=Strict; Secure\b/)
    for (const line of lines) expect(line).not.toMatch(/domain/i)
    expect(lines.find((line) => line.startsWith('__Host-flow'))).toContain('; HttpOnly')
  })
  it('a session is read from the prefixed cookie only', async () => {
    const { token } = await secure.signIn([])
    const check = (cookie: string) => secure.anonymous().send(checkSession, {}, { headers: { cookie } })
    expect((await check(`__Host-sid=${token}`)).status).toBe(200)
    expect((await check(`sid=${token}`)).status).toBe(401)
  })
  it('browsers are told to use https for a year, but not on http', async () => {
    const asked = (one: TestServer) => fetch(`${one.url}/healthz`)
    expect((await asked(secure)).headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    expect((await asked(server)).headers.get('strict-transport-security')).toBeNull()
  })
})
