// @module-tag slow
import { generateKeyPairSync } from 'node:crypto'
import { finishOnboardingPasskey, startOnboardingPasskey } from '@limber/contract/access/onboarding/onboarding.ts'
import type { PasskeyCreation } from '@limber/contract/access/passkeys/passkey.ts'
import { finishPasskeySetup, SIGN_IN_FAILED, startPasskeySetup } from '@limber/contract/access/sign-in/sign-in.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE, SECOND } from '#platform/clock.ts'
import type { TestServer } from '#platform/testing/testing.ts'
import { issueLink } from '../onboarding/onboarding.queries.ts'
import {
  addPasskey,
  auditReason,
  makeAccount,
  openBrowser,
  signInUntil,
  startAccessServer,
} from '../sign-in/sign-in.testing.ts'
import { makeWorker } from '../workers/worker.factory.ts'
import { type Cbor, type CborMap, encodeCbor, type Fault, flag, SoftPasskey } from './passkey.testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startAccessServer()
})
afterAll(() => server.stop())

const packed =
  (passkey: SoftPasskey, more: CborMap['pairs'] = [], alg = -7, edit = (bytes: Buffer) => bytes) =>
  (signed: Buffer) => ({
    fmt: 'packed',
    attStmt: { pairs: [['alg', alg], ['sig', edit(passkey.sign(signed))], ...more] as CborMap['pairs'] },
  })

const flipLast = (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.of((bytes.at(-1) ?? 0) ^ 1)])
const swap = (key: number, value: Cbor | undefined) => (pairs: [number, Cbor][]) =>
  pairs.flatMap(([name, old]): [number, Cbor][] =>
    name !== key ? [[name, old]] : value === undefined ? [] : [[name, value]],
  )

type Case = readonly [id: string, title: string, fault: Fault | ((passkey: SoftPasskey) => Fault), reason: string]

/** Each has one defect compared with the passkey that is accepted below. */
const faults: readonly Case[] = [
  ['W1', 'of another ceremony', { client: { type: 'webauthn.get' } }, 'type'],
  ['W2', 'for a challenge that was never issued', { client: { challenge: 'A'.repeat(43) } }, 'challenge'],
  ['W2', 'for an empty challenge', { client: { challenge: '' } }, 'challenge'],
  ['W3', 'from another host', { client: { origin: 'http://evil.example' } }, 'origin'],
  ['W3', 'from another scheme', { client: { origin: 'https://localhost:3000' } }, 'origin'],
  ['W3', 'from another port', { client: { origin: 'http://localhost:3001' } }, 'origin'],
  ['W3', 'from a subdomain', { client: { origin: 'http://a.localhost:3000' } }, 'origin'],
  ['W3', 'from the null origin', { client: { origin: 'null' } }, 'origin'],
  ['W4', 'created inside a foreign page', { client: { crossOrigin: true } }, 'cross_origin'],
  ['W5', 'that names a top origin', { client: { topOrigin: 'http://localhost:3000' } }, 'top_origin'],
  ['W6', 'for another relying party', { rpId: 'evil.example' }, 'rp_id'],
  ['W7', 'without user presence', { flags: (f) => f & ~flag.up }, 'user_presence'],
  ['W8', 'without user verification', { flags: (f) => f & ~flag.uv }, 'user_verification'],
  ['W9', 'backed up but not eligible for backup', { flags: (f) => f | flag.bs }, 'backup_flags'],
  ['W10', 'with the algorithm RS1', { key: swap(3, -65_535) }, 'algorithm'],
  ['W10', 'with the algorithm ES256K', { key: swap(3, -47) }, 'algorithm'],
  ['W11', 'with an unknown attestation', { attestation: { fmt: 'homemade', attStmt: { pairs: [] } } }, 'attestation'],
  [
    'W12',
    'with a statement for format none',
    { attestation: { fmt: 'none', attStmt: { pairs: [['sig', 1]] } } },
    'attestation',
  ],
  [
    'W13',
    'self-attested with a certificate',
    (p) => ({ attestation: packed(p, [['x5c', [Buffer.of(48, 0)]]]) }),
    'attestation',
  ],
  ['W13', 'with an empty certificate chain', (p) => ({ attestation: packed(p, [['x5c', []]]) }), 'attestation'],
  ['W13', 'self-attested with one bit flipped', (p) => ({ attestation: packed(p, [], -7, flipLast) }), 'attestation'],
  [
    'W13',
    'self-attested with another algorithm than its key',
    (p) => ({ attestation: packed(p, [], -257) }),
    'attestation',
  ],
  [
    'W14',
    'as fido-u2f',
    (p) => ({ attestation: (signed) => ({ ...packed(p)(signed), fmt: 'fido-u2f' }) }),
    'attestation',
  ],
  ['W15', 'with leftover bytes', { authData: (bytes) => Buffer.concat([bytes, Buffer.of(0)]) }, 'leftover_bytes'],
  ['W16', 'truncated', { attestationObject: (bytes) => bytes.subarray(0, -5) }, 'attestation_encoding'],
  [
    'W16',
    'with trailing bytes',
    { attestationObject: (bytes) => Buffer.concat([bytes, Buffer.of(0)]) },
    'attestation_encoding',
  ],
  ['W16', 'with a duplicate key', { key: (pairs) => [...pairs, [3, -7]] }, 'authenticator_data'],
  [
    'W16',
    'of indefinite length',
    { attestationObject: (bytes) => Buffer.concat([Buffer.of(0xbf), bytes.subarray(1), Buffer.of(0xff)]) },
    'attestation_encoding',
  ],
  [
    'W17',
    'without a credential',
    { flags: (f) => f & ~flag.at, authData: (bytes) => bytes.subarray(0, 37) },
    'no_credential_data',
  ],
  ['W18', 'with an ID of 1024 bytes', { credentialId: Buffer.alloc(1024, 7) }, 'credential_id_length'],
  ['W20', 'whose key is not on the curve', { key: swap(-3, Buffer.alloc(32, 1)) }, 'public_key'],
  ['W20', 'whose key has another type', { key: swap(1, 3) }, 'public_key'],
  ['W20', 'whose key is on another curve', { key: swap(-1, 2) }, 'public_key'],
  ['W20', 'whose key is too short', { key: swap(-2, Buffer.alloc(31, 1)) }, 'public_key'],
  ['W20', 'whose key names no algorithm', { key: swap(3, undefined) }, 'algorithm'],
  ['W21', 'with two different IDs', { outer: (r) => ({ ...r, rawId: 'AAAA' }) }, 'credential_id'],
  ['W21', "with another credential's IDs", { outer: (r) => ({ ...r, id: 'AAAA', rawId: 'AAAA' }) }, 'credential_id'],
  [
    'W21',
    'with an ID that is not base64url',
    { outer: (r) => ({ ...r, id: 'a+b/', rawId: 'a+b/' }) },
    'credential_shape',
  ],
  ['W21', 'without a type', { outer: ({ type: _, ...r }) => r }, 'credential_shape'],
  ['W21', 'with a type that is not text', { outer: (r) => ({ ...r, type: 7 }) }, 'credential_shape'],
  ['W21', 'with another type', { outer: (r) => ({ ...r, type: 'password' }) }, 'credential_shape'],
  ['W21', 'with a null ID', { outer: (r) => ({ ...r, id: null }) }, 'credential_shape'],
  ['W21', 'without a response', { outer: ({ response: _, ...r }) => r }, 'credential_shape'],
  [
    'W22',
    'whose client data is not UTF-8',
    { clientBytes: (bytes) => Buffer.concat([Buffer.of(0xff), bytes]) },
    'client_data',
  ],
  ['W22', 'whose client data is not JSON', { clientBytes: (bytes) => bytes.subarray(1) }, 'client_data'],
]

/** Unusual but valid. */
const accepted: readonly (readonly [string, string, Fault | ((passkey: SoftPasskey) => Fault)])[] = [
  ['W0', 'as a normal browser creates it', {}],
  ['W13', 'with self attestation', (p) => ({ attestation: packed(p) })],
  ['W18', 'with an ID of 1023 bytes', { credentialId: Buffer.alloc(1023, 9) }],
  [
    'W22',
    'whose client data begins with a byte order mark',
    { clientBytes: (bytes) => Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), bytes]) },
  ],
  [
    'W44',
    'with unrequested extensions',
    { outer: (r) => ({ ...r, clientExtensionResults: { appid: true, credBlob: 'x', deep: { a: [1] } } }) },
  ],
  [
    'W44',
    'with extensions inside',
    {
      flags: (f) => f | flag.ed,
      authData: (bytes) => Buffer.concat([bytes, encodeCbor({ pairs: [['credProtect', 2]] })]),
    },
  ],
  ['W44', 'with unknown transports', { response: { transports: ['telepathy', 'usb'] } }],
]

const made = (fault: Case[2], passkey: SoftPasskey) => (typeof fault === 'function' ? fault(passkey) : fault)
const countPasskeys = async (workerId: number) =>
  (await server.db.selectFrom('passkeys').select('id').where('worker_id', '=', workerId).execute()).length

async function atSetup() {
  const account = await makeAccount(server, { withoutPasskey: true })
  const way = await signInUntil(server, account, 'device_ok')
  const started = await way.browser.send(startPasskeySetup, { body: { sessionToken: way.sessionToken } })
  expect(started.status).toBe(200)
  return { account, way, options: started.body.options }
}

describe('POST /api/auth/register-passkey/finish refuses a passkey', () => {
  it.each(faults)('C5 %s %s', async (_id, _title, fault, reason) => {
    const { account, way, options } = await atSetup()
    const credential = account.passkey.create(options, made(fault, account.passkey))
    const reply = await way.browser.send(finishPasskeySetup, { body: { credential, sessionToken: way.sessionToken } })
    expect(await auditReason(server, reply)).toBe(reason)
    expect([reply.status, reply.failure.error]).toEqual([401, SIGN_IN_FAILED])
    expect(await countPasskeys(account.id)).toBe(0)
    // The failed try used up the challenge.
    const again = account.passkey.create(options)
    const late = await way.browser.send(finishPasskeySetup, {
      body: { credential: again, sessionToken: way.sessionToken },
    })
    expect([late.status, await auditReason(server, late)]).toEqual([401, 'no_challenge'])
  })

  it.each(accepted)('%s accepts one %s', async (_id, _title, fault) => {
    const { account, way, options } = await atSetup()
    const credential = account.passkey.create(options, made(fault, account.passkey))
    const reply = await way.browser.send(finishPasskeySetup, { body: { credential, sessionToken: way.sessionToken } })
    expect([reply.status, await auditReason(server, reply)]).toEqual([200, null])
  })

  it('W2 whose challenge is older than five minutes', async () => {
    const { account, way, options } = await atSetup()
    server.clock.advance(5 * MINUTE + SECOND)
    const body = { credential: account.passkey.create(options), sessionToken: way.sessionToken }
    const reply = await way.browser.send(finishPasskeySetup, { body })
    expect([reply.status, await auditReason(server, reply)]).toEqual([401, 'no_challenge'])
  })

  it('C4 W2 with the challenge of another attempt, and uses up its own', async () => {
    const other = await atSetup()
    const { account, way, options } = await atSetup()
    const foreign = account.passkey.create({ ...options, challenge: other.options.challenge })
    const reply = await way.browser.send(finishPasskeySetup, {
      body: { credential: foreign, sessionToken: way.sessionToken },
    })
    expect([reply.status, await auditReason(server, reply)]).toEqual([401, 'challenge'])
    const own = await way.browser.send(finishPasskeySetup, {
      body: { credential: account.passkey.create(options), sessionToken: way.sessionToken },
    })
    expect(await auditReason(server, own)).toBe('no_challenge')
  })

  it('C6 W19 that belongs to another worker', async () => {
    const { account, way, options } = await atSetup()
    const other = await makeAccount(server)
    const credential = account.passkey.create(options, { credentialId: other.passkey.credentialId })
    const reply = await way.browser.send(finishPasskeySetup, { body: { credential, sessionToken: way.sessionToken } })
    expect([reply.status, await auditReason(server, reply)]).toEqual([401, 'credential_taken'])
  })

  it('W16 of ten megabytes without reading it', async () => {
    const { way } = await atSetup()
    const credential = { id: 'A'.repeat(10_000_000) }
    const reply = await way.browser.send(finishPasskeySetup, { body: { credential, sessionToken: way.sessionToken } })
    expect(reply.status).toBe(413)
  })

  it('W43 that is an assertion', async () => {
    const { account, way, options } = await atSetup()
    const credential = account.passkey.get({
      challenge: options.challenge,
      rpId: 'localhost',
      timeout: 1,
      allowCredentials: [],
      userVerification: 'required',
    })
    const reply = await way.browser.send(finishPasskeySetup, { body: { credential, sessionToken: way.sessionToken } })
    expect([reply.status, await auditReason(server, reply)]).toEqual([401, 'credential_shape'])
  })

  it.each([[0], [65]])('W23 with a stored user handle of %i bytes', async (size) => {
    const { id } = await makeWorker(server.db)
    const stored = server.db
      .updateTable('workers')
      .set({ handle: Buffer.alloc(size) })
      .where('id', '=', id)
      .execute()
    await expect(stored).rejects.toThrow('workers_handle_check')
  })

  it('W20 with RSA of 1024 bits, but takes Ed25519', async () => {
    const first = await atSetup()
    const ed = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
    const edKey: [number, Cbor][] = [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, Buffer.from(ed.x ?? '', 'base64url')],
    ]
    const edCredential = first.account.passkey.create(first.options, { key: () => edKey })
    const taken = await first.way.browser.send(finishPasskeySetup, {
      body: { credential: edCredential, sessionToken: first.way.sessionToken },
    })
    expect(taken.status).toBe(200)
    const second = await atSetup()
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })
    const rsaKey: [number, Cbor][] = [
      [1, 3],
      [3, -257],
      [-1, Buffer.from(rsa.n ?? '', 'base64url')],
      [-2, Buffer.of(1, 0, 1)],
    ]
    const rsaCredential = second.account.passkey.create(second.options, { key: () => rsaKey })
    const refused = await second.way.browser.send(finishPasskeySetup, {
      body: { credential: rsaCredential, sessionToken: second.way.sessionToken },
    })
    expect([refused.status, await auditReason(server, refused)]).toEqual([401, 'public_key'])
  })
})

async function atOnboarding() {
  const worker = await makeWorker(server.db, { status: 'invited' })
  const { token } = await issueLink(server.db, worker.id, 'invite', server.clock.now())
  const browser = openBrowser(server)
  const started = await browser.send(startOnboardingPasskey, { body: { token } })
  expect(started.status).toBe(200)
  const finish = (passkey: SoftPasskey, options: PasskeyCreation, fault?: Fault) =>
    browser.send(finishOnboardingPasskey, { body: { token, credential: passkey.create(options, fault) } })
  return { worker, options: started.body.options, finish, browser, token }
}

describe('POST /onboarding/webauth/register/finish refuses a passkey', () => {
  it.each(faults)('H5 %s %s', async (_id, _title, fault, reason) => {
    const { worker, options, finish } = await atOnboarding()
    const passkey = new SoftPasskey()
    const reply = await finish(passkey, options, made(fault, passkey))
    expect([reply.status, reply.failure.code, await auditReason(server, reply)]).toEqual([
      401,
      'passkey_failed',
      reason,
    ])
    expect(await countPasskeys(worker.id)).toBe(0)
    const late = await finish(passkey, options)
    expect(await auditReason(server, late)).toBe('no_challenge')
  })

  it('H7 that belongs to another worker', async () => {
    const { options, finish } = await atOnboarding()
    const other = await makeAccount(server)
    const reply = await finish(new SoftPasskey(), options, { credentialId: other.passkey.credentialId })
    expect([reply.status, await auditReason(server, reply)]).toEqual([401, 'credential_taken'])
  })

  it('H7 that was revoked before', async () => {
    const { options, finish } = await atOnboarding()
    const account = await makeAccount(server)
    const old = new SoftPasskey()
    const { id } = await addPasskey(server, account.id, old)
    await server.db.updateTable('passkeys').set({ revoked_at: server.clock.now() }).where('id', '=', id).execute()
    const reply = await finish(new SoftPasskey(), options, { credentialId: old.credentialId })
    expect(await auditReason(server, reply)).toBe('credential_taken')
  })
})
