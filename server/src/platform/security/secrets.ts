import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** A random URL-safe token. */
export const randomToken = (bytes = 32) => randomBytes(bytes).toString('base64url')

/** The hash of a token. Only the hash is stored, so that the database reveals no usable token. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Compares in constant time. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Signs and encrypts with keys derived from the installation's secret. Each purpose has its own key. */
export interface Keyring {
  /** A signature of a text for a purpose. */
  sign(purpose: string, text: string): string
  /** Whether a text was signed with the current secret or an earlier one. */
  isSigned(purpose: string, text: string, signature: string): boolean
  /** Encrypts with AES-256-GCM. The result contains the key id, so that keys can be rotated. */
  seal(purpose: string, text: string): Buffer
  /** Decrypts. Throws when the text was altered or its key is unknown. */
  open(purpose: string, sealed: Buffer): string
  /** The id of the current key. */
  keyId: string
}

const derive = (secret: string, purpose: string) =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'limber', purpose, 32)))
const idOf = (secret: string) => createHash('sha256').update(`key id:${secret}`).digest().subarray(0, 4)

const VERSION = 1
const HEAD = 1 + 4 + 12
const TAG = 16

export function makeKeyring(secret: string, oldSecrets: readonly string[] = []): Keyring {
  const secrets = new Map([secret, ...oldSecrets].map((each) => [idOf(each).toString('hex'), each]))
  const ownId = idOf(secret)
  const keyId = ownId.toString('hex')
  const keys = new Map<string, KeyObject>()
  const keyFor = (id: string, purpose: string) => {
    const name = `${id}:${purpose}`
    const known = keys.get(name)
    if (known) return known
    const of = secrets.get(id)
    if (of === undefined) throw new Error(`No key ${id} to open a sealed ${purpose}`)
    const made = derive(of, purpose)
    keys.set(name, made)
    return made
  }
  const signWith = (id: string, purpose: string, text: string) =>
    createHmac('sha256', keyFor(id, `sign ${purpose}`))
      .update(text)
      .digest('base64url')
  return {
    keyId,
    sign: (purpose, text) => signWith(keyId, purpose, text),
    isSigned: (purpose, text, signature) =>
      [...secrets.keys()].some((id) => sameText(signWith(id, purpose, text), signature)),
    seal(purpose, text) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', keyFor(keyId, purpose), iv)
      cipher.setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), ownId, iv, cipher.getAuthTag(), body])
    },
    open(purpose, sealed) {
      const id = sealed.subarray(1, 5).toString('hex')
      if (sealed[0] !== VERSION) throw new Error(`No key ${id} to open a sealed ${purpose}`)
      const decipher = createDecipheriv('aes-256-gcm', keyFor(id, purpose), sealed.subarray(5, HEAD))
      decipher.setAAD(Buffer.from(purpose))
      decipher.setAuthTag(sealed.subarray(HEAD, HEAD + TAG))
      return Buffer.concat([decipher.update(sealed.subarray(HEAD + TAG)), decipher.final()]).toString('utf8')
    },
  }
}
