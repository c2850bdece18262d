// @module-tag slow
import { readProfile } from '@limber/contract/access/profile/profile.ts'
import { checkSession, signOut, signOutEverywhere } from '@limber/contract/access/sessions/session.ts'
import {
  finalizeLogin,
  finishPasskeySetup,
  startPasskeySetup,
  verifyCredentials,
  verifyPasskey,
  verifyTwoFactor,
} from '@limber/contract/access/sign-in/sign-in.ts'
import { listWorkers } from '@limber/contract/access/workers/worker.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#platform/clock.ts'
import { hashToken } from '#platform/security/secrets.ts'
import type { TestReply, TestServer } from '#platform/testing/testing.ts'
import {
  attemptRow,
  countSessions,
  expectRefused,
  freshTotp,
  makeAccount,
  openBrowser,
  readMail,
  type SignIn,
  signedIn,
  signInUntil,
  startAccessServer,
} from '../sign-in/sign-in.testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startAccessServer()
})
afterAll(() => server.stop())

const refused = (reply: TestReply, reason: string) => expectRefused(server, reply, reason)
const finalize = (way: SignIn, more: Record<string, unknown> = {}) =>
  way.browser.send(finalizeLogin, { body: { userId: way.userId, sessionToken: way.sessionToken, ...more } })

async function withNewPasskey() {
  const account = await makeAccount(server, { withoutPasskey: true })
  const way = await signInUntil(server, account, 'device_ok')
  const { options } = (await way.browser.send(startPasskeySetup, { body: { sessionToken: way.sessionToken } })).body
  const body = { credential: account.passkey.create(options), sessionToken: way.sessionToken }
  const done = await way.browser.send(finishPasskeySetup, { body })
  Object.assign(way, { sessionToken: done.body.sessionToken, options: done.body.options })
  return { account, way }
}

describe('POST /api/auth/finalize-login', () => {
  it.each(['code_sent', 'device_ok', 'passkey_ok'] as const)('F1 refuses at the stage %s', async (stage) => {
    const account = await makeAccount(server)
    const way = await signInUntil(server, account, stage)
    const reply = await finalize(way)
    await refused(reply, `stage_${stage}`)
    expect(reply.headers.getSetCookie()).toEqual([])
    expect(await countSessions(server, account.id)).toBe(0)
  })

  it('F1 refuses at the stage passkey_pending', async () => {
    const { account, way } = await withNewPasskey()
    await refused(await finalize(way), 'stage_passkey_pending')
    expect(await countSessions(server, account.id)).toBe(0)
  })

  it.each(['device_ok_at', 'passkey_ok_at', 'totp_ok_at'] as const)(
    'F1 refuses when %s is missing, whatever the stage says',
    async (column) => {
      const account = await makeAccount(server)
      const way = await signInUntil(server, account, 'totp_ok')
      await server.db
        .updateTable('sign_in_attempts')
        .set({ [column]: null })
        .where('device_key', '=', way.deviceId)
        .execute()
      await refused(await finalize(way), 'not_proven')
      expect(await countSessions(server, account.id)).toBe(0)
    },
  )

  it('F1 refuses a decoy at the last stage', async () => {
    const way = await signInUntil(server, await makeAccount(server), 'totp_ok')
    await server.db
      .updateTable('sign_in_attempts')
      .set({ worker_id: null })
      .where('device_key', '=', way.deviceId)
      .execute()
    await refused(await finalize(way), 'not_proven')
  })

  it('F2 ends the attempt when the userId differs', async () => {
    const other = await signInUntil(server, await makeAccount(server), 'totp_ok')
    const way = await signInUntil(server, await makeAccount(server), 'totp_ok')
    await refused(await finalize(way, { userId: other.userId }), 'claim')
    expect((await attemptRow(server, way)).stage).toBe('dead')
    await refused(await finalize(way), 'dead')
  })

  it('F3 opens one session under repeated calls', async () => {
    const account = await makeAccount(server)
    const way = await signInUntil(server, account, 'totp_ok')
    const cookies = new Map(way.browser.cookies)
    const again = () => finalize({ ...way, browser: { ...openBrowser(server, new Map(cookies)) } })
    const replies = await Promise.all(Array.from({ length: 50 }, again))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(await countSessions(server, account.id)).toBe(1)
    await refused(await again(), 'stage_consumed')
  })

  it('F4 refuses an attempt older than ten minutes', async () => {
    const account = await makeAccount(server)
    const way = await signInUntil(server, account, 'totp_ok')
    server.clock.advance(10 * MINUTE + SECOND)
    await refused(await finalize(way), 'expired')
    expect(await countSessions(server, account.id)).toBe(0)
  })

  it('F5 issues a new session token, whatever cookie was set before', async () => {
    const account = await makeAccount(server)
    const planted = 'p'.repeat(43)
    const way = await signInUntil(server, account, 'totp_ok', openBrowser(server, new Map([['sid', planted]])))
    expect((await finalize(way)).status).toBe(200)
    expect(way.browser.cookies.get('sid')).not.toBe(planted)
    const dead = await server.anonymous().send(checkSession, {}, { headers: { cookie: `sid=${planted}` } })
    expect(dead.status).toBe(401)
  })

  it.each([
    ['disabled since', 'workers', { status: 'disabled' }],
    ['without two-factor codes since', 'workers', { totp_confirmed_at: null }],
  ] as const)('F6 refuses a worker %s', async (_title, table, change) => {
    const account = await makeAccount(server)
    const way = await signInUntil(server, account, 'totp_ok')
    await server.db.updateTable(table).set(change).where('id', '=', account.id).execute()
    await refused(await finalize(way), 'not_proven')
    expect(await countSessions(server, account.id)).toBe(0)
  })

  it('F6 refuses a passkey that was revoked since', async () => {
    const account = await makeAccount(server)
    const way = await signInUntil(server, account, 'totp_ok')
    await server.db
      .updateTable('passkeys')
      .set({ revoked_at: server.clock.now() })
      .where('worker_id', '=', account.id)
      .execute()
    await refused(await finalize(way), 'not_proven')
  })

  it('F6 refuses a known browser that was revoked since', async () => {
    const account = await makeAccount(server)
    const browser = await signedIn(server, account)
    const way = await signInUntil(server, account, 'totp_ok', browser)
    await server.db
      .updateTable('devices')
      .set({ revoked_at: server.clock.now() })
      .where('worker_id', '=', account.id)
      .execute()
    await refused(await finalize(way), 'not_proven')
  })

  it('F6 refuses a new passkey when the worker got another one since', async () => {
    const { account, way } = await withNewPasskey()
    await finishNewPasskey(account, way)
    const { way: second } = { way: await beginAgain(account) }
    expect((await finalize(way)).status).toBe(200)
    await refused(await finalize(second), 'not_proven')
    expect(
      await server.db.selectFrom('passkeys').select('id').where('worker_id', '=', account.id).execute(),
    ).toHaveLength(1)
  })

  async function finishNewPasskey(account: Awaited<ReturnType<typeof makeAccount>>, way: SignIn) {
    if (!way.options) throw new Error('no options')
    const credential = account.passkey.get(way.options)
    const proof = { email: account.email, credential, sessionToken: way.sessionToken }
    const proven = await way.browser.send(verifyPasskey, { body: proof })
    const code = freshTotp(server, account)
    const body = { userId: way.userId, code, sessionToken: proven.body.sessionToken }
    way.sessionToken = (await way.browser.send(verifyTwoFactor, { body })).body.sessionToken
  }
  async function beginAgain(account: Awaited<ReturnType<typeof makeAccount>>) {
    const way = await signInUntil(server, account, 'device_ok')
    const { options } = (await way.browser.send(startPasskeySetup, { body: { sessionToken: way.sessionToken } })).body
    const spare = { ...account, passkey: new (account.passkey.constructor as new () => typeof account.passkey)() }
    const body = { credential: spare.passkey.create(options), sessionToken: way.sessionToken }
    const done = await way.browser.send(finishPasskeySetup, { body })
    Object.assign(way, { sessionToken: done.body.sessionToken, options: done.body.options })
    await finishNewPasskey(Object.assign(spare, { lastStep: account.lastStep }), way)
    return way
  }

  it('stores the passkey of the attempt and emails the worker', async () => {
    const { account, way } = await withNewPasskey()
    await finishNewPasskey(account, way)
    expect((await finalize(way)).status).toBe(200)
    const rows = await server.db.selectFrom('passkeys').selectAll().where('worker_id', '=', account.id).execute()
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ credential_id: account.passkey.credentialId, counter: 1, revoked_at: null })
    expect(rows[0]?.public_key).toEqual(account.passkey.stored().public_key)
    expect(await readMail(server, account.email, 'new-passkey')).toContain('new passkey')
    expect((await signInUntil(server, account, 'signed_in')).replies).toHaveLength(5)
  })

  it('F21 keeps five sessions and ends the oldest', async () => {
    const account = await makeAccount(server)
    const browsers = []
    for (let i = 0; i < 6; i++) browsers.push(await signedIn(server, account))
    expect(await countSessions(server, account.id)).toBe(5)
    const states = await Promise.all(browsers.map((browser) => browser.send(checkSession)))
    expect(states.map((reply) => reply.status)).toEqual([401, 200, 200, 200, 200, 200])
  })

  it('F22 remembers the browser for ninety days, only for this worker, and reports a new one', async () => {
    const account = await makeAccount(server)
    const browser = await signedIn(server, account)
    expect(await readMail(server, account.email, 'new-device')).toContain('A new browser signed in')
    const asks = async (email: string) =>
      (await browser.send(verifyCredentials, { body: { email } })).body.requiresDeviceAuth
    expect(await asks(account.email)).toBe(false)
    expect(await asks((await makeAccount(server)).email)).toBe(true)
    server.clock.advance(90 * 24 * HOUR)
    expect(await asks(account.email)).toBe(true)
  })

  it('F22 requires a code from a revoked browser', async () => {
    const account = await makeAccount(server)
    const browser = await signedIn(server, account)
    await server.db
      .updateTable('devices')
      .set({ revoked_at: server.clock.now() })
      .where('worker_id', '=', account.id)
      .execute()
    const reply = await browser.send(verifyCredentials, { body: { email: account.email } })
    expect(reply.body.requiresDeviceAuth).toBe(true)
  })
})

describe('a session', () => {
  it.each([
    ['tampered', (sid: string) => `${sid.slice(0, -1)}${sid.endsWith('A') ? 'B' : 'A'}`],
    ['truncated', (sid: string) => sid.slice(0, 20)],
    ['duplicated', (sid: string) => `${sid}; sid=${sid}`],
    ['of five kilobytes', () => 'x'.repeat(5000)],
    ['empty', () => ''],
    ['its own hash', (sid: string) => hashToken(sid).toString('base64url')],
  ])('F8 is not opened by a cookie %s', async (_title, edit) => {
    const browser = await signedIn(server, await makeAccount(server))
    const cookie = `sid=${edit(browser.cookies.get('sid') ?? '')}`
    expect((await server.anonymous().send(checkSession, {}, { headers: { cookie } })).status).toBe(401)
  })

  it('F9 expires after thirty idle minutes', async () => {
    const browser = await signedIn(server, await makeAccount(server))
    server.clock.advance(30 * MINUTE - SECOND)
    expect((await browser.send(checkSession)).status).toBe(200)
    server.clock.advance(30 * MINUTE + SECOND)
    expect((await browser.send(checkSession)).status).toBe(401)
  })

  it('F9 expires after thirty minutes of background requests only', async () => {
    const browser = await signedIn(server, await makeAccount(server))
    for (let minutes = 0; minutes < 30; minutes += 10) {
      expect((await browser.send(checkSession, {}, { headers: { 'x-unattended': '1' } })).status).toBe(200)
      server.clock.advance(10 * MINUTE)
    }
    server.clock.advance(SECOND)
    expect((await browser.send(checkSession)).status).toBe(401)
  })

  it('F10 F11 expires after twelve hours of use', async () => {
    const browser = await signedIn(server, await makeAccount(server))
    for (let i = 0; i < 24; i++) {
      server.clock.advance(29 * MINUTE)
      expect((await browser.send(checkSession)).status).toBe(200)
    }
    server.clock.advance(12 * HOUR - 24 * 29 * MINUTE + SECOND)
    expect((await browser.send(checkSession)).status).toBe(401)
  })

  it("F13 ends at sign-out and clears the browser's data", async () => {
    const browser = await signedIn(server, await makeAccount(server))
    const sid = browser.cookies.get('sid')
    const reply = await browser.send(signOut, { body: {} })
    expect(reply.headers.get('clear-site-data')).toContain('storage')
    expect(browser.cookies.has('sid')).toBe(false)
    const reused = await server.anonymous().send(checkSession, {}, { headers: { cookie: `sid=${sid}` } })
    expect(reused.status).toBe(401)
  })

  it('F13 ends everywhere when signing out everywhere', async () => {
    const account = await makeAccount(server)
    const [one, two] = [await signedIn(server, account), await signedIn(server, account)]
    expect((await one.send(signOutEverywhere, { body: {} })).body).toEqual({ success: true, ended: 2 })
    expect((await two.send(checkSession)).status).toBe(401)
  })

  it('F14 ends with the next request when the worker is disabled', async () => {
    const account = await makeAccount(server)
    const browser = await signedIn(server, account)
    await server.db.updateTable('workers').set({ status: 'disabled' }).where('id', '=', account.id).execute()
    expect((await browser.send(checkSession)).status).toBe(401)
  })

  it('F15 loses a permission with the next request', async () => {
    const account = await makeAccount(server, { permissions: ['access.manage'] })
    const browser = await signedIn(server, account)
    expect((await browser.send(listWorkers)).status).toBe(200)
    await server.db.updateTable('workers').set({ permissions: [] }).where('id', '=', account.id).execute()
    expect((await browser.send(listWorkers)).status).toBe(403)
  })

  it('F17 cannot be used by a page of another site', async () => {
    const browser = await signedIn(server, await makeAccount(server))
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: undefined },
    ])
      expect((await browser.send(signOut, { body: {} }, { headers })).status).toBe(403)
    expect((await browser.send(checkSession)).status).toBe(200)
  })

  it('F17 uses a cookie that scripts and other sites cannot use', async () => {
    const account = await makeAccount(server)
    const way = await signInUntil(server, account, 'signed_in')
    const lines = way.replies.at(-1)?.headers.getSetCookie() ?? []
    expect(lines.find((line) => line.startsWith('sid='))).toMatch(/; Path=\/; SameSite=Strict; HttpOnly$/)
    expect(lines.find((line) => line.startsWith('dev='))).toMatch(/HttpOnly; Max-Age=7776000$/)
    expect(lines.find((line) => line.startsWith('csrf='))).not.toContain('HttpOnly')
  })

  it.each(['code_sent', 'device_ok', 'passkey_ok', 'totp_ok'] as const)(
    'F18 does not exist at the stage %s',
    async (stage) => {
      const { browser } = await signInUntil(server, await makeAccount(server), stage)
      const reply = await browser.send(checkSession)
      expect([reply.status, reply.text.includes('permissions')]).toEqual([401, false])
    },
  )

  it.each(['url', 'authorization', 'header'])('F19 is not opened by its token in the %s', async (place) => {
    const sid = (await signedIn(server, await makeAccount(server))).cookies.get('sid') ?? ''
    const headers =
      { url: {}, authorization: { authorization: `Bearer ${sid}` }, header: { 'x-session': sid } }[place] ?? {}
    const reply = await server.anonymous().send(checkSession, place === 'url' ? { query: { sid } } : {}, { headers })
    expect(reply.status).toBe(401)
  })

  it('F20 is not cached', async () => {
    const browser = await signedIn(server, await makeAccount(server))
    expect((await browser.send(checkSession)).headers.get('cache-control')).toBe('no-store')
    expect((await browser.send(readProfile)).headers.get('cache-control')).toBe('no-store')
  })

  it('F23 G3 rejects the CSRF token of another session, of an attempt, or an altered one', async () => {
    const [mine, other] = [
      await signedIn(server, await makeAccount(server)),
      await signedIn(server, await makeAccount(server)),
    ]
    const attempt = await signInUntil(server, await makeAccount(server), 'device_ok')
    const own = mine.cookies.get('csrf') ?? ''
    const tokens = [
      other.cookies.get('csrf'),
      attempt.browser.cookies.get('csrf'),
      `${own}x`,
      own.split('.')[0],
      '',
      undefined,
    ]
    for (const token of tokens)
      expect((await mine.send(signOut, { body: {} }, { headers: { 'x-csrf-token': token } })).status).toBe(403)
  })

  it('F24 gets its CSRF token back after a sign-in in another tab', async () => {
    const account = await makeAccount(server)
    const browser = await signedIn(server, account)
    await browser.send(verifyCredentials, { body: { email: account.email } })
    expect((await browser.send(signOut, { body: {} })).status).toBe(403)
    await browser.send(checkSession)
    expect((await browser.send(signOut, { body: {} })).status).toBe(200)
  })
})
