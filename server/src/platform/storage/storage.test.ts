import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, request as forward } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startBucketService } from '../testing/testing.bucket.ts'
import { type Storage, StorageError } from './storage.ts'
import { diskStorage } from './storage-disk.ts'
import { s3Storage } from './storage-s3.ts'

const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
const EMPTY = { accessKeyId: undefined, secretAccessKey: undefined }

let folder: string
let service: Awaited<ReturnType<typeof startBucketService>>
const stores: { disk?: Storage; s3?: Storage } = {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limber-disk-'))
  service = await startBucketService()
  stores.disk = diskStorage(folder)
  stores.s3 = bucketAt(service.port)
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

const bucketAt = (port: number, keys: { accessKeyId?: string; secretAccessKey?: string } = KEYS) =>
  s3Storage({ bucket: 'files', endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', ...EMPTY, ...keys })

/** A service that takes connections and says only what it is told to. */
async function startSilent(say = '') {
  const open = new Set<Socket>()
  const silent: Server = createSocketServer((socket) => {
    open.add(socket.on('error', () => {}))
    socket.once('data', () => socket.write(say))
  })
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const limits = { connection: 100, silence: 100, pause: 200 }
  const place = { bucket: 'files', endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', ...KEYS }
  return {
    store: s3Storage(place, limits),
    close() {
      for (const socket of open) socket.destroy()
      silent.close()
    },
  }
}

const read = async (stream: Readable | undefined) => (stream ? text(stream) : undefined)

describe.each(['disk', 's3'] as const)('%s storage', (kind) => {
  const store = () => {
    const found = stores[kind]
    if (!found) throw new Error('not started')
    return found
  }
  it('returns a stored file or a range of it', async () => {
    await store().put('a/b.txt', Buffer.from('0123456789'), { type: 'text/plain' })
    expect(await read(await store().get('a/b.txt'))).toBe('0123456789')
    expect(await read(await store().get('a/b.txt', { start: 2, end: 4 }))).toBe('234')
    expect(await store().size('a/b.txt')).toBe(10)
  })
  it('stores a stream', async () => {
    await store().put('stream.txt', Readable.from([Buffer.from('hello '), Buffer.from('there')]), {
      type: 'text/plain',
      size: 11,
    })
    expect(await read(await store().get('stream.txt'))).toBe('hello there')
  })
  it('stores a long stream of unknown length', async () => {
    const piece = Buffer.alloc(1_000_000, 'x')
    const pieces = function* () {
      for (let n = 0; n < 40; n++) yield piece
    }
    await store().put('long.bin', Readable.from(pieces()), { type: 'application/octet-stream' })
    expect(await store().size('long.bin')).toBe(40_000_000)
    await store().put('none.bin', Readable.from([]), { type: 'application/octet-stream' })
    expect(await store().size('none.bin')).toBe(0)
  })
  it('stores nothing of a broken stream', async () => {
    const broken = async function* () {
      yield Buffer.alloc(9_000_000)
      throw new Error('cut')
    }
    await expect(store().put('torn.bin', Readable.from(broken()), { type: 'text/plain' })).rejects.toThrow('cut')
    expect(await store().size('torn.bin')).toBeUndefined()
  })
  it('lists files by prefix', async () => {
    for (const key of ['list/b/one', 'list/a/two', 'list/a-three', 'lists/four'])
      await store().put(key, Buffer.from(key), { type: 'text/plain' })
    const found = []
    for await (const { key, size } of store().list('list/')) found.push([key, size])
    expect(found.toSorted()).toEqual([
      ['list/a-three', 12],
      ['list/a/two', 10],
      ['list/b/one', 10],
    ])
    for await (const file of store().list('nothing/')) throw new Error(`There should be no ${file.key}`)
  })
  it('returns nothing for a missing file, and deleting is idempotent', async () => {
    expect(await store().get('none')).toBeUndefined()
    expect(await store().size('none')).toBeUndefined()
    await store().put('gone', Buffer.from('x'), { type: 'text/plain' })
    await store().delete('gone')
    await store().delete('gone')
    expect(await store().get('gone')).toBeUndefined()
  })
  it.each(['../x', 'a/../../x', '/etc/passwd', 'a//b', '', 'a\0b', '.hidden', 'a/..', 'x'.repeat(301)])(
    'rejects the key %j',
    async (key) => {
      await expect(store().put(key, Buffer.from('x'), { type: 'text/plain' })).rejects.toThrow('storage key')
    },
  )
})

describe('s3 storage', () => {
  it("uses the machine's role when it has no keys", async () => {
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
    const put = () => bucketAt(service.port, {}).put('role.txt', Buffer.from('x'), { type: 'text/plain' })
    await expect(put()).rejects.toThrow('credentials')
    vi.stubEnv('AWS_ACCESS_KEY_ID', KEYS.accessKeyId)
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', KEYS.secretAccessKey)
    await put()
    vi.unstubAllEnvs()
    expect(await read(await stores.s3?.get('role.txt'))).toBe('x')
  })
  it.each<[string, (store: Storage) => Promise<unknown>]>([
    ['write', (store) => store.put('a', Buffer.from('x'), { type: 'text/plain', size: 1 })],
    ['write of a stream', (store) => store.put('a', Readable.from([Buffer.from('x')]), { type: 'text/plain' })],
    ['read', (store) => store.get('a')],
    ['look', (store) => store.size('a')],
    ['deletion', (store) => store.delete('a')],
    ['list', (store) => store.list('a')[Symbol.asyncIterator]().next()],
    ['sweep', (store) => store.sweep('a')],
  ])('gives up a %s when the service does not answer', async (_, ask) => {
    const { store, close } = await startSilent()
    try {
      const failure = await ask(store).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(StorageError)
      expect(String(failure)).toMatch(/127\.0\.0\.1:\d+ did not answer in time\./)
    } finally {
      close()
    }
  })
  it('gives up reading a file that stops half-way', async () => {
    const { store, close } = await startSilent('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')
    try {
      await expect(read(await store.get('a'))).rejects.toThrow('timed out')
    } finally {
      close()
    }
  })
  it.each([
    ['a missing bucket', { bucket: 'nothing-here' }, /^There is no bucket nothing-here at 127\.0\.0\.1:\d+\./],
    ['a wrong key', { accessKeyId: 'WRONG' }, /refused the access key\. Check S3_ACCESS_KEY_ID/],
    ['a closed port', { endpoint: 'http://127.0.0.1:9' }, /^Couldn't connect to 127\.0\.0\.1:9\. Check S3_ENDPOINT/],
  ])('explains %s', async (_, wrong, text) => {
    const place = { bucket: 'files', endpoint: `http://127.0.0.1:${service.port}`, region: 'us-east-1', ...KEYS }
    const failure = await s3Storage({ ...place, ...wrong })
      .put('a', Buffer.from('x'), { type: 'text/plain', size: 1 })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StorageError)
    expect((failure as Error).message).toMatch(text)
  })
  it('aborts an upload whose second part is rejected, and reports the reason', async () => {
    const asked: string[] = []
    const between = createServer((request, response) => {
      const { method = '', url = '', headers } = request
      asked.push(`${method} ${url.replace(/(uploadId=)[^&]+/, '$1it').replace(/&?x-id=\w+/, '')}`)
      if (url.includes('partNumber=2')) {
        request.resume()
        response.writeHead(403, { 'content-type': 'application/xml' })
        return response.end('<Error><Code>QuotaExceeded</Code><Message>The bucket is full</Message></Error>')
      }
      // The test service cannot abort an upload; real ones can.
      if (method === 'DELETE') return response.writeHead(204).end()
      const onward = forward({ port: service.port, host: '127.0.0.1', method, path: url, headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(response)
      })
      return request.pipe(onward)
    })
    between.listen(0, '127.0.0.1')
    await once(between, 'listening')
    try {
      const store = bucketAt((between.address() as AddressInfo).port)
      const pieces = function* () {
        for (let n = 0; n < 40; n++) yield Buffer.alloc(1_000_000, 'x')
      }
      const type = 'application/octet-stream'
      await expect(store.put('full.bin', Readable.from(pieces()), { type })).rejects.toThrow('The bucket is full')
      expect(await store.size('full.bin')).toBeUndefined()
      const ofUpload = asked.filter((line) => line.includes('uploadId=it'))
      expect(ofUpload[0]).toContain('PUT /files/full.bin')
      expect(ofUpload.at(-1)).toMatch(/^DELETE \/files\/full\.bin\?uploadId=it$/)
      expect(asked.some((line) => line.startsWith('POST') && line.includes('uploadId=it'))).toBe(false)
    } finally {
      between.close()
      between.closeAllConnections()
    }
  })
})

describe('disk storage', () => {
  it('leaves no partial file after a broken stream', async () => {
    const broken = new Readable({
      read() {
        this.push('half')
        this.destroy(new Error('cut'))
      },
    })
    await expect(stores.disk?.put('broken/file', broken, { type: 'text/plain' })).rejects.toThrow('cut')
    expect(await readdir(join(folder, 'broken'))).toEqual([])
  })
  it('sweeps only the partial files of a killed process', async () => {
    await stores.disk?.put('sweep/whole', Buffer.from('x'), { type: 'text/plain' })
    await writeFile(join(folder, 'sweep/half.abc123.part'), 'ha')
    for await (const { key } of stores.disk?.list('sweep/') ?? []) expect(key).toBe('sweep/whole')
    expect(await stores.disk?.sweep('sweep/')).toBe(1)
    expect(await readdir(join(folder, 'sweep'))).toEqual(['whole'])
  })
  it('keeps listing when a file is deleted in the meantime', async () => {
    for (const name of ['first', 'gone', 'last'])
      await stores.disk?.put(`walk/${name}`, Buffer.from('x'), { type: 'text/plain' })
    const seen: string[] = []
    for await (const { key } of stores.disk?.list('walk/') ?? []) {
      seen.push(key)
      await stores.disk?.delete('walk/gone')
    }
    expect(seen).toEqual(['walk/first', 'walk/last'])
  })
  it('reports the free space', async () => {
    expect(await stores.disk?.free()).toBeGreaterThan(0)
  })
})
