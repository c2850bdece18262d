import { gunzipSync } from 'node:zlib'
import {
  createCertification,
  listCertifications,
  revokeCertification,
  updateCertification,
} from '@limber/contract/certifications/certification.ts'
import {
  downloadCredential,
  listSigningKeys,
  readSigningKey,
  readStatusList,
  verifyCertification,
} from '@limber/contract/certifications/verification.ts'
import { eraseUser } from '@limber/contract/support/customers/account.ts'
import { createLocalJWKSet, createRemoteJWKSet, importJWK, jwtVerify, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '#platform/clock.ts'
import { makeKeyring } from '#platform/security/secrets.ts'
import { startTestServer, TEST_NOW, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeCertification, makeCertificationType } from './certification.factory.ts'
import { renewSigningKey, rotateSigningKey, signClaims } from './signing-key.ts'

let server: TestServer
let holder: number
beforeAll(async () => {
  server = await startTestServer()
  const customer = { first_name: 'Maya', last_name: 'Chen', email: 'maya.chen@example.com', phone: '+19515550111' }
  holder = (await makeCustomer(server.db, customer)).id
})
// A new minute for each test, because the rate limit is 30 requests per minute.
beforeEach(() => server.clock.advance(MINUTE))
afterAll(() => server.stop())

const make = async (over: object = {}) => {
  const type = await makeCertificationType(server.db, { description: 'Assisted stretching of the lower body.' })
  return makeCertification(server.db, { customer_id: holder, type_id: type.id, name: 'Maya Chen', ...over })
}
const look = (shortId: string) => server.anonymous().send(verifyCertification, { params: { shortId } })
const download = (shortId: string) => server.anonymous().send(downloadCredential, { params: { shortId } })

/** Verifies like a third party: with the published keys and a library, and none of our code. */
const readAsStranger = async (jwt: string) =>
  jwtVerify(jwt, createRemoteJWKSet(new URL(`${server.url}/.well-known/jwks.json`)), {
    issuer: 'http://localhost:3000',
    currentDate: server.clock.now(),
  })

describe('GET /api/verify/{shortId}', () => {
  it('shows enough to trust a certification and nothing that identifies the person', async () => {
    const { short_id } = await make({ instructor: 'Ines Park', issued_on: '2026-03-02', valid_until: '2027-03-02' })
    const { status, body, text } = await look(short_id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      shortId: short_id,
      holder: 'Maya C.',
      description: 'Assisted stretching of the lower body.',
      instructor: 'Ines Park',
      dateIssued: '2026-03-02',
      validUntil: '2027-03-02',
      status: 'valid',
      revokedOn: null,
      verificationUrl: `http://localhost:3000/verify/${short_id}`,
    })
    expect(body.qrCodeDataURL).toMatch(/^data:image\/png;base64,/)
    expect(text).not.toMatch(/chen|example\.com|9515550111|user_?id/i)
  })
  it('shows the name on the certificate, not of the account, as does the credential', async () => {
    const { short_id } = await make({ name: 'Mayumi Ortega' })
    expect((await look(short_id)).body.holder).toBe('Mayumi O.')
    const { payload } = await readAsStranger((await download(short_id)).text)
    expect(payload.credentialSubject).toMatchObject({ identifier: [{ identityHash: 'Mayumi O.' }] })
    // A correction shows immediately.
    const staff = server.as('businesses.manage')
    const { body } = await staff.send(listCertifications, { query: { search: short_id } })
    const [one] = body.certifications
    if (!one) throw new Error('The certification is not listed.')
    const { userId, certificationTypeId, instructor } = one
    const draft = { userId, certificationTypeId, instructor, name: 'Maya Ortega' }
    await staff.send(updateCertification, { params: { id: String(one.id) }, body: draft })
    expect((await look(short_id)).body.holder).toBe('Maya O.')
  })
  it('shows no name after the holder is erased', async () => {
    const customer = await makeCustomer(server.db, { first_name: 'Yuki', last_name: 'Tanaka' })
    const { short_id } = await make({ customer_id: customer.id, name: 'Yuki Tanaka' })
    expect((await look(short_id)).body.holder).toBe('Yuki T.')
    const body = { reason: 'They asked for it', email: customer.email }
    const erased = await server
      .asSteppedUp('users.overview')
      .send(eraseUser, { params: { id: String(customer.id) }, body })
    expect(erased.status).toBe(200)
    expect((await look(short_id)).text).not.toMatch(/yuki|tanaka/i)
  })
  it('accepts a short id in capitals and with hyphens', async () => {
    const { short_id } = await make()
    const typed = short_id.toUpperCase().replace(/(.{4})(?=.)/g, '$1-')
    expect((await look(typed)).body.shortId).toBe(short_id)
  })
  it('shows expired after the last valid day in company time, and revoked without the reason', async () => {
    const { short_id } = await make({ valid_until: '2026-11-16' })
    server.clock.set('2026-11-17T07:58:00Z')
    expect((await look(short_id)).body.status).toBe('valid')
    server.clock.set('2026-11-17T08:01:00Z')
    expect((await look(short_id)).body.status).toBe('expired')
    const revoked = await make({ revoked_at: new Date('2026-11-02T03:00:00Z'), revoke_reason: 'Failed the audit' })
    const reply = await look(revoked.short_id)
    expect(reply.body).toMatchObject({ status: 'revoked', revokedOn: '2026-11-01' })
    expect(reply.text).not.toContain('audit')
    server.clock.set(TEST_NOW)
  })
  it('gives the same reply for every unknown id', async () => {
    const tries = ['0000000000000000', 'zzzzzzzzzzzzzzzz', 'x', '1', "' or 1=1 --", '%00', '../healthz', 'é'.repeat(16)]
    const replies = await Promise.all(tries.map(look))
    expect(replies.map(({ status }) => status)).toEqual(tries.map(() => 404))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  })
  it('limits guessing of ids per client', async () => {
    const { short_id } = await make()
    await Promise.all(Array.from({ length: 30 }, () => look('0000000000000000')))
    const blocked = await look(short_id)
    expect(blocked.status).toBe(429)
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0)
    server.clock.advance(MINUTE)
    expect((await look(short_id)).status).toBe(200)
  })
})

describe('credential', () => {
  it('is an Open Badge that anyone can verify with the published key', async () => {
    const { short_id, type_id } = await make({ instructor: 'Ines Park', valid_until: '2027-03-02' })
    const reply = await download(short_id)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/vc+jwt')
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="certification-${short_id}.jwt"`)
    const { payload, protectedHeader } = await readAsStranger(reply.text)
    const url = `http://localhost:3000/verify/${short_id}`
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'JWT' })
    expect(protectedHeader.kid).toMatch(/^http:\/\/localhost:3000\/\.well-known\/jwks\/[\w-]{43}$/)
    expect(payload).toMatchObject({
      '@context': [
        'https://www.w3.org/ns/credentials/v2',
        'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
      ],
      id: url,
      jti: url,
      iss: 'http://localhost:3000',
      sub: `${url}#holder`,
      type: ['VerifiableCredential', 'OpenBadgeCredential'],
      issuer: { id: 'http://localhost:3000', type: ['Profile'], name: 'Limber' },
      validFrom: '2026-03-02T08:00:00Z',
      validUntil: '2027-03-03T08:00:00Z',
      nbf: Date.parse('2026-03-02T08:00:00Z') / 1000,
      exp: Date.parse('2027-03-03T08:00:00Z') / 1000,
      credentialSubject: {
        type: ['AchievementSubject'],
        identifier: [{ identityHash: 'Maya C.', identityType: 'name', hashed: false }],
        source: { name: 'Ines Park' },
        achievement: {
          id: `http://localhost:3000/certifications/types/${type_id}`,
          type: ['Achievement'],
          achievementType: 'Certification',
          criteria: { narrative: 'Assisted stretching of the lower body.' },
        },
      },
      credentialStatus: { type: 'BitstringStatusListEntry', statusPurpose: 'revocation' },
    })
    expect(JSON.stringify(payload)).not.toMatch(/chen|example\.com/i)
  })
  it('names an achievement whose URL returns that achievement', async () => {
    const { short_id } = await make()
    const { payload } = await readAsStranger((await download(short_id)).text)
    const { achievement } = payload.credentialSubject as { achievement: { id: string } }
    const address = achievement.id.replace('http://localhost:3000', server.url)
    for (const accept of ['*/*', 'application/json', 'application/ld+json, application/json']) {
      const reply = await fetch(address, { headers: { accept } })
      expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
      expect(await reply.json()).toEqual({ '@context': payload['@context'], ...achievement })
    }
    // A type that was never public stays private.
    const { id } = await makeCertificationType(server.db, { name: 'Not announced yet' })
    for (const unknown of [id, 999_999]) {
      const reply = await fetch(`${server.url}/certifications/types/${unknown}`, { headers: { accept: '*/*' } })
      expect([reply.status, await reply.text()]).toEqual([404, expect.not.stringContaining('Not announced')])
    }
  })
  it('fails verification when changed or signed by someone else', async () => {
    const { short_id } = await make()
    const jwt = (await download(short_id)).text
    const [head = '', body = '', signature = ''] = jwt.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { name: string }
    const forged = Buffer.from(JSON.stringify({ ...claims, name: 'Master of all' })).toString('base64url')
    await expect(readAsStranger(`${head}.${forged}.${signature}`)).rejects.toThrow('signature verification failed')
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
    await expect(readAsStranger(`${head}.${body}.${flipped}`)).rejects.toThrow('signature verification failed')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    await expect(readAsStranger(`${none}.${body}.`)).rejects.toThrow()
    const { n, e } = (await server.anonymous().send(listSigningKeys)).body.keys[0] ?? { n: '', e: '' }
    // Algorithm confusion: the public key used as a shared secret.
    const fake = await new SignJWT(claims as never)
      .setProtectedHeader({ alg: 'HS256', kid: JSON.parse(Buffer.from(head, 'base64url').toString()).kid })
      .sign(Buffer.from(n + e))
    await expect(readAsStranger(fake)).rejects.toThrow()
  })
  it('fails verification after its last valid day, and can no longer be downloaded', async () => {
    const { short_id } = await make({ valid_until: '2026-11-20' })
    const jwt = (await download(short_id)).text
    await expect(readAsStranger(jwt)).resolves.toBeTruthy()
    server.clock.set('2026-11-21T08:00:01Z')
    await expect(readAsStranger(jwt)).rejects.toThrow('"exp" claim timestamp check failed')
    expect((await download(short_id)).failure).toMatchObject({
      code: 'not_valid',
      error: 'Only a valid certification can be downloaded. This one is expired.',
    })
    server.clock.set(TEST_NOW)
  })
  it('names a status bit that is set when the certification is revoked', async () => {
    const type = await makeCertificationType(server.db)
    const staff = server.as('businesses.manage')
    const draft = { userId: holder, certificationTypeId: type.id, name: 'Maya Chen', instructor: 'Ines Park' }
    const { shortId, id } = (await staff.send(createCertification, { body: draft })).body
    const { payload } = await readAsStranger((await download(shortId)).text)
    const entry = payload.credentialStatus as { statusListIndex: string; statusListCredential: string }
    expect(entry.statusListCredential).toBe('http://localhost:3000/.well-known/credential-status/0')
    const isRevoked = async () => {
      const list = await server.anonymous().send(readStatusList, { params: { list: '0' } })
      expect(list.headers.get('access-control-allow-origin')).toBe('*')
      const subject = (await readAsStranger(list.text)).payload.credentialSubject as { encodedList: string }
      const bits = gunzipSync(Buffer.from(subject.encodedList.slice(1), 'base64url'))
      const index = Number(entry.statusListIndex)
      return ((bits[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0
    }
    expect(await isRevoked()).toBe(false)
    await staff.send(revokeCertification, { params: { id: String(id) }, body: { reason: 'A mistake' } })
    expect(await isRevoked()).toBe(true)
    expect((await download(shortId)).status).toBe(409)
  })
})

describe('signing keys', () => {
  const actor = { call: 'test' }
  it('rotate without invalidating older credentials', async () => {
    const { short_id } = await make()
    const older = (await download(short_id)).text
    await rotateSigningKey(server.running.services, actor)
    const newer = (await download(short_id)).text
    const [first, second] = await Promise.all([readAsStranger(older), readAsStranger(newer)])
    expect(first.protectedHeader.kid).not.toBe(second.protectedHeader.kid)
    // A verifier with cached keys does not know the new one.
    const { keys } = (await server.anonymous().send(listSigningKeys)).body
    const stale = createLocalJWKSet({ keys: keys.filter(({ kid }) => kid !== second.protectedHeader.kid) })
    await expect(jwtVerify(newer, stale, { currentDate: server.clock.now() })).rejects.toThrow('no applicable key')
    // The key id resolves to the key.
    const keyId = first.protectedHeader.kid?.split('/').at(-1) ?? ''
    const one = await server.anonymous().send(readSigningKey, { params: { keyId } })
    const key = await importJWK({ ...one.body }, 'RS256')
    await expect(jwtVerify(older, key, { currentDate: server.clock.now() })).resolves.toBeTruthy()
    expect((await server.anonymous().send(readSigningKey, { params: { keyId: 'none' } })).status).toBe(404)
  })
  it('expose only the public key, to any origin and in a browser window', async () => {
    const reply = await server.anonymous().send(listSigningKeys, {}, { headers: { accept: 'text/html,*/*' } })
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(reply.body.keys.length).toBeGreaterThan(1)
    for (const key of reply.body.keys)
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })
  it('are encrypted at rest and cannot be opened with another secret', async () => {
    const { private_sealed } = await server.db
      .selectFrom('signing_keys')
      .select('private_sealed')
      .where('retired_at', 'is', null)
      .executeTakeFirstOrThrow()
    expect(private_sealed.toString('latin1')).not.toContain('"d"')
    const { services } = server.running
    const stranger = { ...services, keyring: makeKeyring('another-secret-0123456789-abcdefghijklmnop') }
    await expect(signClaims(stranger, {})).rejects.toMatchObject({ status: 503 })
    const secret = 'a-new-secret-0123456789-abcdefghijklmnopqrst'
    const renewed = makeKeyring(secret, ['test-secret-key-0123456789-abcdefghijklmnopqrstuvwxyz'])
    await expect(signClaims({ ...services, keyring: renewed }, {})).resolves.toBeTruthy()
  })
  it('are created once by twenty concurrent requests, and one is active after two concurrent rotations', async () => {
    const fresh = await startTestServer()
    const { services } = fresh.running
    await Promise.all(Array.from({ length: 20 }, () => signClaims(services, {})))
    const all = () => fresh.db.selectFrom('signing_keys').select(['key_id', 'retired_at']).execute()
    expect(await all()).toHaveLength(1)
    await Promise.all(Array.from({ length: 2 }, () => rotateSigningKey(services, actor)))
    expect((await all()).filter(({ retired_at }) => retired_at === null)).toHaveLength(1)
    await fresh.stop()
  })
  it('are rotated after a year, not before', async () => {
    const { services } = server.running
    expect(await renewSigningKey(services)).toEqual({ rotated: false })
    server.clock.advance(366 * DAY)
    expect(await renewSigningKey(services)).toMatchObject({ rotated: true })
    expect(await renewSigningKey(services)).toEqual({ rotated: false })
    server.clock.set(TEST_NOW)
  })
})
