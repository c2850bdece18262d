import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { finalizeLogin, verifyDeviceAuth, verifyTwoFactor } from '@limber/contract/access/sign-in/sign-in.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE, SECOND } from '#platform/clock.ts'
import type { TestReply, TestServer } from '#platform/testing/testing.ts'
import {
  type Account,
  attemptRow,
  auditReason,
  expectRefused,
  freshTotp,
  makeAccount,
  readCode,
  readMail,
  type SignIn,
  signedIn,
  signInUntil,
  startAccessServer,
  wrongCode,
} from './sign-in.testing.ts'
import { totpCode, totpStep } from './totp.rules.ts'

let server: TestServer
beforeAll(async () => {
  server = await startAccessServer()
})
afterAll(() => server.stop())

const refused = (reply: TestReply, reason: string) => expectRefused(server, reply, reason)
const check = (way: SignIn, code: string, more: Record<string, unknown> = {}) =>
  way.browser.send(verifyTwoFactor, { body: { userId: way.userId, code, sessionToken: way.sessionToken, ...more } })
const codeAt = (account: Account, steps = 0) => totpCode(account.secret, totpStep(server.clock.now()) + steps)
const atTotp = async (account?: Account) => {
  const who = account ?? (await makeAccount(server))
  return { account: who, way: await signInUntil(server, who, 'passkey_ok') }
}
const worker = (account: Account) =>
  server.db.selectFrom('workers').selectAll().where('id', '=', account.id).executeTakeFirstOrThrow()

describe('POST /api/auth/verify-2fa', () => {
  it('E1 counts a wrong code, for the attempt and for the app', async () => {
    const { account, way } = await atTotp()
    await refused(await check(way, wrongCode(codeAt(account))), 'totp')
    expect(await attemptRow(server, way)).toMatchObject({ tries: 1, stage: 'passkey_ok' })
    expect((await worker(account)).totp_failures).toBe(1)
    expect((await check(way, codeAt(account))).status).toBe(200)
    expect((await worker(account)).totp_failures).toBe(0)
  })

  it.each(['code_sent', 'device_ok', 'totp_ok'] as const)(
    'E2 refuses the correct code at the stage %s',
    async (stage) => {
      const account = await makeAccount(server)
      const way = await signInUntil(server, account, stage)
      await refused(await check(way, codeAt(account, 1)), `stage_${stage}`)
    },
  )

  it('E3 ends the attempt when the userId differs', async () => {
    const other = await atTotp()
    const { account, way } = await atTotp()
    await refused(await check(way, codeAt(account), { userId: other.way.userId }), 'claim')
    expect((await attemptRow(server, way)).stage).toBe('dead')
    await refused(await check(way, codeAt(account)), 'dead')
  })

  it('E4 accepts a code once across attempts', async () => {
    const account = await makeAccount(server)
    const first = await signInUntil(server, account, 'passkey_ok')
    const second = await signInUntil(server, account, 'passkey_ok')
    const code = codeAt(account)
    expect((await check(first, code)).status).toBe(200)
    expect((await worker(account)).totp_last_step).toBe(totpStep(server.clock.now()))
    await refused(await check(second, code), 'totp_replayed')
  })

  it('E5 accepts a code once when two attempts send it at once', async () => {
    const account = await makeAccount(server)
    const started: SignIn[] = []
    for (let i = 0; i < 4; i++) started.push(await signInUntil(server, account, 'passkey_ok'))
    const code = codeAt(account)
    const replies = await Promise.all(started.map((way) => check(way, code)))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
  })

  it('E5 lets one of fifty equal requests pass', async () => {
    const { account, way } = await atTotp()
    const code = codeAt(account)
    const replies = await Promise.all(Array.from({ length: 50 }, () => check(way, code)))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
  })

  it('E6 refuses the correct code after five wrong ones', async () => {
    const { account, way } = await atTotp()
    for (let i = 0; i < 5; i++) await refused(await check(way, wrongCode(codeAt(account))), 'totp')
    await refused(await check(way, codeAt(account)), 'dead')
    expect(await readMail(server, account.email, 'failed-codes')).toContain('Five incorrect codes')
  })

  it('E7 delays after ten failures across attempts, doubling each time', async () => {
    const account = await makeAccount(server)
    const wrong = wrongCode(codeAt(account))
    for (let i = 0; i < 2; i++) {
      const { way } = await atTotp(account)
      for (let n = 0; n < 5; n++) {
        const reply = await check(way, wrong)
        expect([reply.status, await auditReason(server, reply)]).toEqual([401, 'totp'])
      }
    }
    const way = await signInUntil(server, account, 'code_sent')
    const blocked = await proveDevice(way, account)
    expect([blocked.status, blocked.headers.get('retry-after')]).toEqual([429, '30'])
    server.clock.advance(31 * SECOND)
    const passed = await proveDevice(way, account)
    expect(passed.status).toBe(200)
    const key = `${way.userId}:stranger`
    const row = () =>
      server.db.selectFrom('sign_in_failures').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
    expect((await row()).failures).toBe(10)
    await failOnce(account)
    const waits = ((await row()).blocked_until?.getTime() ?? 0) - server.clock.now().getTime()
    expect(waits).toBe(60 * SECOND)
  })

  async function proveDevice(way: SignIn, account: Account) {
    const code = await readCode(server, account.email)
    const body = { email: way.email, code, deviceId: way.deviceId, sessionToken: way.sessionToken }
    return way.browser.send(verifyDeviceAuth, { body })
  }
  async function failOnce(account: Account) {
    const way = await signInUntil(server, account, 'code_sent')
    const code = wrongCode(await readCode(server, account.email))
    const body = { email: way.email, code, deviceId: way.deviceId, sessionToken: way.sessionToken }
    await refused(await way.browser.send(verifyDeviceAuth, { body }), 'device_code')
  }

  it('E8 checks at most five of fifty parallel wrong codes', async () => {
    const { account, way } = await atTotp()
    const wrong = wrongCode(codeAt(account))
    await Promise.all(Array.from({ length: 50 }, () => check(way, wrong)))
    expect((await worker(account)).totp_failures).toBe(5)
    expect((await attemptRow(server, way)).stage).toBe('dead')
  })

  it('E9 keeps the count when earlier steps are repeated', async () => {
    const { account, way } = await atTotp()
    for (let i = 0; i < 4; i++) await check(way, wrongCode(codeAt(account)))
    await atTotp(account)
    const key = `${way.userId}:stranger`
    const row = await server.db
      .selectFrom('sign_in_failures')
      .selectAll()
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    expect(row.failures).toBe(4)
    expect((await worker(account)).totp_failures).toBe(4)
  })

  it('E9 resets the count only with a complete sign-in', async () => {
    const { account, way } = await atTotp()
    await check(way, wrongCode(codeAt(account)))
    const count = () =>
      server.db
        .selectFrom('sign_in_failures')
        .select('failures')
        .where('key', '=', `${way.userId}:stranger`)
        .executeTakeFirst()
    const done = await check(way, freshTotp(server, account))
    expect((await count())?.failures).toBe(1)
    await way.browser.send(finalizeLogin, { body: { userId: way.userId, sessionToken: done.body.sessionToken } })
    expect(await count()).toBeUndefined()
  })

  it('E10 turns the app off at the hundredth wrong code in a row, and emails the worker', async () => {
    const { account, way } = await atTotp()
    const open = await signedIn(server, account)
    await server.db.updateTable('workers').set({ totp_failures: 98 }).where('id', '=', account.id).execute()
    await refused(await check(way, wrongCode(codeAt(account))), 'totp')
    expect((await worker(account)).totp_secret).not.toBeNull()
    expect((await open.send(checkSession)).status).toBe(200)
    await refused(await check(way, wrongCode(codeAt(account))), 'totp')
    expect(await worker(account)).toMatchObject({ totp_secret: null, totp_confirmed_at: null })
    expect((await open.send(checkSession)).status).toBe(401)
    await refused(await check(way, codeAt(account)), 'no_totp')
    expect(await readMail(server, account.email, 'two-factor-off')).toContain('Ask for a new link')
  })

  it.each([[-2], [2], [-3], [100]])('E11 refuses the code %i time steps away', async (steps) => {
    const { account, way } = await atTotp()
    await refused(await check(way, codeAt(account, steps)), 'totp')
  })

  it.each([[-1], [0], [1]])('E11 accepts the code %i time steps away', async (steps) => {
    const { account, way } = await atTotp()
    expect((await check(way, codeAt(account, steps))).status).toBe(200)
  })

  it('E12 refuses an earlier code after the clock jumped forward or back', async () => {
    const account = await makeAccount(server)
    const first = await signInUntil(server, account, 'passkey_ok')
    const second = await signInUntil(server, account, 'passkey_ok')
    const third = await signInUntil(server, account, 'passkey_ok')
    const early = codeAt(account)
    server.clock.advance(90 * SECOND)
    await refused(await check(first, early), 'totp')
    expect((await check(first, codeAt(account))).status).toBe(200)
    server.clock.advance(-90 * SECOND)
    await refused(await check(second, early), 'totp_replayed')
    server.clock.advance(90 * SECOND)
    await refused(await check(third, codeAt(account)), 'totp_replayed')
    expect((await check(third, codeAt(account, 1))).status).toBe(200)
  })

  it('E13 refuses an attempt older than ten minutes', async () => {
    const { account, way } = await atTotp()
    server.clock.advance(10 * MINUTE + SECOND)
    await refused(await check(way, codeAt(account)), 'expired')
  })

  it.each([
    ['without a secret', { totp_secret: null }],
    ['never confirmed', { totp_confirmed_at: null }],
  ])('E14 refuses 000000 for an app %s', async (_title, change) => {
    const { account, way } = await atTotp()
    await server.db.updateTable('workers').set(change).where('id', '=', account.id).execute()
    await refused(await check(way, '000000'), 'no_totp')
    await refused(await check(way, codeAt(account)), 'no_totp')
  })

  it.each([['12345'], [' 123456'], [123_456], ['１２３４５６'], [['123456']]])(
    'E15 refuses the code %j as malformed',
    async (code) => {
      const { way } = await atTotp()
      expect((await check(way, code as never)).status).toBe(400)
    },
  )

  it('E16 stores the secret encrypted', async () => {
    const { account } = await atTotp()
    const { totp_secret } = await worker(account)
    expect(totp_secret?.includes(Buffer.from(account.secret))).toBe(false)
    expect(server.running.services.keyring.open('totp', totp_secret ?? Buffer.alloc(0))).toBe(account.secret)
  })
})
