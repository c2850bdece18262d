// @module-tag slow
import { generateKeyPairSync } from 'node:crypto'
import { finishStepUp, startStepUp } from '@limber/contract/access/sessions/session.ts'
import { startPasskeyStep, verifyPasskey } from '@limber/contract/access/sign-in/sign-in.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE, SECOND } from '#platform/clock.ts'
import { findStoredReplies } from '#platform/testing/testing.stored-replies.ts'
import type { TestReply, TestServer } from '#platform/testing/testing.ts'
import { encodeCbor, type Fault, flag, SoftPasskey } from '../passkeys/passkey.testing.ts'
import {
  type Account,
  addPasskey,
  attemptRow,
  auditReason,
  expectRefused,
  makeAccount,
  readMail,
  signedIn,
  signInUntil,
  startAccessServer,
} from './sign-in.testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startAccessServer()
})
afterAll(() => server.stop())

const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const flip = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

/** Each has one defect compared with the assertion that is accepted below. */
const faults: readonly (readonly [id: string, title: string, fault: Fault, reason: string])[] = [
  ['W24', 'of another ceremony', { client: { type: 'webauthn.create' } }, 'type'],
  ['W25', 'for a challenge that was never issued', { client: { challenge: 'A'.repeat(43) } }, 'challenge'],
  ['W25', 'for an empty challenge', { client: { challenge: '' } }, 'challenge'],
  ['W26', 'from another host', { client: { origin: 'http://evil.example' } }, 'origin'],
  ['W26', 'from another scheme', { client: { origin: 'https://localhost:3000' } }, 'origin'],
  ['W26', 'from another port', { client: { origin: 'http://localhost:3001' } }, 'origin'],
  ['W26', 'from a subdomain', { client: { origin: 'http://a.localhost:3000' } }, 'origin'],
  ['W26', 'from the null origin', { client: { origin: 'null' } }, 'origin'],
  ['W27', 'made inside a foreign page', { client: { crossOrigin: true } }, 'cross_origin'],
  ['W28', 'that names a top origin', { client: { topOrigin: 'http://localhost:3000' } }, 'top_origin'],
  ['W29', 'for another relying party', { rpId: 'evil.example' }, 'rp_id'],
  ['W30', 'without user presence', { flags: (f) => f & ~flag.up }, 'user_presence'],
  ['W31', 'without user verification', { flags: (f) => f & ~flag.uv }, 'user_verification'],
  ['W32', 'of a passkey that was not eligible for backup', { flags: (f) => f | flag.be }, 'backup_eligibility'],
  ['W33', 'with one bit of the signature flipped', { signature: (bytes) => flip(bytes, 12) }, 'signature'],
  ['W33', 'with an empty signature', { response: { signature: '' } }, 'credential_shape'],
  ['W33', 'signed by another key', { signer: stranger }, 'signature'],
  [
    'W33',
    'with trailing bytes after the signature',
    { signature: (bytes) => Buffer.concat([bytes, Buffer.of(0)]) },
    'signature',
  ],
  ['W34', 'with leftover bytes', { authData: (bytes) => Buffer.concat([bytes, Buffer.of(0)]) }, 'leftover_bytes'],
  ['W34', 'truncated', { authData: (bytes) => bytes.subarray(0, 36) }, 'authenticator_data'],
  [
    'W35',
    'with other client data than was signed',
    { outer: (r) => ({ ...r, response: { ...(r.response as object), clientDataJSON: respell(r) } }) },
    'signature',
  ],
  ['W37', 'of an unknown passkey', { credentialId: Buffer.alloc(32, 3) }, 'credential_unknown'],
  ['W37', 'with an ID of 1024 bytes', { credentialId: Buffer.alloc(1024, 3) }, 'credential_id_length'],
  [
    'W40',
    'with the handle of another worker',
    { userHandle: Buffer.alloc(32, 9).toString('base64url') },
    'user_handle',
  ],
  ['W40', 'with a handle of 65 bytes', { userHandle: Buffer.alloc(65, 9).toString('base64url') }, 'user_handle'],
  ['W21', 'with two different IDs', { outer: (r) => ({ ...r, rawId: 'AAAA' }) }, 'credential_id'],
  ['W21', 'with a type that is not text', { outer: (r) => ({ ...r, type: ['public-key'] }) }, 'credential_shape'],
  ['W22', 'whose client data is not UTF-8', { clientBytes: (b) => Buffer.concat([Buffer.of(0xff), b]) }, 'client_data'],
]

/** The same client data with an extra space that was not signed. */
function respell(credential: Record<string, unknown>): string {
  const { clientDataJSON } = credential.response as { clientDataJSON: string }
  return Buffer.from(`${Buffer.from(clientDataJSON, 'base64url')} `).toString('base64url')
}

async function atPasskey(account?: Account) {
  const who = account ?? (await makeAccount(server))
  const way = await signInUntil(server, who, 'device_ok')
  if (!way.options) throw new Error('no options')
  const { options } = way
  const send = (credential: unknown) =>
    way.browser.send(verifyPasskey, { body: { email: who.email, credential, sessionToken: way.sessionToken } })
  return { account: who, way, options, send }
}

const refused = (reply: TestReply, reason: string) => expectRefused(server, reply, reason)

describe('POST /api/auth/verify-passkey refuses an assertion', () => {
  it.each(faults)('D %s %s', async (_id, _title, fault, reason) => {
    const { account, way, options, send } = await atPasskey()
    await refused(await send(account.passkey.get(options, fault)), reason)
    expect((await attemptRow(server, way)).stage).toBe('device_ok')
    await refused(await send(account.passkey.get(options)), 'no_challenge')
  })

  it('D0 but accepts a valid one, with or without a handle', async () => {
    for (const fault of [{}, { response: { userHandle: null } }, { response: { userHandle: undefined } }]) {
      const { account, options, send } = await atPasskey()
      expect((await send(account.passkey.get(options, fault))).body).toMatchObject({ success: true, requires2FA: true })
    }
  })

  it('D W22 W44 but accepts a byte order mark and unrequested extensions', async () => {
    const bom = { clientBytes: (bytes: Buffer) => Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), bytes]) }
    const extended: Fault = {
      flags: (f) => f | flag.ed,
      authData: (bytes) => Buffer.concat([bytes, encodeCbor({ pairs: [['txAuthSimple', 'yes']] })]),
    }
    const outer: Fault = { outer: (r) => ({ ...r, clientExtensionResults: { largeBlob: { blob: 'x' } } }) }
    for (const fault of [bom, extended, outer]) {
      const { account, options, send } = await atPasskey()
      expect((await send(account.passkey.get(options, fault))).status).toBe(200)
    }
  })

  it('D W25 whose challenge is older than five minutes', async () => {
    const { account, options, send } = await atPasskey()
    server.clock.advance(5 * MINUTE + SECOND)
    await refused(await send(account.passkey.get(options)), 'no_challenge')
  })

  it('D W25 with the challenge of another attempt', async () => {
    const other = await atPasskey()
    const { account, options, send } = await atPasskey()
    const credential = account.passkey.get({ ...options, challenge: other.options.challenge })
    await refused(await send(credential), 'challenge')
    // The other attempt's challenge stays valid.
    expect((await other.send(other.account.passkey.get(other.options))).status).toBe(200)
  })

  it.each([
    ['equal to', 5],
    ['lower than', 4],
    ['zero after', 0],
  ])('D24 W36 whose counter is %s the stored one, and emails the worker', async (_title, counter) => {
    const account = await makeAccount(server)
    await server.db.updateTable('passkeys').set({ counter: 5 }).where('worker_id', '=', account.id).execute()
    const { options, send, way } = await atPasskey(account)
    await refused(await send(account.passkey.get(options, { counter })), 'counter')
    const { id } = await attemptRow(server, way)
    expect(await readMail(server, account.email, 'possible-clone')).toContain('may be a copy')
    const event = await server.db
      .selectFrom('audit_log')
      .select('action')
      .where('action', '=', 'possible_clone')
      .where('subject_id', '=', String(id))
      .execute()
    expect(event).toHaveLength(1)
  })

  it('D W36 but accepts zero after zero, for passkeys without a counter', async () => {
    const { account, options, send } = await atPasskey()
    expect((await send(account.passkey.get(options, { counter: 0 }))).status).toBe(200)
  })

  it('D W32 of a passkey that is no longer eligible for backup', async () => {
    const account = await makeAccount(server, { withoutPasskey: true })
    account.passkey.baseFlags |= flag.be
    await addPasskey(server, account.id, account.passkey)
    const { options, send } = await atPasskey(account)
    await refused(await send(account.passkey.get(options, { flags: (f) => f & ~flag.be })), 'backup_eligibility')
  })

  it('D W38 with the passkey of another worker', async () => {
    const other = await makeAccount(server)
    const { account, options, send } = await atPasskey()
    other.passkey.handle = account.passkey.handle
    await refused(await send(other.passkey.get(options)), 'credential_other_worker')
  })

  it.each([
    ['revoked', 'credential_revoked'],
    ['pending', 'credential_pending'],
  ])('D W39 with a passkey that is %s', async (state, reason) => {
    const account = await makeAccount(server)
    const extra = new SoftPasskey()
    extra.handle = account.passkey.handle
    const { id } = await addPasskey(server, account.id, extra)
    const change = state === 'revoked' ? { revoked_at: server.clock.now() } : { confirmed_at: null }
    await server.db.updateTable('passkeys').set(change).where('id', '=', id).execute()
    const { options, send } = await atPasskey(account)
    await refused(await send(extra.get(options)), reason)
  })

  it('D W42 that is replayed', async () => {
    const first = await atPasskey()
    const credential = first.account.passkey.get(first.options)
    expect((await first.send(credential)).status).toBe(200)
    const second = await atPasskey(first.account)
    await refused(await second.send(credential), 'challenge')
  })

  it('D W43 that is a registration', async () => {
    const { account, options, send } = await atPasskey()
    const creation = {
      challenge: options.challenge,
      rp: { id: 'localhost', name: '' },
      user: { id: '', name: '', displayName: '' },
    }
    await refused(await send(account.passkey.create(creation as never)), 'credential_shape')
  })

  it('D W45 that reuses a challenge in one of 50 parallel requests', async () => {
    const { account, options, send } = await atPasskey()
    const credentials = Array.from({ length: 50 }, () => account.passkey.get(options))
    const replies = await Promise.all(credentials.map(send))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(replies.filter((reply) => reply.status === 401)).toHaveLength(49)
  })

  it('D27 of two megabytes without reading it', async () => {
    const { send } = await atPasskey()
    expect((await send({ id: 'A'.repeat(2_000_000) })).status).toBe(413)
  })

  it.each([[null], ['x'], [7], [[]], [{}], [{ id: {} }]])('D W21 that is %j', async (credential) => {
    const { send } = await atPasskey()
    await refused(await send(credential), 'credential_shape')
  })

  it('D23 five times and then ends the attempt', async () => {
    const { account, way, send } = await atPasskey()
    for (let i = 0; i < 5; i++) expect((await send({})).status).toBe(401)
    const started = await way.browser.send(startPasskeyStep, { body: { sessionToken: way.sessionToken } })
    expect([started.status, await auditReason(server, started)]).toEqual([401, 'dead'])
    expect((await attemptRow(server, way)).stage).toBe('dead')
    expect(account.passkey.counter).toBe(0)
  })

  it('D29 or a challenge after ten for one attempt', async () => {
    const way = await signInUntil(server, await makeAccount(server), 'device_ok')
    const start = () => way.browser.send(startPasskeyStep, { body: { sessionToken: way.sessionToken } })
    for (let i = 0; i < 10; i++) expect((await start()).status).toBe(200)
    await expectRefused(server, await start(), 'limit')
  })

  it.each([startPasskeyStep, verifyPasskey])('D25 before the device code: $path', async (call) => {
    const account = await makeAccount(server)
    // The options come from a known browser. A new browser must not get them.
    const known = await signInUntil(server, account, 'device_ok')
    const fresh = await signInUntil(server, account, 'code_sent')
    expect(fresh.options).toBeNull()
    const { email, sessionToken } = fresh
    const credential = known.options && account.passkey.get(known.options)
    const body = call === verifyPasskey ? { email, credential, sessionToken } : { sessionToken }
    const reply = await fresh.browser.send(call as typeof verifyPasskey, { body } as never)
    await expectRefused(server, reply, 'stage_code_sent')
    expect((await attemptRow(server, fresh)).stage).toBe('code_sent')
  })

  it("D26 for another email than the attempt's, and ends the attempt", async () => {
    const other = await makeAccount(server)
    const { account, way, options } = await atPasskey()
    const body = { email: other.email, credential: account.passkey.get(options), sessionToken: way.sessionToken }
    await refused(await way.browser.send(verifyPasskey, { body }), 'claim')
    expect((await attemptRow(server, way)).stage).toBe('dead')
  })

  it('issues a new challenge after a failed try', async () => {
    const { account, way, send } = await atPasskey()
    await send({})
    const started = await way.browser.send(startPasskeyStep, { body: { sessionToken: way.sessionToken } })
    expect((await send(account.passkey.get(started.body.options))).status).toBe(200)
  })
})

describe('POST /api/auth/step-up/finish', () => {
  it.each(faults)('J1 refuses %s %s', async (_id, _title, fault, reason) => {
    const account = await makeAccount(server)
    const { id, token, csrf } = await steppedDown(account)
    const headers = { cookie: `sid=${token}`, 'x-csrf-token': csrf }
    const started = await server.anonymous().send(startStepUp, { body: {} }, { headers })
    const credential = account.passkey.get(started.body.options, fault)
    const reply = await server.anonymous().send(finishStepUp, { body: { credential } }, { headers })
    expect([reply.status, reply.failure.code, await auditReason(server, reply)]).toEqual([
      403,
      'passkey_failed',
      reason,
    ])
    const row = await server.db
      .selectFrom('sessions')
      .select('stepped_up_at')
      .where('worker_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.stepped_up_at).toBeNull()
  })

  it('J1 refuses the challenge of a sign-in attempt', async () => {
    const account = await makeAccount(server)
    const browser = await signedIn(server, account)
    const { options } = await atPasskey(account)
    await browser.send(startStepUp, { body: {} })
    const reply = await browser.send(finishStepUp, { body: { credential: account.passkey.get(options) } })
    expect([reply.status, await auditReason(server, reply)]).toEqual([403, 'challenge'])
  })

  it('gives the session a new token and ends the old one', async () => {
    const account = await makeAccount(server)
    const browser = await signedIn(server, account)
    const old = browser.cookies.get('sid')
    const started = await browser.send(startStepUp, { body: {} })
    const headers = { 'idempotency-key': 'step-up-0001' }
    const body = { credential: account.passkey.get(started.body.options) }
    const done = await browser.send(finishStepUp, { body }, { headers })
    expect(done.body).toMatchObject({ success: true })
    // The reply contains a session secret, so it must not be stored.
    expect(await findStoredReplies(server.db, 'step-up-0001')).toEqual([])
    expect(browser.cookies.get('sid')).not.toBe(old)
    const stale = await server.anonymous().send(startStepUp, { body: {} }, { headers: { cookie: `sid=${old}` } })
    expect(stale.status).toBe(401)
    expect((await browser.send(startStepUp, { body: {} })).status).toBe(200)
  })
})

/** A session without a recent step-up. */
async function steppedDown(account: Account) {
  const worker = await server.signIn([])
  await server.db.updateTable('sessions').set({ worker_id: account.id }).where('id', '=', worker.sessionId).execute()
  return { ...worker, id: account.id }
}
