import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { type BackupKeys, BackupTrouble } from './backup-keys.ts'

/*
 * A sealed file is a head (mark, format, key id, salt) and blocks of 64 KB, each encrypted with AES-256-GCM under a key
 * of this file alone. A block's nonce is its number and whether it is the last, and the head goes with each block: a
 * block that was changed, moved, left out or added is found, and so is a file that was cut off.
 */
const MARK = Buffer.from('LIMBERBK')
const FORMAT = 1
const SALT = 32
const KEY_ID = 4
/** How many bytes the head of a sealed file takes. */
export const HEAD = MARK.length + 1 + KEY_ID + SALT
const BLOCK = 64 * 1024
const TAG = 16

const damaged = () => new BackupTrouble('The file is damaged: its content is not what was written.')

function nonce(number: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeBigUInt64BE(BigInt(number), 0)
  bytes[11] = isLast ? 1 : 0
  return bytes
}

/** Gathers bytes of any chunking into blocks of one size; the last block is known only when the bytes end. */
class Blocks {
  private waiting: Buffer[] = []
  private size = 0
  private readonly block: number
  constructor(block: number) {
    this.block = block
  }

  /** The blocks that are complete and certainly not the last. */
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

/** Runs a step of a stream and hands its failure to the stream. */
function attempt(done: TransformCallback, step: () => void) {
  try {
    step()
  } catch (error) {
    return done(error as Error)
  }
  done()
}

/** Encrypts a stream; `size` says how many bytes came out so far. */
export function sealing(keys: BackupKeys): { sealed: Transform; size(): number } {
  const salt = randomBytes(SALT)
  const head = Buffer.concat([MARK, Buffer.of(FORMAT), Buffer.from(keys.keyId, 'hex'), salt])
  const key = keys.forFile(keys.keyId, salt)
  if (!key) throw new Error('A ring of keys holds its own key')
  const blocks = new Blocks(BLOCK)
  let number = 0
  let size = HEAD
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

/** What the head of a sealed file says; refuses what is no backup or of a later format. */
export function readHead(bytes: Buffer): { head: Buffer; keyId: string; salt: Buffer } {
  if (bytes.length < HEAD || !bytes.subarray(0, MARK.length).equals(MARK))
    throw new BackupTrouble('This is not a Limber backup.')
  const format = bytes[MARK.length] ?? 0
  if (format !== FORMAT)
    throw new BackupTrouble(`This backup has the format ${format}; this version of Limber reads format ${FORMAT}.`)
  const head = bytes.subarray(0, HEAD)
  const at = MARK.length + 1
  return { head, keyId: head.subarray(at, at + KEY_ID).toString('hex'), salt: head.subarray(at + KEY_ID) }
}

/** Decrypts a stream; ends with words for a person when the key is another, or a single byte differs. */
export function opening(keys: BackupKeys): Transform {
  const blocks = new Blocks(BLOCK + TAG)
  let [begin, file]: [Buffer, { head: Buffer; key: Buffer } | undefined] = [Buffer.alloc(0), undefined]
  let number = 0
  const begun = () => {
    const { head, keyId, salt } = readHead(begin)
    const key = keys.forFile(keyId, salt)
    if (!key)
      throw new BackupTrouble(
        `This backup was made with the key ${keyId}, the key here is ${keys.keyId}. Set BACKUP_KEY or BACKUP_KEYS_OLD to the key it was made with.`,
      )
    return { head, key }
  }
  const open = (block: Buffer, isLast: boolean) => {
    if (!file || block.length < TAG) throw damaged()
    const decipher = createDecipheriv('aes-256-gcm', file.key, nonce(number++, isLast)).setAAD(file.head)
    decipher.setAuthTag(block.subarray(block.length - TAG))
    try {
      return Buffer.concat([decipher.update(block.subarray(0, block.length - TAG)), decipher.final()])
    } catch {
      throw damaged()
    }
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      attempt(done, () => {
        let rest = chunk
        if (!file) {
          begin = Buffer.concat([begin, chunk])
          if (begin.length < HEAD) return
          file = begun()
          rest = begin.subarray(HEAD)
        }
        for (const block of blocks.add(rest)) this.push(open(block, false))
      })
    },
    flush(done) {
      attempt(done, () => {
        // A file too short to be one says so.
        file ??= begun()
        this.push(open(blocks.rest(), true))
      })
    },
  })
}
