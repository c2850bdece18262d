import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeBackupKeys } from './backup-keys.ts'
import { opening, sealing } from './sealing.ts'

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
const seal = (bytes: Buffer, piece = 10_000) => buffer(inPieces(bytes, piece).pipe(sealing(keys).sealed))
const open = (bytes: Buffer, piece = 7_001, ring = keys) =>
  new Promise<Buffer>((resolve, reject) => {
    const opened = opening(ring)
    opened.on('error', reject)
    buffer(inPieces(bytes, piece).pipe(opened)).then(resolve, reject)
  })

describe('a sealed file', () => {
  it.each([0, 1, 100, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK + 17])(
    'gives back %i bytes as they were',
    async (length) => {
      const content = randomBytes(length)
      const { sealed, size } = sealing(keys)
      const bytes = await buffer(inPieces(content, 9_999).pipe(sealed))
      expect(size()).toBe(bytes.length)
      expect((await open(bytes)).equals(content)).toBe(true)
    },
  )
  it('never looks the same twice, and shows nothing of its content', async () => {
    const content = Buffer.alloc(500, 'secret')
    const [one, two] = [await seal(content), await seal(content)]
    expect(one.equals(two)).toBe(false)
    expect(one.includes('secret')).toBe(false)
  })
  it('is refused when a single bit anywhere is another one', async () => {
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
          await expect(open(changed, piece)).rejects.toThrow(/damaged|not a Limber backup|format|made with the key/)
        },
      ),
      // The head and both kinds of edges are always tried.
      {
        numRuns: 120,
        examples: [0, 8, 9, 13, 44, 45, BLOCK + 45 + 15, BLOCK + 45 + 16, bytes.length - 1].map((at) => [at, 0, 5_000]),
      },
    )
  })
  it('is refused when it breaks off anywhere, or goes on after its end', async () => {
    const bytes = await seal(randomBytes(2 * BLOCK))
    for (const length of [0, 3, 44, 45, 60, 61, 5_000, 45 + BLOCK + 16, 45 + 2 * (BLOCK + 16) - 1])
      await expect(open(bytes.subarray(0, length))).rejects.toThrow(/damaged|not a Limber backup/)
    await expect(open(Buffer.concat([bytes, Buffer.of(0)]))).rejects.toThrow('damaged')
    await expect(open(Buffer.concat([bytes, bytes.subarray(45)]))).rejects.toThrow('damaged')
  })
  it('is refused when blocks change places, or come from another file', async () => {
    const [bytes, other] = [await seal(randomBytes(3 * BLOCK)), await seal(randomBytes(3 * BLOCK))]
    const part = (of: Buffer, n: number) => of.subarray(45 + n * (BLOCK + 16), 45 + (n + 1) * (BLOCK + 16))
    const head = bytes.subarray(0, 45)
    await expect(open(Buffer.concat([head, part(bytes, 1), part(bytes, 0), part(bytes, 2)]))).rejects.toThrow('damaged')
    await expect(open(Buffer.concat([head, part(other, 0), part(bytes, 1), part(bytes, 2)]))).rejects.toThrow('damaged')
  })
  it('opens with an old key that is still listed, and names the key that is missing', async () => {
    const content = randomBytes(100)
    const bytes = await seal(content)
    const [first, second] = ['the first key 0123456789 abcdefghijklmnop', 'the second key 9876543210 zyxwvutsrqponml']
    expect((await open(bytes, 50, makeBackupKeys(second, [first]))).equals(content)).toBe(true)
    await expect(open(bytes, 50, makeBackupKeys(second))).rejects.toThrow(
      `This backup was made with the key ${keys.keyId}, the key here is ${makeBackupKeys(second).keyId}.`,
    )
  })
})
