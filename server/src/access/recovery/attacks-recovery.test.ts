// @module-tag slow
import { redeemRecoveryCode, requestRecovery } from '@limber/contract/access/recovery/recovery.ts'
import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { verifyCredentials } from '@limber/contract/access/sign-in/sign-in.ts'
import { approveRecovery, denyRecovery, listRecoveries } from '@limber/contract/access/workers/worker.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '#platform/clock.ts'
import type { TestServer } from '#platform/testing/testing.ts'
import { onboardUntil } from '../onboarding/onboarding.testing.ts'
import { SoftPasskey } from '../passkeys/passkey.testing.ts'
import {
  type Account,
  auditReason,
  type Browser,
  makeAccount,
  openBrowser,
  readMail,
  signedIn,
  signInUntil,
  startAccessServer,
} from '../sign-in/sign-in.testing.ts'
import { makeWorker } from '../workers/worker.factory.ts'
import { replaceRecoveryCodes } from './recovery.queries.ts'
import { makeRecoveryCodes } from './recovery.rules.ts'

let server: TestServer
let manager: Account
beforeAll(async () => {
  server = await startAccessServer()
  manager = await makeAccount(server, { permissions: ['access.manage'] })
})
afterAll(() => server.stop())

const ask = (email: string) => openBrowser(server).send(requestRecovery, { body: { email } })
const redeem = (email: string, code: string) => openBrowser(server).send(redeemRecoveryCode, { body: { email, code } })
const openRequest = async (account: Account) => {
  await ask(account.email)
  return server.db
    .selectFrom('recovery_requests')
    .selectAll()
    .where('worker_id', '=', account.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
}
const linkOf = async (email: string) => /token=([\w-]+)/.exec((await readMail(server, email, 'link')) ?? '')?.[1]
const proofs = (id: number) =>
  server.db
    .selectFrom('workers')
    .select(['totp_secret', 'totp_confirmed_at', 'status', 'version'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
async function withCodes() {
  const account = await makeAccount(server)
  const codes = makeRecoveryCodes()
  await replaceRecoveryCodes(server.db, account.id, codes, server.clock.now())
  return { account, code: codes[3] ?? '', codes }
}

describe('POST /api/recovery/request', () => {
  it('R2 gives the same reply for every email and changes no sign-in method', async () => {
    const account = await makeAccount(server)
    const before = await proofs(account.id)
    const known = await ask(account.email)
    const unknown = await ask('nobody@example.com')
    const disabled = await ask((await makeWorker(server.db, { status: 'disabled' })).email)
    expect([known.status, unknown.status, disabled.status]).toEqual([202, 202, 202])
    expect([unknown.text, disabled.text]).toEqual([known.text, known.text])
    expect(await auditReason(server, unknown)).toBe('unknown_address')
    expect(await proofs(account.id)).toEqual(before)
    expect(await linkOf(account.email)).toBeUndefined()
  })

  it('R2 notifies the worker and everyone who manages access', async () => {
    const account = await makeAccount(server)
    await ask(account.email)
    expect(await readMail(server, account.email, 'recovery-asked')).toContain('Someone asked')
    const asked = await readMail(server, manager.email, 'recovery-decide')
    expect(asked).toContain(account.email)
    expect(asked).toContain('/worker/tech/access/recoveries')
  })

  it('R2 files three requests a day and ignores the fourth with the same reply', async () => {
    const account = await makeAccount(server)
    const texts = new Set<string>()
    for (let i = 0; i < 5; i++) texts.add((await ask(account.email)).text)
    expect(texts.size).toBe(1)
    const rows = () =>
      server.db.selectFrom('recovery_requests').select('id').where('worker_id', '=', account.id).execute()
    expect(await rows()).toHaveLength(3)
    server.clock.advance(DAY)
    await ask(account.email)
    expect(await rows()).toHaveLength(4)
  })

  it('R2 limits one IP address to ten requests a minute', async () => {
    const browser = openBrowser(server)
    const statuses = []
    for (let i = 0; i < 11; i++)
      statuses.push((await browser.send(requestRecovery, { body: { email: `x${i}@example.com` } })).status)
    expect(statuses).toEqual([...Array(10).fill(202), 429])
  })

  it.each([[{}], [{ email: 'x' }], [{ email: ['a@b.co'] }], [{ email: 'a@b.co', approve: true }]])(
    'R2 refuses %j',
    async (body) => {
      expect((await openBrowser(server).send(requestRecovery, { body: body as never })).status).toBe(400)
    },
  )

  it('G10 builds links from the configured URL, not from the Host header', async () => {
    const { account, code } = await withCodes()
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    await openBrowser(server).send(redeemRecoveryCode, { body: { email: account.email, code } }, { headers })
    const text = (await readMail(server, account.email, 'link')) ?? ''
    expect(text).toContain('http://localhost:3000/onboarding?token=')
    expect(text).not.toContain('evil')
  })
})

describe('POST /api/recovery/redeem', () => {
  it('R2 sends a link for a correct code and gives the same reply for a wrong one', async () => {
    const { account, code } = await withCodes()
    const wrong = await redeem(account.email, 'AAAA-AAAA-AAAA-AAAA')
    expect([wrong.status, await auditReason(server, wrong), await linkOf(account.email)]).toEqual([
      202,
      'recovery_code',
      undefined,
    ])
    const right = await redeem(account.email, code.toLowerCase().replaceAll('-', ' '))
    expect([right.status, right.text]).toEqual([202, wrong.text])
    expect(await linkOf(account.email)).toBeDefined()
    expect(await readMail(server, account.email, 'recovery-code')).toContain('One of your recovery codes was used')
  })

  it('R2 takes a code once under fifty parallel requests', async () => {
    const { account, code } = await withCodes()
    await Promise.all(Array.from({ length: 50 }, () => redeem(account.email, code)))
    const links = await server.db
      .selectFrom('onboarding_links')
      .select('id')
      .where('worker_id', '=', account.id)
      .execute()
    expect(links.length).toBeLessThanOrEqual(1)
    const used = await server.db
      .selectFrom('recovery_codes')
      .select('id')
      .where('worker_id', '=', account.id)
      .where('used_at', 'is not', null)
      .execute()
    expect(used).toHaveLength(1)
  })

  it('R2 refuses the code of another worker', async () => {
    const [mine, other] = [await withCodes(), await withCodes()]
    const reply = await redeem(mine.account.email, other.code)
    expect([await auditReason(server, reply), await linkOf(mine.account.email)]).toEqual(['recovery_code', undefined])
  })

  const tryFive = async (browser: Browser, email: string) => {
    const body = { email, code: 'AAAA-AAAA-AAAA-AAAA' }
    for (let i = 0; i < 5; i++) await browser.send(redeemRecoveryCode, { body })
  }

  it('R2 checks five codes a day from one IP address', async () => {
    const { account, code } = await withCodes()
    const browser = openBrowser(server)
    await tryFive(browser, account.email)
    const late = await browser.send(redeemRecoveryCode, { body: { email: account.email, code } })
    expect([late.status, await auditReason(server, late), await linkOf(account.email)]).toEqual([
      202,
      'redeems',
      undefined,
    ])
  })

  it('R2 takes a correct code from its owner after many wrong ones from others', async () => {
    const { account, code } = await withCodes()
    await Promise.all(Array.from({ length: 8 }, () => tryFive(openBrowser(server), account.email)))
    await redeem(account.email, code)
    expect(await linkOf(account.email)).toBeDefined()
  })

  it('R2 sends nothing to a disabled worker', async () => {
    const { account, code } = await withCodes()
    await server.db.updateTable('workers').set({ status: 'disabled' }).where('id', '=', account.id).execute()
    const reply = await redeem(account.email, code)
    expect([reply.status, await auditReason(server, reply)]).toEqual([202, 'unknown_address'])
  })

  it('R2 opens no session and no device, and requires every setup step again', async () => {
    const { account, code } = await withCodes()
    const browser = openBrowser(server)
    await browser.send(redeemRecoveryCode, { body: { email: account.email, code } })
    expect(browser.cookies.size).toBe(0)
    const token = (await linkOf(account.email)) ?? ''
    const who = { ...account, token, browser, passkey: new SoftPasskey(), lastStep: 0 }
    const done = await onboardUntil(server, who, 'done')
    expect(done?.worker.id).toBe(account.id)
    expect((await browser.send(checkSession)).status).toBe(401)
    expect((await browser.send(verifyCredentials, { body: { email: account.email } })).body.requiresDeviceAuth).toBe(
      true,
    )
    server.clock.advance(30_000)
    expect((await signInUntil(server, who, 'signed_in')).replies).toHaveLength(5)
    const left = await server.db.selectFrom('recovery_codes').selectAll().where('worker_id', '=', account.id).execute()
    expect(left.every((row) => row.used_at === null)).toBe(true)
  })
})

describe('a recovery decision', () => {
  const decide = async (call: typeof approveRecovery | typeof denyRecovery, id: number, account = manager) =>
    (await signedIn(server, account)).send(call, { params: { id: String(id) }, body: {} })

  it('R5 sends a link on approval and notifies everyone involved', async () => {
    const account = await makeAccount(server)
    const request = await openRequest(account)
    const reply = await decide(approveRecovery, request.id)
    expect(reply.body.recovery).toMatchObject({ state: 'approved', isOwn: false })
    expect(reply.text).not.toContain('token')
    expect(await linkOf(account.email)).toBeDefined()
    expect(await readMail(server, account.email, 'recovery-approved')).toContain('approved')
    expect(await readMail(server, manager.email, 'recovery-approved')).toContain('approved')
  })

  it('R5 sends no link on denial', async () => {
    const account = await makeAccount(server)
    const request = await openRequest(account)
    expect((await decide(denyRecovery, request.id)).body.recovery.state).toBe('denied')
    expect(await linkOf(account.email)).toBeUndefined()
    const again = await decide(approveRecovery, request.id)
    expect([again.status, again.failure.code]).toEqual([409, 'decided'])
  })

  it('R5 is obsolete after a recovery code was used or another request was approved', async () => {
    const { account, code } = await withCodes()
    const request = await openRequest(account)
    await redeem(account.email, code)
    const token = (await linkOf(account.email)) ?? ''
    const who = { ...account, token, browser: openBrowser(server), passkey: new SoftPasskey(), lastStep: 0 }
    await onboardUntil(server, who, 'done')
    const late = await decide(approveRecovery, request.id)
    expect([late.status, late.failure.code]).toEqual([409, 'decided'])
    const other = await makeAccount(server)
    const [first, second] = [await openRequest(other), await openRequest(other)]
    await decide(approveRecovery, second.id)
    const reader = await signedIn(server, manager)
    const { recoveries } = (await reader.send(listRecoveries, { query: { state: 'closed' } })).body
    expect(recoveries).toMatchObject([
      { id: first.id, state: 'closed', decidedBy: manager.name },
      { id: request.id, state: 'closed', decidedBy: null },
    ])
    expect(recoveries.every(({ decidedAt }) => decidedAt !== null)).toBe(true)
  })

  it("R6 is refused for one's own request", async () => {
    const own = await makeAccount(server, { permissions: ['access.manage'] })
    const request = await openRequest(own)
    const reply = await decide(approveRecovery, request.id, own)
    expect([reply.status, reply.failure.code]).toEqual([403, 'own_account'])
  })

  it('R7 is refused after three days', async () => {
    const request = await openRequest(await makeAccount(server))
    server.clock.advance(3 * DAY)
    expect((await decide(approveRecovery, request.id)).status).toBe(409)
    const listed = await (await signedIn(server, manager)).send(listRecoveries, { query: { state: 'expired' } })
    expect(listed.body.recoveries.map((each) => each.id)).toContain(request.id)
  })

  it('R7 happens once under fifty parallel approvals', async () => {
    const request = await openRequest(await makeAccount(server))
    const browser = await signedIn(server, manager)
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => browser.send(approveRecovery, { params: { id: String(request.id) }, body: {} })),
    )
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
  })

  it('R7 requires step-up', async () => {
    const request = await openRequest(await makeAccount(server))
    const browser = await signedIn(server, manager)
    server.clock.advance(11 * 60_000)
    const reply = await browser.send(approveRecovery, { params: { id: String(request.id) }, body: {} })
    expect([reply.status, reply.failure.code]).toEqual([403, 'step_up_required'])
  })

  it('R7 is refused for a worker who was disabled since', async () => {
    const account = await makeAccount(server)
    const request = await openRequest(account)
    await server.db.updateTable('workers').set({ status: 'disabled' }).where('id', '=', account.id).execute()
    expect((await decide(approveRecovery, request.id)).status).toBe(409)
  })
})
