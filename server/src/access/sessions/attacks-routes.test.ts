// @module-tag slow
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkSession, signOut } from '@limber/contract/access/sessions/session.ts'
import { finalizeLogin, verifyCredentials } from '@limber/contract/access/sign-in/sign-in.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_ORIGIN, type TestServer } from '#platform/testing/testing.ts'
import {
  type Browser,
  makeAccount,
  openBrowser,
  signedIn,
  signInUntil,
  startAccessServer,
} from '../sign-in/sign-in.testing.ts'

let server: TestServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limber-pages-'))
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><script nonce="__CSP_NONCE__" src="/assets/app.js"></script>',
  )
  server = await startAccessServer({ LIMBER_WEB: folder })
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

const cookieOf = (browser: Browser) => [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' })

describe('the pages', () => {
  it.each([
    '/redirect?to=https://evil.example',
    '/redirect//evil.example',
    '/redirect?next=javascript:alert(1)',
    '//evil.example/redirect',
    '/redirect/%2f%2fevil.example',
    '/redirect?to=%0d%0aLocation:%20https://evil.example',
  ])('R1 do not redirect to another site by %s', async (path) => {
    const reply = await open(path)
    expect([reply.status < 300 || reply.status >= 400, reply.headers.get('location')]).toEqual([true, null])
    expect(await reply.text()).not.toContain('evil')
  })

  it.each(['/', '/dashboard/worker-profile', '/anything/at/all', '/onboarding?token=x', '/recovery'])(
    'R3 R4 show %s to a stranger without data and external resources',
    async (path) => {
      const account = await makeAccount(server)
      const mine = await signedIn(server, account)
      const [stranger, owner] = [await open(path), await open(path, { cookie: cookieOf(mine) })]
      const policy = stranger.headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(/default-src 'none'/)
      expect(policy).not.toMatch(/https?:|\*|unsafe/)
      expect(stranger.headers.get('referrer-policy')).toBe('no-referrer')
      const bare = (text: string) => text.replace(/nonce="[^"]+"/, '')
      expect(bare(await owner.text())).toBe(bare(await stranger.text()))
    },
  )
})

describe('the calls', () => {
  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'])('G6 do nothing for %s on a POST path', async (method) => {
    const browser = await signedIn(server, await makeAccount(server))
    const headers = {
      cookie: cookieOf(browser),
      origin: TEST_ORIGIN,
      'x-csrf-token': browser.cookies.get('csrf') ?? '',
    }
    const reply = await fetch(server.url + signOut.path, { method, headers })
    expect([404, 405]).toContain(reply.status)
    expect((await browser.send(checkSession)).status).toBe(200)
  })

  it('G6 ignore a method override', async () => {
    const browser = await signedIn(server, await makeAccount(server))
    const headers = {
      cookie: cookieOf(browser),
      'x-http-method-override': 'POST',
      'x-csrf-token': browser.cookies.get('csrf') ?? '',
    }
    await fetch(`${server.url}${signOut.path}?_method=POST`, { headers })
    expect((await browser.send(checkSession)).status).toBe(200)
  })

  it('G11 allow no other site in a preflight', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const reply = await fetch(server.url + verifyCredentials.path, { method: 'OPTIONS', headers })
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
  })

  it.each([
    ['a duplicate key', '{"email":"a@example.com","email":"b@example.com"}'],
    ['a prototype', '{"email":"a@example.com","__proto__":{"x":1}}'],
    ['six hundred nested levels', `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`],
    ['1e400', '{"email":1e400}'],
    ['2^53 + 1', '{"email":9007199254740993}'],
    ['half a character', '{"email":"\\ud800@example.com"}'],
    ['a NUL', '{"email":"a\\u0000@example.com"}'],
  ])('G7 refuse a body with %s', async (_title, rawBody) => {
    const headers = { 'content-type': 'application/json' }
    expect((await openBrowser(server).send(verifyCredentials, {}, { rawBody, headers })).status).toBe(400)
  })

  it('G8 refuse a body that is one byte too long', async () => {
    const email = 'a'.repeat(4096 - '{"email":""}'.length)
    const send = (text: string) =>
      openBrowser(server).send(
        verifyCredentials,
        {},
        { rawBody: text, headers: { 'content-type': 'application/json' } },
      )
    expect((await send(`{"email":"${email}"}`)).status).toBe(400)
    expect((await send(`{"email":"${email}a"}`)).status).toBe(413)
  })

  it('G9 trust no address beyond the configured proxies', async () => {
    const real = await startAccessServer({ TRUST_PROXY: '0' })
    const statuses: number[] = []
    for (let i = 0; i < 41; i++)
      statuses.push((await openBrowser(real).send(verifyCredentials, { body: { email: `x${i}@example.com` } })).status)
    expect(statuses.at(-1)).toBe(429)
    await real.stop()
  })

  it('F7 refuse every sign-in step but the next', async () => {
    const way = await signInUntil(server, await makeAccount(server), 'device_ok')
    const body = { userId: way.userId, sessionToken: way.sessionToken }
    for (let i = 0; i < 3; i++) expect((await way.browser.send(finalizeLogin, { body })).status).toBe(401)
    expect(way.browser.cookies.has('sid')).toBe(false)
  })
})
