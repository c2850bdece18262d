import { checkSession } from '@limber/contract/access/sessions/session.ts'
import {
  finishPasskeySetup,
  startPasskeySetup,
  verifyCredentials,
  verifyPasskey,
} from '@limber/contract/access/sign-in/sign-in.ts'
import { changePermissions } from '@limber/contract/access/workers/worker.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '#platform/clock.ts'
import type { TestReply, TestServer } from '#platform/testing/testing.ts'
import {
  expectRefused,
  makeAccount,
  openBrowser,
  type SignIn,
  signInUntil,
  startAccessServer,
} from './sign-in.testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startAccessServer()
})
afterAll(() => server.stop())

const refused = (reply: TestReply, reason: string) => expectRefused(server, reply, reason)
const begin = (email: string, browser = openBrowser(server)) => browser.send(verifyCredentials, { body: { email } })
let serial = 0
const unknownEmail = () => `nobody-${++serial}@example.com`

const start = (way: SignIn) => way.browser.send(startPasskeySetup, { body: { sessionToken: way.sessionToken } })

describe('POST /api/auth/register-passkey/start', () => {
  it('C1 refuses before the device code', async () => {
    const account = await makeAccount(server, { withoutPasskey: true })
    await refused(await start(await signInUntil(server, account, 'code_sent')), 'stage_code_sent')
  })

  it('C2 refuses a worker who has a passkey', async () => {
    await refused(await start(await signInUntil(server, await makeAccount(server), 'device_ok')), 'has_passkey')
  })

  it('C2 requires the code from a known browser when the worker has no passkey left', async () => {
    const account = await makeAccount(server)
    const { browser } = await signInUntil(server, account, 'signed_in')
    await server.db
      .updateTable('passkeys')
      .set({ revoked_at: server.clock.now() })
      .where('worker_id', '=', account.id)
      .execute()
    const reply = await begin(account.email, browser)
    expect(reply.body).toMatchObject({ requiresDeviceAuth: true, requiresPasskeySetup: false, options: null })
  })

  it('C3 refuses a finish without a start', async () => {
    const account = await makeAccount(server, { withoutPasskey: true })
    const way = await signInUntil(server, account, 'device_ok')
    const credential = account.passkey.create({ challenge: 'x', rp: { id: 'localhost' }, user: { id: '' } } as never)
    const reply = await way.browser.send(finishPasskeySetup, { body: { credential, sessionToken: way.sessionToken } })
    await refused(reply, 'no_challenge')
  })

  it('C7 keeps one of two passkeys submitted at once', async () => {
    const account = await makeAccount(server, { withoutPasskey: true })
    const way = await signInUntil(server, account, 'device_ok')
    const { options } = (await start(way)).body
    const body = { credential: account.passkey.create(options), sessionToken: way.sessionToken }
    const replies = await Promise.all([1, 2].map(() => way.browser.send(finishPasskeySetup, { body })))
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 401])
  })

  it('C8 activates the new passkey only when the sign-in completes', async () => {
    const account = await makeAccount(server, { withoutPasskey: true })
    const way = await signInUntil(server, account, 'device_ok')
    const { options } = (await start(way)).body
    const body = { credential: account.passkey.create(options), sessionToken: way.sessionToken }
    const pending = await way.browser.send(finishPasskeySetup, { body })
    expect(await server.db.selectFrom('passkeys').select('id').where('worker_id', '=', account.id).execute()).toEqual(
      [],
    )
    const credential = account.passkey.get(pending.body.options)
    const proof = { email: account.email, credential, sessionToken: pending.body.sessionToken }
    expect((await way.browser.send(verifyPasskey, { body: proof })).status).toBe(200)
    // A second browser still sees a worker without a passkey.
    const other = await signInUntil(server, account, 'device_ok')
    expect(other.replies.at(-1)?.body).toMatchObject({ requiresPasskeySetup: true, options: null })
  })

  it('C9 W41 refuses another passkey of the worker than the one this attempt registered', async () => {
    const account = await makeAccount(server, { withoutPasskey: true })
    const way = await signInUntil(server, account, 'device_ok')
    const { options } = (await start(way)).body
    const body = { credential: account.passkey.create(options), sessionToken: way.sessionToken }
    const pending = await way.browser.send(finishPasskeySetup, { body })
    const credential = account.passkey.get(pending.body.options, { credentialId: Buffer.alloc(32, 1) })
    const proof = { email: account.email, credential, sessionToken: pending.body.sessionToken }
    await refused(await way.browser.send(verifyPasskey, { body: proof }), 'credential_not_allowed')
  })

  it.each(['cookie', 'bearer', 'query', 'flow'])("C9 opens nothing with an attempt's token as %s", async (place) => {
    const account = await makeAccount(server, { withoutPasskey: true })
    const way = await signInUntil(server, account, 'device_ok')
    const token = way.sessionToken
    const headers = {
      cookie: { cookie: `sid=${token}` },
      bearer: { authorization: `Bearer ${token}` },
      query: {},
      flow: { cookie: `sid=${way.browser.cookies.get('flow')}` },
    }[place]
    const query = place === 'query' ? { sid: token } : undefined
    const reply = await server.anonymous().send(checkSession, query ? { query } : {}, { headers: headers ?? {} })
    expect(reply.status).toBe(401)
  })

  it('C10 refuses a worker without two-factor codes and says to ask for a link', async () => {
    const account = await makeAccount(server, { withoutPasskey: true, withoutTotp: true })
    const reply = await start(await signInUntil(server, account, 'device_ok'))
    await refused(reply, 'no_totp')
    expect(reply.failure.error).toContain('ask for a new onboarding link')
  })

  it('C11 refuses a decoy', async () => {
    const browser = openBrowser(server)
    const { body } = await begin(unknownEmail(), browser)
    await refused(await start({ browser, sessionToken: body.sessionToken } as SignIn), 'stage_code_sent')
  })

  it('C12 refuses the 21st registration of a day', async () => {
    const account = await makeAccount(server, { withoutPasskey: true })
    server.clock.advance(DAY)
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) {
      const way = await signInUntil(server, account, 'device_ok')
      for (let n = 0; n < 7; n++) statuses.push((await start(way)).status)
    }
    expect(statuses).toEqual([...Array(20).fill(200), 429])
  })
})

describe('the token of an attempt', () => {
  it('rotates with each step', async () => {
    const { replies } = await signInUntil(server, await makeAccount(server), 'totp_ok')
    const tokens = replies.map((reply) => (reply.body as { sessionToken: string }).sessionToken)
    expect(new Set(tokens).size).toBe(4)
  })
  it('grants no permission', async () => {
    const way = await signInUntil(server, await makeAccount(server), 'totp_ok')
    const body = { role: null, permissions: [], version: 1 }
    const reply = await way.browser.send(changePermissions, { params: { id: '1' }, body })
    expect(reply.status).toBe(401)
  })
})
