import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { BackupError, type BackupKeys } from './backup-keys.ts'

/*
 * A sealed file is a header (magic bytes, format, key id, salt, file name) and blocks of 64 KB, each encrypted with
 * AES-256-GCM under a key of this file alone. The nonce of a block is its number and whether it is the last, and the
 * header is authenticated with each block. So a changed, moved, missing or added block is detected, and so is a file
 * that was truncated or renamed. Files of format 1 have no name in their header.
 */
const MAGIC = Buffer.from('LIMBERBK')
const FORMAT = 2
/** The first format that authenticates the file name. */
export const NAMED_FORMAT = 2
const SALT = 32
const KEY_ID = 4
/** The size of the header before the name. */
export const HEADER_SIZE = MAGIC.length + 1 + KEY_ID + SALT
const BLOCK = 64 * 1024
const TAG = 16

const damaged = () => new BackupError('The file is damaged. Its content differs from what was written.')

function nonce(number: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeBigUInt64BE(BigInt(number), 0)
  bytes[11] = isLast ? 1 : 0
  return bytes
}

/** Splits chunks into blocks of one size. The last block is known only at the end of the stream. */
class Blocks {
  private waiting: Buffer[] = []
  private size = 0
  private readonly block: number
  constructor(block: number) {
    this.block = block
  }

  /** Yields complete blocks that are certainly not the last. */
  *add(chunk: Buffer): Generator<Buffer> {
    this.waiting.push(chunk)
    this.size += chunk.length
    if (this.size <= this.block) return
    let all = Buffer.concat(this.waiting, this.size)
    for (; all.length > this.block; all = all.subarray(this.block)) yield all.subarray(0, this.block)
    this.waiting = [all]
    this.size = all.length
  }

  rest(): Buffer {
    return Buffer.concat(this.waiting, this.size)
  }
}

/** Passes an exception to the stream. */
function attempt(done: TransformCallback, step: () => void) {
  try {
    step()
  } catch (error) {
    return done(error as Error)
  }
  done()
}

/** Encrypts a stream for a file of this name. `size` returns the bytes written so far. */
export function sealStream(keys: BackupKeys, name: string): { sealed: Transform; size(): number } {
  const salt = randomBytes(SALT)
  const named = Buffer.from(name)
  if (named.length > 255) throw new Error('The name of a sealed file must be at most 255 bytes')
  const head = Buffer.concat([
    MAGIC,
    Buffer.of(FORMAT),
    Buffer.from(keys.keyId, 'hex'),
    salt,
    Buffer.of(named.length),
    named,
  ])
  const key = keys.forFile(keys.keyId, salt)
  if (!key) throw new Error('The key ring does not contain its own key')
  const blocks = new Blocks(BLOCK)
  let number = 0
  let size = head.length
  const seal = (block: Buffer, isLast: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonce(number++, isLast)).setAAD(head)
    size += block.length + TAG
    return Buffer.concat([cipher.update(block), cipher.final(), cipher.getAuthTag()])
  }
  const sealed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      attempt(done, () => {
        for (const block of blocks.add(chunk)) this.push(seal(block, false))
      })
    },
    flush(done) {
      attempt(done, () => this.push(seal(blocks.rest(), true)))
    },
  })
  sealed.push(head)
  return { sealed, size: () => size }
}

/** Parses the header up to the name. Rejects other files and later formats. */
export function parseHeader(bytes: Buffer): { format: number; keyId: string; salt: Buffer } {
  if (bytes.length < HEADER_SIZE || !bytes.subarray(0, MAGIC.length).equals(MAGIC))
    throw new BackupError('This is not a Limber backup.')
  const format = bytes[MAGIC.length] ?? 0
  if (format < 1 || format > FORMAT)
    throw new BackupError(`This backup has format ${format}. This version of Limber reads formats up to ${FORMAT}.`)
  const at = MAGIC.length + 1
  return {
    format,
    keyId: bytes.subarray(at, at + KEY_ID).toString('hex'),
    salt: bytes.subarray(at + KEY_ID, HEADER_SIZE),
  }
}

/** The size of the whole header. Undefined until enough bytes have arrived. */
function headerLength(bytes: Buffer): number | undefined {
  if (bytes.length < HEADER_SIZE) return undefined
  if ((bytes[MAGIC.length] ?? 0) < NAMED_FORMAT) return HEADER_SIZE
  const name = bytes[HEADER_SIZE]
  return name === undefined ? undefined : HEADER_SIZE + 1 + name
}

/** Decrypts a file. Fails with a readable message on a wrong key or name, or on any changed byte. */
export function openStream(keys: BackupKeys, name: string): Transform {
  const blocks = new Blocks(BLOCK + TAG)
  let begin: Buffer = Buffer.alloc(0)
  let file: { head: Buffer; sealedAs: string; key: Buffer } | undefined
  let number = 0
  const readHeader = () => {
    const { format, keyId, salt } = parseHeader(begin)
    const head = begin.subarray(0, headerLength(begin))
    const sealedAs = format < NAMED_FORMAT ? name : head.subarray(HEADER_SIZE + 1).toString()
    const key = keys.forFile(keyId, salt)
    if (!key)
      throw new BackupError(
        `This backup was encrypted with the key ${keyId}, but the key here is ${keys.keyId}. Add the right key to BACKUP_KEY or BACKUP_KEYS_OLD.`,
      )
    return { head, sealedAs, key }
  }
  const open = (block: Buffer, isLast: boolean) => {
    if (!file || block.length < TAG) throw damaged()
    const decipher = createDecipheriv('aes-256-gcm', file.key, nonce(number++, isLast)).setAAD(file.head)
    decipher.setAuthTag(block.subarray(block.length - TAG))
    let content: Buffer
    try {
      content = Buffer.concat([decipher.update(block.subarray(0, block.length - TAG)), decipher.final()])
    } catch {
      throw damaged()
    }
    // The name is authenticated only after the first block has been decrypted.
    if (file.sealedAs !== name)
      throw new BackupError(
        `The file ${name} was written as ${file.sealedAs}. It was renamed or swapped with another file.`,
      )
    return content
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      attempt(done, () => {
        let rest = chunk
        if (!file) {
          begin = Buffer.concat([begin, chunk])
          const length = headerLength(begin)
          if (length === undefined || begin.length < length) return
          file = readHeader()
          rest = begin.subarray(length)
        }
        for (const block of blocks.add(rest)) this.push(open(block, false))
      })
    },
    flush(done) {
      attempt(done, () => {
        // Rejects a file that is shorter than a header.
        file ??= readHeader()
        this.push(open(blocks.rest(), true))
      })
    },
  })
}
