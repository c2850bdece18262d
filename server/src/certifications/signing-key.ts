import type { Jwk } from '@limber/contract/certifications/verification.ts'
import type { JWTPayload } from 'jose'
import { DAY } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { type Actor, runWork } from '#platform/db/work.ts'
import { refusals } from '#platform/http/refusal.ts'
import type { SealedColumn } from '#platform/security/reseal.ts'
import type { Services } from '#platform/services.ts'
import { findCurrentKey, insertKey, type PublicKey, retireCurrentKey } from './signing-key.queries.ts'

type SigningServices = Pick<Services, 'db' | 'clock' | 'keyring' | 'config' | 'log'>

const PURPOSE = 'signing key'
/** The column with the encrypted private keys. */
export const SIGNING_KEYS: SealedColumn = { table: 'signing_keys', column: 'private_sealed', purpose: PURPOSE }
const ALGORITHM = 'RS256'
const KEY_LIFETIME = 365 * DAY

/** The URL of a key is also its id, so that a verifier can fetch the key that a credential names. */
const keyUrl = (issuer: string, keyId: string) => `${issuer}/.well-known/jwks/${keyId}`

export const presentKey = (issuer: string, key: { key_id: string; public_jwk: PublicKey }): Jwk => ({
  ...key.public_jwk,
  alg: ALGORITHM,
  use: 'sig',
  kid: keyUrl(issuer, key.key_id),
})

async function makeKey({ keyring, clock }: SigningServices) {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose')
  const pair = await generateKeyPair(ALGORITHM, { extractable: true, modulusLength: 2048 })
  const { n = '', e = '' } = await exportJWK(pair.publicKey)
  const publicHalf: PublicKey = { kty: 'RSA', n, e }
  return {
    keyId: await calculateJwkThumbprint(publicHalf),
    publicHalf,
    sealed: keyring.seal(PURPOSE, JSON.stringify(await exportJWK(pair.privateKey))),
    now: clock.now(),
  }
}

// Generating a key is expensive, so concurrent requests for the first one share it.
const pendingKeys = new WeakMap<Db, Promise<unknown>>()

/** Creates the first key on first use. */
async function currentKey(services: SigningServices) {
  const { db } = services
  const known = await findCurrentKey(db)
  if (known) return known
  const made = pendingKeys.get(db) ?? makeKey(services).then((key) => insertKey(db, key))
  pendingKeys.set(db, made)
  await made.finally(() => pendingKeys.delete(db))
  return findCurrentKey(db)
}

function decryptPrivateKey({ keyring, log }: SigningServices, sealed: Buffer): Record<string, string> {
  try {
    return JSON.parse(keyring.open(PURPOSE, sealed)) as Record<string, string>
  } catch {
    log.error('the signing key of certifications cannot be decrypted: is an earlier SECRET_KEY missing?')
    throw refusals.unavailable()
  }
}

/** Signs claims as a JWT with the current key. */
export async function signClaims(services: SigningServices, claims: JWTPayload): Promise<string> {
  const key = await currentKey(services)
  if (!key) throw refusals.unavailable()
  const { importJWK, SignJWT } = await import('jose')
  const privateKey = await importJWK(decryptPrivateKey(services, key.private_sealed), ALGORITHM)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: keyUrl(services.config.publicUrl, key.key_id) })
    .sign(privateKey)
}

/** Switches to a new key. Older keys stay published, so credentials they signed still verify. */
export async function rotateSigningKey(services: SigningServices, actor: Actor): Promise<string> {
  const made = await makeKey(services)
  return runWork(services, actor, async ({ db, now, audit }) => {
    await retireCurrentKey(db, now)
    // Of two concurrent rotations, the second keeps the key of the first.
    if (!(await insertKey(db, made))) return (await findCurrentKey(db))?.key_id ?? made.keyId
    audit({ action: 'signing_key_rotated', subject: 'signing_key', subjectId: made.keyId })
    return made.keyId
  })
}

/** Rotates a key that is a year old. */
export async function renewSigningKey(services: SigningServices) {
  const key = await findCurrentKey(services.db)
  if (!key || services.clock.now().getTime() - key.created_at.getTime() < KEY_LIFETIME) return { rotated: false }
  return { rotated: true, keyId: await rotateSigningKey(services, { call: 'schedule signing-key' }) }
}
