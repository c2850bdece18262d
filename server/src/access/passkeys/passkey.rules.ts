import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { PasskeyCreation, PasskeyRequest, Transport } from '@limber/contract/access/passkeys/passkey.ts'
import { Transport as TransportName } from '@limber/contract/access/passkeys/passkey.ts'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { cborLength } from './cbor.rules.ts'

export const CHALLENGE_LIFE = 5 * 60 * 1000
export const MAX_ID_BYTES = 1023
const ES256 = -7
const EDDSA = -8
const RS256 = -257
/** The algorithms that we offer and accept. */
export const ALGORITHMS = [ES256, EDDSA, RS256]

// The library loads hundreds of certificate files, so import it with the first passkey.
const loadVerifiers = () => import('@simplewebauthn/server')
const loadHelpers = () => import('@simplewebauthn/server/helpers')

/** The host that passkeys are bound to, and the origin that may use them. */
export interface RelyingParty {
  id: string
  origin: string
}

export interface NewPasskey {
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: Transport[]
  isBackupEligible: boolean
  isBackedUp: boolean
  aaguid: string
}

export interface StoredPasskey {
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  isBackupEligible: boolean
}

/** The reason is for the audit log, never for the caller. */
export type Verdict<T> = { ok: true; value: T } | { ok: false; reason: string }

class Fault extends Error {}
const fault = (reason: string): never => {
  throw new Fault(reason)
}

async function toVerdict<T>(check: () => Promise<T>): Promise<Verdict<T>> {
  try {
    return { ok: true, value: await check() }
  } catch (error) {
    if (error instanceof Fault) return { ok: false, reason: error.message }
    return { ok: false, reason: reasonOf(error instanceof Error ? error.message : '') }
  }
}

// Maps the library's messages to codes. Tests assert the codes, so a change of its messages is noticed.
const libraryReasons: readonly (readonly [RegExp, string])[] = [
  [/RP ID/, 'rp_id'],
  [/user was not present|User not present/, 'user_presence'],
  [/User verification/, 'user_verification'],
  [/Leftover bytes/, 'leftover_bytes'],
  [/backed up/i, 'backup_flags'],
  [/public key alg|numeric alg/, 'algorithm'],
  [/Unsupported Attestation|None attestation|Packed/, 'attestation'],
  [/No credential ID|No public key|No AAGUID/, 'no_credential_data'],
  [/Response counter value/, 'counter'],
  [/authenticator data|Authenticator data|Map is not|CBOR|well formed|Offset is outside/i, 'authenticator_data'],
]
const reasonOf = (message: string) => libraryReasons.find(([pattern]) => pattern.test(message))?.[1] ?? 'unreadable'

const Binary = z.string().refine((text) => Buffer.from(text, 'base64url').toString('base64url') === text && text !== '')
const credentialFields = { id: Binary, rawId: Binary, type: z.literal('public-key') }
const Registration = z.looseObject({
  ...credentialFields,
  response: z.looseObject({
    clientDataJSON: Binary,
    attestationObject: Binary,
    transports: z.array(z.string()).max(20).optional(),
  }),
})
const Assertion = z.looseObject({
  ...credentialFields,
  response: z.looseObject({
    clientDataJSON: Binary,
    authenticatorData: Binary,
    signature: Binary,
    userHandle: z.string().nullish(),
  }),
})
const ClientData = z.looseObject({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
  topOrigin: z.unknown().optional(),
})

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

function readClientData(encoded: string) {
  try {
    return ClientData.parse(JSON.parse(strictUtf8.decode(Buffer.from(encoded, 'base64url'))))
  } catch {
    return fault('client_data')
  }
}

function checkClientData(encoded: string, type: string, challenges: readonly string[], party: RelyingParty) {
  const data = readClientData(encoded)
  if (data.type !== type) fault('type')
  if (challenges.length === 0) fault('no_challenge')
  if (!challenges.includes(data.challenge)) fault('challenge')
  if (data.origin !== party.origin) fault('origin')
  if (data.crossOrigin) fault('cross_origin')
  if (data.topOrigin !== undefined) fault('top_origin')
  return data
}

function readCredential<T extends z.ZodType<{ id: string; rawId: string }>>(
  schema: T,
  credential: unknown,
): z.output<T> {
  const parsed = schema.safeParse(credential)
  if (!parsed.success) return fault('credential_shape')
  if (parsed.data.id !== parsed.data.rawId) fault('credential_id')
  return parsed.data
}

/** Checks a registration, including what the library leaves to us. */
export const checkRegistration = (
  credential: unknown,
  challenges: readonly string[],
  party: RelyingParty,
): Promise<Verdict<NewPasskey>> =>
  toVerdict(async () => {
    const response = readCredential(Registration, credential)
    const { challenge } = checkClientData(response.response.clientDataJSON, 'webauthn.create', challenges, party)
    await checkAttestation(Buffer.from(response.response.attestationObject, 'base64url'), response.id)
    const { verifyRegistrationResponse } = await loadVerifiers()
    const { verified, registrationInfo: made } = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified || !made) return fault('attestation')
    const publicKey = Buffer.from(made.credential.publicKey)
    await checkKey(publicKey)
    return {
      credentialId: Buffer.from(made.credential.id, 'base64url'),
      publicKey,
      counter: made.credential.counter,
      transports: (response.response.transports ?? []).filter(isTransport),
      isBackupEligible: made.credentialDeviceType === 'multiDevice',
      isBackedUp: made.credentialBackedUp,
      aaguid: made.aaguid,
    }
  })

const isTransport = (text: string): text is Transport => TransportName.safeParse(text).success

/** We request no attestation, so an honest browser sends `none` or a self attestation. */
async function checkAttestation(bytes: Buffer, id: string) {
  const { decodeAttestationObject, isoCBOR, parseAuthenticatorData } = await loadHelpers()
  if (cborLength(bytes) !== bytes.length) fault('attestation_encoding')
  const decoded = decodeAttestationObject(Uint8Array.from(bytes))
  const format = String(decoded.get('fmt'))
  const statement = decoded.get('attStmt')
  if (format !== 'none' && format !== 'packed') fault('attestation')
  const { credentialID, credentialPublicKey } = parseAuthenticatorData(decoded.get('authData'))
  if (credentialID) {
    if (credentialID.byteLength > MAX_ID_BYTES) fault('credential_id_length')
    if (Buffer.from(credentialID).toString('base64url') !== id) fault('credential_id')
  }
  if (format === 'packed') {
    if (statement.get('x5c') !== undefined) fault('attestation')
    const alg = credentialPublicKey && (isoCBOR.decodeFirst(credentialPublicKey) as Map<number, unknown>).get(3)
    if (statement.get('alg') !== alg) fault('attestation')
    checkSignatureForm(Buffer.from(statement.get('sig') ?? []), alg)
  }
}

/** With attestation `none` the library does not check that the key matches its algorithm and is on its curve. */
async function checkKey(publicKey: Buffer) {
  const { isoCBOR } = await loadHelpers()
  const key = isoCBOR.decodeFirst(Uint8Array.from(publicKey)) as Map<number, unknown>
  const jwk = toJwk(key)
  if (!jwk) return fault('public_key')
  try {
    createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    fault('public_key')
  }
}

const bytesOf = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value) : Buffer.alloc(0))

function toJwk(key: Map<number, unknown>): JsonWebKey | undefined {
  const [kty, alg, first] = [key.get(1), key.get(3), key.get(-1)]
  const [second, third] = [bytesOf(key.get(-2)), bytesOf(key.get(-3))]
  if (alg === ES256 && kty === 2 && first === 1 && second.length === 32 && third.length === 32)
    return { kty: 'EC', crv: 'P-256', x: second.toString('base64url'), y: third.toString('base64url') }
  if (alg === EDDSA && kty === 1 && first === 6 && second.length === 32)
    return { kty: 'OKP', crv: 'Ed25519', x: second.toString('base64url') }
  const modulus = bytesOf(first)
  if (alg === RS256 && kty === 3 && modulus.length >= 256 && modulus.length <= 1024 && second.length > 0)
    return { kty: 'RSA', n: modulus.toString('base64url'), e: second.toString('base64url') }
  return undefined
}

/** Requires exactly one DER sequence of two integers, because the library ignores trailing bytes. */
function checkSignatureForm(signature: Buffer, alg: unknown) {
  if (alg !== ES256) return
  const [tag, length] = [signature[0], signature[1]]
  if (tag !== 0x30 || length === undefined || length >= 0x80 || length + 2 !== signature.length) fault('signature')
  const first = signature[3] ?? 0
  const second = signature[5 + first] ?? 0
  if (signature[2] !== 2 || signature[4 + first] !== 2 || 6 + first + second !== signature.length) fault('signature')
}

export interface AssertionOwner {
  handle: Buffer
  /** Finds a passkey of this worker, as listed in the options. */
  find(credentialId: Buffer): Promise<StoredPasskey | { reason: string }>
}

/** Checks an assertion. The caller stores the new counter once everything else is valid. */
export const checkAssertion = (
  credential: unknown,
  challenges: readonly string[],
  party: RelyingParty,
  owner: AssertionOwner,
) =>
  toVerdict(async () => {
    const response = readCredential(Assertion, credential)
    const { challenge } = checkClientData(response.response.clientDataJSON, 'webauthn.get', challenges, party)
    const id = Buffer.from(response.id, 'base64url')
    if (id.byteLength > MAX_ID_BYTES) fault('credential_id_length')
    const stored = await owner.find(id)
    if ('reason' in stored) return fault(stored.reason)
    const { userHandle } = response.response
    if (userHandle && !Buffer.from(userHandle, 'base64url').equals(owner.handle)) fault('user_handle')
    const { isoCBOR } = await loadHelpers()
    const key = isoCBOR.decodeFirst(Uint8Array.from(stored.publicKey)) as Map<number, unknown>
    checkSignatureForm(Buffer.from(response.response.signature, 'base64url'), key.get(3))
    const { verifyAuthenticationResponse } = await loadVerifiers()
    const { verified, authenticationInfo: proof } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id: response.id, publicKey: Uint8Array.from(stored.publicKey), counter: stored.counter },
    })
    if (!verified) fault('signature')
    if ((proof.credentialDeviceType === 'multiDevice') !== stored.isBackupEligible) fault('backup_eligibility')
    return { credentialId: id, counter: proof.newCounter, isBackedUp: proof.credentialBackedUp }
  })

interface ListedPasskey {
  credential_id: Buffer
  transports: string[]
}

const toDescriptor = ({ credential_id, transports }: ListedPasskey) => ({
  id: credential_id.toString('base64url'),
  type: 'public-key' as const,
  transports: transports.filter(isTransport),
})

/** The options with which the browser creates a passkey. */
export const creationOptions = (
  challenge: string,
  party: RelyingParty,
  worker: { handle: Buffer; email: string; name: string },
  existing: readonly ListedPasskey[],
): PasskeyCreation => ({
  challenge,
  rp: { id: party.id, name: 'Limber' },
  user: { id: worker.handle.toString('base64url'), name: worker.email, displayName: worker.name },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  timeout: CHALLENGE_LIFE,
  excludeCredentials: existing.map(toDescriptor),
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  attestation: 'none',
})

/** The options with which the browser uses a passkey. */
export const requestOptions = (
  challenge: string,
  party: RelyingParty,
  allowed: readonly ListedPasskey[],
): PasskeyRequest => ({
  challenge,
  rpId: party.id,
  timeout: CHALLENGE_LIFE,
  allowCredentials: allowed.map(toDescriptor),
  userVerification: 'required',
})
