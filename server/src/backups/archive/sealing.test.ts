// @module-tag slow
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { BACKUP_KEY, sealUnnamed } from '../backups.testing.ts'
import { makeBackupKeys } from './backup-keys.ts'
import { openStream, sealStream } from './sealing.ts'

const keys = makeBackupKeys('the first key 0123456789 abcdefghijklmnop')
const KB = 1024
const BLOCK = 64 * KB

const inPieces = (bytes: Buffer, size: number) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    })(),
    { objectMode: false },
  )
const NAME = 'files/ab/abc'
const HEAD = 46 + NAME.length
const seal = (bytes: Buffer, piece = 10_000) => buffer(inPieces(bytes, piece).pipe(sealStream(keys, NAME).sealed))
const open = (bytes: Buffer, piece = 7_001, ring = keys, name = NAME) =>
  new Promise<Buffer>((resolve, reject) => {
    const opened = openStream(ring, name)
    opened.on('error', reject)
    buffer(inPieces(bytes, piece).pipe(opened)).then(resolve, reject)
  })

describe('sealed file', () => {
  it.each([0, 1, 100, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK + 17])(
    'returns %i bytes unchanged',
    async (length) => {
      const content = randomBytes(length)
      const { sealed, size } = sealStream(keys, NAME)
      const bytes = await buffer(inPieces(content, 9_999).pipe(sealed))
      expect(size()).toBe(bytes.length)
      expect((await open(bytes)).equals(content)).toBe(true)
    },
  )
  it('is different every time and does not reveal its content', async () => {
    const content = Buffer.alloc(500, 'secret')
    const [one, two] = [await seal(content), await seal(content)]
    expect(one.equals(two)).toBe(false)
    expect(one.includes('secret')).toBe(false)
  })
  it('is rejected when any bit was changed', async () => {
    const content = randomBytes(2 * BLOCK + 300)
    const bytes = await seal(content)
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.nat(7),
        fc.integer({ min: 1, max: 100_000 }),
        async (at, bit, piece) => {
          const changed = Buffer.from(bytes)
          changed[at] = (changed[at] ?? 0) ^ (1 << bit)
          await expect(open(changed, piece)).rejects.toThrow(
            /damaged|not a Limber backup|format|encrypted with the key/,
          )
        },
      ),
      // Always includes the header and the block boundaries.
      {
        numRuns: rounds(40, 120),
        examples: [0, 8, 9, 13, 44, 45, HEAD - 1, HEAD, BLOCK + HEAD + 15, BLOCK + HEAD + 16, bytes.length - 1].map(
          (at) => [at, 0, 5_000],
        ),
      },
    )
  })
  it('is rejected when truncated or extended', async () => {
    const bytes = await seal(randomBytes(2 * BLOCK))
    for (const length of [0, 3, 44, 45, HEAD - 1, HEAD, 70, 5_000, HEAD + BLOCK + 16, HEAD + 2 * (BLOCK + 16) - 1])
      await expect(open(bytes.subarray(0, length))).rejects.toThrow(/damaged|not a Limber backup/)
    await expect(open(Buffer.concat([bytes, Buffer.of(0)]))).rejects.toThrow('damaged')
    await expect(open(Buffer.concat([bytes, bytes.subarray(HEAD)]))).rejects.toThrow('damaged')
  })
  it('is rejected when blocks are reordered or come from another file', async () => {
    const [bytes, other] = [await seal(randomBytes(3 * BLOCK)), await seal(randomBytes(3 * BLOCK))]
    const part = (of: Buffer, n: number) => of.subarray(HEAD + n * (BLOCK + 16), HEAD + (n + 1) * (BLOCK + 16))
    const head = bytes.subarray(0, HEAD)
    await expect(open(Buffer.concat([head, part(bytes, 1), part(bytes, 0), part(bytes, 2)]))).rejects.toThrow('damaged')
    await expect(open(Buffer.concat([head, part(other, 0), part(bytes, 1), part(bytes, 2)]))).rejects.toThrow('damaged')
  })
  it('is rejected under another name', async () => {
    const bytes = await seal(Buffer.from('hips'))
    await expect(open(bytes, 7_001, keys, 'files/cd/cde')).rejects.toThrow(
      'The file files/cd/cde was written as files/ab/abc. It was renamed or swapped with another file.',
    )
    // Changing the name in the header breaks the authentication.
    const forged = Buffer.concat([bytes.subarray(0, 46), Buffer.from('files/cd/cde'), bytes.subarray(HEAD)])
    await expect(open(forged, 7_001, keys, 'files/cd/cde')).rejects.toThrow('damaged')
  })
  it('of format 1, without a name, still opens', async () => {
    for (const length of [0, 10, BLOCK, 2 * BLOCK + 5]) {
      const content = randomBytes(length)
      const bytes = sealUnnamed(content)
      expect((await open(bytes, 7_001, makeBackupKeys(BACKUP_KEY))).equals(content)).toBe(true)
    }
    const cut = sealUnnamed(randomBytes(2 * BLOCK)).subarray(0, -1)
    await expect(open(cut, 7_001, makeBackupKeys(BACKUP_KEY))).rejects.toThrow('damaged')
  })
  it('opens with an old key that is configured, and names a missing key', async () => {
    const content = randomBytes(100)
    const bytes = await seal(content)
    const [first, second] = ['the first key 0123456789 abcdefghijklmnop', 'the second key 9876543210 zyxwvutsrqponml']
    expect((await open(bytes, 50, makeBackupKeys(second, [first]))).equals(content)).toBe(true)
    await expect(open(bytes, 50, makeBackupKeys(second))).rejects.toThrow(
      `This backup was encrypted with the key ${keys.keyId}, but the key here is ${makeBackupKeys(second).keyId}.`,
    )
  })
})
