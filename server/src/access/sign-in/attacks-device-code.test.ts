import {
  resendDeviceCode,
  SIGN_IN_FAILED,
  verifyCredentials,
  verifyDeviceAuth,
} from '@limber/contract/access/sign-in/sign-in.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE, SECOND } from '#platform/clock.ts'
import type { TestReply, TestServer } from '#platform/testing/testing.ts'
import {
  attemptRow,
  auditReason,
  expectRefused,
  makeAccount,
  openBrowser,
  readCode,
  readMail,
  type SignIn,
  signInUntil,
  startAccessServer,
  wrongCode,
} from './sign-in.testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startAccessServer()
})
afterAll(() => server.stop())

const refused = (reply: TestReply, reason: string) => expectRefused(server, reply, reason)
const begin = (email: string, browser = openBrowser(server)) => browser.send(verifyCredentials, { body: { email } })
const codeMails = async () =>
  (await server.db.selectFrom('outbox').select('id').where('key', 'like', 'device-code:%').execute()).length
let serial = 0
const unknownEmail = () => `nobody-${++serial}@example.com`

const prove = (way: SignIn, code: string, more: Record<string, unknown> = {}) =>
  way.browser.send(verifyDeviceAuth, {
    body: { email: way.email, code, deviceId: way.deviceId, sessionToken: way.sessionToken, ...more },
  })

async function atCode() {
  const account = await makeAccount(server)
  const way = await signInUntil(server, account, 'code_sent')
  return { account, way, code: await readCode(server, account.email) }
}

describe('POST /api/auth/verify-device-auth', () => {
  it('B1 counts a wrong code', async () => {
    const { way, code } = await atCode()
    await refused(await prove(way, wrongCode(code)), 'device_code')
    expect(await attemptRow(server, way)).toMatchObject({ tries: 1, stage: 'code_sent' })
    expect((await prove(way, code)).status).toBe(200)
  })

  it('B2 refuses the correct code after five wrong ones, and emails the worker', async () => {
    const { account, way, code } = await atCode()
    for (let i = 0; i < 5; i++) await refused(await prove(way, wrongCode(code)), 'device_code')
    await refused(await prove(way, code), 'dead')
    expect((await attemptRow(server, way)).stage).toBe('dead')
    expect(await readMail(server, account.email, 'failed-codes')).toContain('Five incorrect codes')
  })

  it('B3 refuses a code one second after ten minutes, and takes it one second before', async () => {
    const late = await atCode()
    const onTime = await atCode()
    server.clock.advance(10 * MINUTE - SECOND)
    expect((await prove(onTime.way, onTime.code)).status).toBe(200)
    server.clock.advance(2 * SECOND)
    await refused(await prove(late.way, late.code), 'expired')
    expect((await attemptRow(server, late.way)).stage).toBe('dead')
  })

  it('B4 refuses the old code after another was sent', async () => {
    const { account, way, code } = await atCode()
    const sent = await way.browser.send(resendDeviceCode, { body: { sessionToken: way.sessionToken } })
    way.sessionToken = sent.body.sessionToken
    const fresh = await readCode(server, account.email)
    if (fresh !== code) await refused(await prove(way, code), 'device_code')
    expect((await prove(way, fresh)).status).toBe(200)
  })

  it('B4 expires a resent code after its own ten minutes', async () => {
    const [kept, late] = [await atCode(), await atCode()]
    const resend = async ({ account, way }: Awaited<ReturnType<typeof atCode>>) => {
      const sent = await way.browser.send(resendDeviceCode, { body: { sessionToken: way.sessionToken } })
      way.sessionToken = sent.body.sessionToken
      expect(sent.headers.getSetCookie().join()).toMatch(/flow=[\w-]{20,};.*Max-Age=600/i)
      return readCode(server, account.email)
    }
    server.clock.advance(9 * MINUTE)
    const codes = [await resend(kept), await resend(late)]
    server.clock.advance(9 * MINUTE)
    expect((await prove(kept.way, codes[0] ?? '')).status).toBe(200)
    server.clock.advance(MINUTE + SECOND)
    await refused(await prove(late.way, codes[1] ?? ''), 'expired')
  })

  it('B4 resends a code three times, also for unknown emails, and keeps the count of tries', async () => {
    const { way, code } = await atCode()
    await prove(way, wrongCode(code))
    const decoy = await begin(unknownEmail(), openBrowser(server))
    for (let i = 0; i < 3; i++) {
      const sent = await way.browser.send(resendDeviceCode, { body: { sessionToken: way.sessionToken } })
      expect(Object.keys(sent.body)).toEqual(['success', 'sessionToken', 'csrfToken'])
      way.sessionToken = sent.body.sessionToken
    }
    expect((await attemptRow(server, way)).tries).toBe(1)
    await refused(await way.browser.send(resendDeviceCode, { body: { sessionToken: way.sessionToken } }), 'limit')
    expect(decoy.status).toBe(200)
  })

  it('B4 limits code emails to ten in 15 minutes including resends, and reveals nothing', async () => {
    const account = await makeAccount(server)
    for (const email of [account.email, unknownEmail()]) {
      const browser = openBrowser(server)
      const { body } = await begin(email, browser)
      for (let i = 0; i < 9; i++) expect((await begin(email)).status).toBe(200)
      const mails = await codeMails()
      const resent = await browser.send(resendDeviceCode, { body: { sessionToken: body.sessionToken } })
      const begun = await begin(email)
      expect([resent.status, begun.status, await codeMails()]).toEqual([429, 429, mails])
      expect(Number(resent.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })

  it('B4 sends nothing for a decoy, with the same reply', async () => {
    const browser = openBrowser(server)
    const { body } = await begin(unknownEmail(), browser)
    const mails = await codeMails()
    const sent = await browser.send(resendDeviceCode, { body: { sessionToken: body.sessionToken } })
    expect([sent.status, await codeMails()]).toEqual([200, mails])
  })

  it('B5 refuses the same code twice', async () => {
    const { way, code } = await atCode()
    const done = await prove(way, code)
    await refused(await prove(way, code), 'token')
    await refused(await prove(way, code, { sessionToken: done.body.sessionToken }), 'stage_device_ok')
  })

  it('B6 refuses a code in another attempt of the same worker', async () => {
    const { account, code } = await atCode()
    const second = await signInUntil(server, account, 'code_sent')
    const own = await readCode(server, account.email)
    if (own !== code) await refused(await prove(second, code), 'device_code')
  })

  it.each(['email', 'deviceId'] as const)('B7 ends the attempt when the %s differs', async (field) => {
    const { way, code } = await atCode()
    const other = await atCode()
    const claim = field === 'email' ? { email: other.way.email } : { deviceId: other.way.deviceId }
    await refused(await prove(way, code, claim), 'claim')
    expect((await attemptRow(server, way)).stage).toBe('dead')
    await refused(await prove(way, code), 'dead')
  })

  it('B8 checks five of fifty parallel wrong codes', async () => {
    const { way, code } = await atCode()
    const replies = await Promise.all(Array.from({ length: 50 }, () => prove(way, wrongCode(code))))
    expect(replies.every((reply) => reply.status === 401)).toBe(true)
    const reasons = await Promise.all(replies.map((reply) => auditReason(server, reply)))
    expect(reasons.filter((reason) => reason === 'device_code')).toHaveLength(5)
    expect((await attemptRow(server, way)).tries).toBe(5)
    await refused(await prove(way, code), 'dead')
  })

  it('B8 lets one of fifty parallel correct codes pass', async () => {
    const { way, code } = await atCode()
    const replies = await Promise.all(Array.from({ length: 50 }, () => prove(way, code)))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
  })

  it.each([
    ['12345'],
    ['1234567'],
    ['١٢٣٤٥٦'],
    ['12 456'],
    [123_456],
    ['0x1E240'],
    ['１２３４５６'],
    [''],
    [null],
    ['12345\n'],
  ])('B9 refuses the code %j as malformed', async (code) => {
    const { way } = await atCode()
    const reply = await prove(way, code as never)
    expect(reply.status).toBe(400)
    expect((await attemptRow(server, way)).tries).toBe(0)
  })

  it("B10 slows strangers after ten failures, B11 but not the worker's known browser", async () => {
    const account = await makeAccount(server)
    const home = await signInUntil(server, account, 'signed_in')
    for (let i = 0; i < 2; i++) {
      const way = await signInUntil(server, account, 'code_sent')
      const code = wrongCode(await readCode(server, account.email))
      for (let n = 0; n < 5; n++) await refused(await prove(way, code), 'device_code')
    }
    const stranger = await signInUntil(server, account, 'code_sent')
    const slowed = await prove(stranger, await readCode(server, account.email))
    expect([slowed.status, slowed.headers.get('retry-after')]).toEqual([429, '30'])
    expect((await attemptRow(server, stranger)).tries).toBe(0)
    const again = await signInUntil(server, account, 'signed_in', home.browser)
    expect(again.replies[0]?.body).toMatchObject({ requiresDeviceAuth: false })
  })

  it('B10 slows a decoy in the same way, so that the delay reveals nothing', async () => {
    const email = unknownEmail()
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) {
      const browser = openBrowser(server)
      const { body } = await begin(email, browser)
      const way = { browser, email, deviceId: body.deviceId, sessionToken: body.sessionToken } as SignIn
      for (let n = 0; n < 5; n++) statuses.push((await prove(way, '123456')).status)
    }
    expect(statuses.slice(0, 11)).toEqual([...Array(10).fill(401), 429])
  })

  it.each([['000000'], ['123456'], ['999999']])('B12 refuses %s for an unknown email', async (code) => {
    const browser = openBrowser(server)
    const email = unknownEmail()
    const { body } = await begin(email, browser)
    const way = { browser, email, deviceId: body.deviceId, sessionToken: body.sessionToken } as SignIn
    await refused(await prove(way, code), 'decoy')
  })

  it('B13 refuses a code after the passkey step', async () => {
    const account = await makeAccount(server)
    const way = await signInUntil(server, account, 'passkey_ok')
    await refused(await prove(way, await readCode(server, account.email)), 'stage_passkey_ok')
    expect((await attemptRow(server, way)).stage).toBe('passkey_ok')
  })

  it('B14 refuses a worker who was disabled since', async () => {
    const { account, way, code } = await atCode()
    await server.db.updateTable('workers').set({ status: 'disabled' }).where('id', '=', account.id).execute()
    await refused(await prove(way, code), 'worker')
  })

  it('B15 refuses the correct code from another browser', async () => {
    const { way, code } = await atCode()
    const other = await signInUntil(server, await makeAccount(server), 'code_sent')
    await refused(await prove({ ...way, browser: other.browser }, code), 'token')
    const without = await prove({ ...way, browser: openBrowser(server) }, code)
    expect([without.status, without.failure.error]).toEqual([401, SIGN_IN_FAILED])
  })
})
