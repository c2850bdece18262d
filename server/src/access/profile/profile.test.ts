// @module-tag slow
import { confirmAuthenticator, startAuthenticator } from '@limber/contract/access/passkeys/authenticator.ts'
import {
  correctProfile,
  endMySession,
  finishAddPasskey,
  readProfile,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  revokeMyDevice,
  startAddPasskey,
} from '@limber/contract/access/profile/profile.ts'
import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { verifyDeviceAuth, verifyTwoFactor } from '@limber/contract/access/sign-in/sign-in.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE } from '#platform/clock.ts'
import { findStoredReplies } from '#platform/testing/testing.stored-replies.ts'
import type { TestServer } from '#platform/testing/testing.ts'
import { SoftPasskey } from '../passkeys/passkey.testing.ts'
import {
  type Account,
  addPasskey,
  auditReason,
  type Browser,
  makeAccount,
  readCode,
  readMail,
  signedIn,
  signInUntil,
  startAccessServer,
  wrongCode,
} from '../sign-in/sign-in.testing.ts'
import { totpCode, totpStep } from '../sign-in/totp.rules.ts'

let server: TestServer
let account: Account
let browser: Browser
beforeAll(async () => {
  server = await startAccessServer()
  account = await makeAccount(server, { permissions: ['payroll.audit', 'worker.tab'] })
  browser = await signedIn(server, account)
})
afterAll(() => server.stop())

const profile = async () => (await browser.send(readProfile)).body

async function add(fault = {}, name?: string) {
  const started = await browser.send(startAddPasskey, { body: {} })
  const credential = new SoftPasskey().create(started.body.options, fault)
  return browser.send(finishAddPasskey, { body: { credential, ...(name && { name }) } })
}

describe('my profile', () => {
  it('shows my account, permissions and sign-in methods', async () => {
    expect(await profile()).toMatchObject({
      id: account.id,
      email: account.email,
      permissions: [
        { code: '39', words: 'Run the tax audit and fix discrepancies' },
        { code: '2', words: 'See the Worker tab' },
      ],
      passkeys: [{ name: 'Test passkey' }],
      sessions: [{ isCurrent: true }],
      devices: [{ isCurrent: true }],
      recoveryCodesLeft: 0,
    })
  })

  it('adds a second passkey with a name and emails me', async () => {
    const added = await add({}, 'Blue key')
    expect(added.body.passkey).toMatchObject({ name: 'Blue key', lastUsedAt: null })
    expect(await readMail(server, account.email, 'new-passkey')).toContain('Blue key')
    const renamed = await browser.send(renamePasskey, {
      params: { id: String(added.body.passkey.id) },
      body: { name: 'Green key' },
    })
    expect(renamed.body.passkey.name).toBe('Green key')
  })

  it('F16 ends the other sessions when a passkey is added or removed', async () => {
    const other = await makeAccount(server)
    const [mine, elsewhere] = [await signedIn(server, other), await signedIn(server, other)]
    const colleague = await signedIn(server, await makeAccount(server))
    const started = await mine.send(startAddPasskey, { body: {} })
    const credential = new SoftPasskey().create(started.body.options)
    const { passkey } = (await mine.send(finishAddPasskey, { body: { credential } })).body
    expect((await elsewhere.send(checkSession)).status).toBe(401)
    const again = await signedIn(server, other)
    expect((await mine.send(removePasskey, { params: { id: String(passkey.id) } })).status).toBe(200)
    expect((await again.send(checkSession)).status).toBe(401)
    expect([(await mine.send(checkSession)).status, (await colleague.send(checkSession)).status]).toEqual([200, 200])
  })

  it('H19 J1 adds no passkey without step-up', async () => {
    server.clock.advance(11 * MINUTE)
    for (const call of [startAddPasskey, renewRecoveryCodes, startAuthenticator]) {
      const reply = await browser.send(call as typeof startAddPasskey, { body: {} })
      expect([reply.status, reply.failure.code]).toEqual([403, 'step_up_required'])
    }
    browser = await signedIn(server, account)
  })

  it('H19 refuses a defective passkey and a used challenge', async () => {
    const wrong = await add({ client: { origin: 'http://evil.example' } })
    expect([wrong.status, await auditReason(server, wrong)]).toEqual([422, 'origin'])
    const started = await browser.send(startAddPasskey, { body: {} })
    const credential = new SoftPasskey().create(started.body.options)
    expect((await browser.send(finishAddPasskey, { body: { credential } })).status).toBe(200)
    const again = await browser.send(finishAddPasskey, { body: { credential } })
    expect([again.status, await auditReason(server, again)]).toEqual([422, 'no_challenge'])
  })

  it('H19 keeps the last passkey under fifty parallel removals', async () => {
    const other = await makeAccount(server)
    const mine = await signedIn(server, other)
    const second = await addPasskey(server, other.id, new SoftPasskey())
    const [first] = (await mine.send(readProfile)).body.passkeys
    const ids = Array.from({ length: 50 }, (_, i) => String(i % 2 ? first?.id : second.id))
    await Promise.all(ids.map((id) => mine.send(removePasskey, { params: { id } })))
    const left = (await mine.send(readProfile)).body.passkeys
    expect(left).toHaveLength(1)
    const last = await mine.send(removePasskey, { params: { id: String(left[0]?.id) } })
    expect([last.status, last.failure.code]).toEqual([409, 'last_passkey'])
  })

  it("J20 cannot change a colleague's passkeys, sessions or browsers", async () => {
    const colleague = await makeAccount(server)
    const theirs = await signedIn(server, colleague)
    const { passkeys, sessions, devices } = (await theirs.send(readProfile)).body
    const id = (row: { id: number } | undefined) => ({ id: String(row?.id) })
    const replies = [
      await browser.send(removePasskey, { params: id(passkeys[0]) }),
      await browser.send(renamePasskey, { params: id(passkeys[0]), body: { name: 'mine' } }),
      await browser.send(endMySession, { params: id(sessions[0]) }),
      await browser.send(revokeMyDevice, { params: id(devices[0]) }),
    ]
    expect(replies.map((reply) => reply.status)).toEqual([404, 404, 404, 404])
    expect((await theirs.send(checkSession)).status).toBe(200)
  })

  it('ends another session and forgets a browser', async () => {
    const elsewhere = await signedIn(server, account)
    const { sessions, devices } = await profile()
    const other = sessions.find((row) => !row.isCurrent)
    expect((await browser.send(endMySession, { params: { id: String(other?.id) } })).status).toBe(200)
    expect((await elsewhere.send(checkSession)).status).toBe(401)
    const device = devices.find((row) => !row.isCurrent)
    await browser.send(revokeMyDevice, { params: { id: String(device?.id) } })
    expect((await profile()).devices.map((row) => row.id)).not.toContain(device?.id)
  })

  it('H19 replaces the authenticator app, and the old one stops working', async () => {
    const start = async () => (await browser.send(startAuthenticator, { body: {} })).body.mfa
    const prove = (code: string) => browser.send(confirmAuthenticator, { body: { code } })
    const codeOf = (secret: string) => totpCode(secret, totpStep(server.clock.now()))
    expect((await prove('123456')).failure.code).toBe('no_secret')
    const first = await start()
    expect(first.qrCodeDataURL).toMatch(/^data:image\/png/)
    for (let n = 0; n < 5; n++) expect((await prove(wrongCode(codeOf(first.secret)))).failure.code).toBe('wrong_code')
    expect((await prove(codeOf(first.secret))).failure.code).toBe('no_secret')
    const stale = await start()
    server.clock.advance(9 * MINUTE + 59_000)
    browser = await signedIn(server, account)
    server.clock.advance(1_000)
    expect((await prove(codeOf(stale.secret))).failure.code).toBe('no_secret')
    const elsewhere = await signedIn(server, account)
    const fresh = await start()
    const proven = codeOf(fresh.secret)
    expect((await prove(proven)).status).toBe(200)
    expect([(await elsewhere.send(checkSession)).status, (await browser.send(checkSession)).status]).toEqual([401, 200])
    expect((await prove(proven)).failure.code).toBe('no_secret')
    expect(await readMail(server, account.email, 'authenticator-replaced')).toContain('old app')
    server.clock.advance(60_000)
    const old = await signInUntil(server, account, 'passkey_ok')
    const finish = (code: string) =>
      old.browser.send(verifyTwoFactor, { body: { userId: old.userId, sessionToken: old.sessionToken, code } })
    expect((await finish(codeOf(account.secret))).status).toBe(401)
    expect((await finish(codeOf(fresh.secret))).status).toBe(200)
    account.secret = fresh.secret
    account.lastStep = totpStep(server.clock.now())
  })

  it('H19 replaces recovery codes, emails me, and does not store the reply', async () => {
    const headers = { 'idempotency-key': 'codes-0001' }
    const first = await browser.send(renewRecoveryCodes, { body: {} }, { headers })
    const second = await browser.send(renewRecoveryCodes, { body: {} }, { headers })
    expect(first.body.recoveryCodes).toHaveLength(10)
    expect(second.body.recoveryCodes).not.toEqual(first.body.recoveryCodes)
    expect(
      await server.db.selectFrom('recovery_codes').select('id').where('worker_id', '=', account.id).execute(),
    ).toHaveLength(10)
    expect(await readMail(server, account.email, 'codes-renewed')).toContain('old ones no longer work')
    expect(await findStoredReplies(server.db, 'codes-0001')).toEqual([])
  })
})

describe('the name and email of an Owner', () => {
  const correct = (from: Browser, body: { name: string; email: string; version: number }) =>
    from.send(correctProfile, { body })

  it('can be changed by the Owner, both addresses are notified, and only the new one signs in', async () => {
    const owner = await makeAccount(server, { role: 'Owner' })
    const own = await signedIn(server, owner)
    const elsewhere = await signInUntil(server, owner, 'code_sent')
    const { version } = (await own.send(readProfile)).body
    const reply = await correct(own, { name: ' Olga Reyes', email: 'Olga@Example.com', version })
    expect(reply.status).toBe(200)
    expect((await own.send(readProfile)).body).toMatchObject({ name: 'Olga Reyes', email: 'olga@example.com' })
    const left = (await readMail(server, owner.email, 'address-left')) ?? ''
    expect(left).toContain('no longer sent to this address')
    expect(left).not.toContain('olga@')
    expect(await readMail(server, 'olga@example.com', 'address-taken')).toContain('from now on')
    const { deviceId, sessionToken } = elsewhere
    const code = await readCode(server, owner.email)
    const late = { email: owner.email, deviceId, sessionToken, code }
    expect((await elsewhere.browser.send(verifyDeviceAuth, { body: late })).status).toBe(401)
    const again = await signedIn(server, { ...owner, email: 'olga@example.com' })
    expect((await again.send(checkSession)).body.worker).toMatchObject({ name: 'Olga Reyes', role: 'Owner' })
    const [entry] = await server.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'worker_corrected')
      .where('subject_id', '=', String(owner.id))
      .execute()
    expect(entry).toMatchObject({ worker_id: owner.id, before: { email: owner.email }, after: { name: 'Olga Reyes' } })
  })

  it('send no email when only the name changes', async () => {
    const owner = await makeAccount(server, { role: 'Owner' })
    const own = await signedIn(server, owner)
    expect((await correct(own, { name: 'Renamed', email: owner.email, version: 1 })).status).toBe(200)
    expect(await readMail(server, owner.email, 'address-left')).toBeUndefined()
  })

  it('cannot be changed by others, without step-up, to a taken email, or over a newer version', async () => {
    const owner = await makeAccount(server, { role: 'Owner' })
    const own = await signedIn(server, owner)
    const body = { name: 'X', email: 'x.owner@example.com', version: 1 }
    const replies = [
      await correct(browser, body),
      await correct(own, { ...body, email: account.email }),
      await correct(own, { ...body, version: 7 }),
    ]
    server.clock.advance(11 * MINUTE)
    replies.push(await correct(own, body), await correct(own, { ...body, email: 'nobody' }))
    expect(replies.map(({ failure }) => failure.code)).toEqual([
      'not_owner',
      'taken',
      'stale',
      'step_up_required',
      'step_up_required',
    ])
    expect((await own.send(readProfile)).body).toMatchObject({ name: owner.name, email: owner.email, version: 1 })
  })
})
