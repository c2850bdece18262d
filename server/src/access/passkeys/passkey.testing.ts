import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { PasskeyCreation, PasskeyRequest } from '@limber/contract/access/passkeys/passkey.ts'
import { TEST_ORIGIN } from '#platform/testing/testing.ts'

/** Raw bytes in CBOR, for input that a correct encoder would not produce. */
export class Raw {
  readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}
export type Cbor = number | string | Buffer | Raw | readonly Cbor[] | CborMap
/** Ordered pairs, so that a key can be repeated. */
export interface CborMap {
  pairs: readonly (readonly [number | string, Cbor])[]
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.of((major << 5) | size)
  if (size < 256) return Buffer.of((major << 5) | 24, size)
  return Buffer.of((major << 5) | 25, size >> 8, size & 255)
}

export function encodeCbor(value: Cbor): Buffer {
  if (value instanceof Raw) return value.bytes
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -value - 1)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if ('pairs' in value)
    return Buffer.concat([
      head(5, value.pairs.length),
      ...value.pairs.flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)]),
    ])
  return Buffer.concat([head(4, value.length), ...value.map(encodeCbor)])
}

export const flag = { up: 1, uv: 4, be: 8, bs: 16, at: 64, ed: 128 }

/** One defect in an otherwise correct response. */
export interface Fault {
  client?: Record<string, unknown>
  clientBytes?: (bytes: Buffer) => Buffer
  rpId?: string
  flags?: (flags: number) => number
  counter?: number
  authData?: (bytes: Buffer) => Buffer
  key?: (pairs: [number, Cbor][]) => [number, Cbor][]
  credentialId?: Buffer
  attestation?: { fmt: string; attStmt: CborMap } | ((signed: Buffer) => { fmt: string; attStmt: CborMap })
  attestationObject?: (bytes: Buffer) => Buffer
  signature?: (signature: Buffer) => Buffer
  signer?: KeyObject
  userHandle?: string
  response?: Record<string, unknown>
  outer?: (response: Record<string, unknown>) => Record<string, unknown>
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const pack = (bytes: Buffer) => bytes.toString('base64url')

/** A software passkey: ES256, user verified, no attestation by default. */
export class SoftPasskey {
  readonly credentialId = randomBytes(32)
  readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  counter = 0
  handle: Buffer = Buffer.alloc(0)
  baseFlags = flag.up | flag.uv

  private clientData(type: string, challenge: string, fault: Fault): Buffer {
    const data = { type, challenge, origin: TEST_ORIGIN, crossOrigin: false, ...fault.client }
    const bytes = Buffer.from(JSON.stringify(data))
    return fault.clientBytes ? fault.clientBytes(bytes) : bytes
  }

  /** The public key as COSE pairs. */
  publicKey(): [number, Cbor][] {
    const jwk = this.keys.publicKey.export({ format: 'jwk' })
    const part = (text: string | undefined) => Buffer.from(text ?? '', 'base64url')
    return [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, part(jwk.x)],
      [-3, part(jwk.y)],
    ]
  }

  private authData(rpId: string, fault: Fault, extra: number, attested: Buffer): Buffer {
    const flags = this.baseFlags | extra
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(fault.counter ?? this.counter)
    const bytes = Buffer.concat([
      sha256(fault.rpId ?? rpId),
      Buffer.of(fault.flags ? fault.flags(flags) : flags),
      counter,
      attested,
    ])
    return fault.authData ? fault.authData(bytes) : bytes
  }

  /** Responds to creation options. */
  create(options: PasskeyCreation, fault: Fault = {}): Record<string, unknown> {
    this.handle = Buffer.from(options.user.id, 'base64url')
    const id = fault.credentialId ?? this.credentialId
    const pairs = fault.key ? fault.key(this.publicKey()) : this.publicKey()
    const size = Buffer.of(id.length >> 8, id.length & 255)
    const attested = Buffer.concat([Buffer.alloc(16), size, id, encodeCbor({ pairs })])
    const authData = this.authData(options.rp.id, fault, flag.at, attested)
    const clientData = this.clientData('webauthn.create', options.challenge, fault)
    const chosen = fault.attestation ?? { fmt: 'none', attStmt: { pairs: [] } }
    const { fmt, attStmt } =
      typeof chosen === 'function' ? chosen(Buffer.concat([authData, sha256(clientData)])) : chosen
    const object = encodeCbor({
      pairs: [
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authData],
      ],
    })
    return this.wrap(id, fault, {
      clientDataJSON: pack(clientData),
      attestationObject: pack(fault.attestationObject ? fault.attestationObject(object) : object),
      transports: ['internal'],
    })
  }

  /** Responds to request options. */
  get(options: PasskeyRequest, fault: Fault = {}): Record<string, unknown> {
    this.counter++
    const authData = this.authData(options.rpId, fault, 0, Buffer.alloc(0))
    const clientData = this.clientData('webauthn.get', options.challenge, fault)
    const signature = this.sign(Buffer.concat([authData, sha256(clientData)]), fault.signer)
    return this.wrap(fault.credentialId ?? this.credentialId, fault, {
      clientDataJSON: pack(clientData),
      authenticatorData: pack(authData),
      signature: pack(fault.signature ? fault.signature(signature) : signature),
      userHandle: fault.userHandle ?? pack(this.handle),
    })
  }

  sign(data: Buffer, key: KeyObject = this.keys.privateKey): Buffer {
    return sign('sha256', data, key)
  }

  private wrap(id: Buffer, fault: Fault, response: Record<string, unknown>): Record<string, unknown> {
    const credential = {
      id: pack(id),
      rawId: pack(id),
      type: 'public-key',
      response: { ...response, ...fault.response },
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
    }
    return fault.outer ? fault.outer(credential) : credential
  }

  /** The credential as the server stores it. */
  stored() {
    return {
      credential_id: this.credentialId,
      public_key: encodeCbor({ pairs: this.publicKey() }),
      counter: this.counter,
      transports: ['internal'],
      is_backup_eligible: (this.baseFlags & flag.be) !== 0,
      is_backed_up: (this.baseFlags & flag.bs) !== 0,
      aaguid: '00000000-0000-0000-0000-000000000000',
    }
  }
}
