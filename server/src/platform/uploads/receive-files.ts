import { createHash, type Hash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { UploadQuality } from '@limber/contract/training/assets/asset.ts'
import { fileTypeFromBuffer } from 'file-type'
import { SECOND } from '../clock.ts'
import { isRolledBack } from '../db/db.ts'
import { Refusal } from '../http/refusal.ts'
import type { Storage } from '../storage/storage.ts'
import {
  countPages,
  type FileKind,
  isPlainText,
  isWholePdf,
  kindOfMime,
  kindOfText,
  sanitizeFilename,
} from './file-kind.ts'
import { reencodeImage } from './image.ts'
import { readMedia } from './media-facts.ts'
import { cleanSubtitles } from './subtitles.ts'
import type { SpendBytes } from './upload-quota.ts'

export type FileFault = 'empty_file' | 'wrong_type' | 'damaged' | 'too_large' | 'too_many_pixels'

/** A file in the storage that has no record yet. */
export interface StagedFile {
  name: string
  filename: string
  kind: FileKind
  originalSize: number
  finalSize: number
  width: number | null
  height: number | null
  duration: number | null
  pages: number | null
}

export interface ReceivedFile {
  filename: string
  staged: StagedFile | undefined
  fault: FileFault | undefined
  kind: FileKind | undefined
  /** Hash of the original bytes; undefined for a rejected file. */
  digest: string | undefined
}

/** The upload is malformed or was interrupted. */
export class BadUpload extends Error {
  readonly code: 'malformed' | 'too_many_files' | 'field_too_long' | 'cut_off' | 'quota'
  constructor(code: BadUpload['code']) {
    super(code)
    this.code = code
  }
}

const HEAD = 4_100
const IDLE = 60 * SECOND
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** An unguessable name of 130 bits. */
const makeName = (extension: string) =>
  `${Array.from(randomBytes(26), (byte) => alphabet[byte % 32]).join('')}.${extension}`

class TooLarge extends Error {}

/** Bytes are counted against the quota in steps of this size. */
const QUOTA_STEP = 8 * 1024 * 1024

/** Passes bytes through, counts and hashes them. Fails past the size limit or the sender's quota. */
function counting(limit: number, spend: SpendBytes): Transform & { size: number; hash: Hash } {
  let unspent = 0
  const pay = async () => {
    const bytes = unspent
    unspent = 0
    if (bytes > 0 && !(await spend(bytes))) throw new BadUpload('quota')
  }
  const stream = Object.assign(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        stream.size += chunk.length
        unspent += chunk.length
        stream.hash.update(chunk)
        if (stream.size > limit) return done(new TooLarge())
        if (unspent < QUOTA_STEP) return done(null, chunk)
        pay().then(() => done(null, chunk), done)
      },
      flush(done) {
        pay().then(() => done(), done)
      },
    }),
    { size: 0, hash: createHash('sha256') },
  )
  return stream
}

/** Reads the first bytes of a stream and returns them with the full stream. */
async function peek(source: Readable): Promise<{ head: Buffer; rest: PassThrough }> {
  const rest = new PassThrough()
  const chunks: Buffer[] = []
  let size = 0
  const iterator = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    chunks.push(next.value)
    size += next.value.length
    if (size >= HEAD) break
  }
  const head = Buffer.concat(chunks)
  void (async () => {
    try {
      if (head.length > 0 && !rest.write(head)) await drained(rest)
      for (let next = await iterator.next(); !next.done; next = await iterator.next())
        if (!rest.destroyed && !rest.write(next.value)) await drained(rest)
      rest.end()
    } catch (error) {
      rest.destroy(error instanceof Error ? error : new Error('broken'))
    }
  })()
  return { head, rest }
}

const drained = (stream: PassThrough) =>
  new Promise<void>((done) => {
    const go = () => {
      stream.off('drain', go).off('close', go)
      done()
    }
    stream.on('drain', go).on('close', go)
  })

async function readAll(source: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of source as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function kindOf(head: Buffer, filename: string): Promise<FileKind | undefined> {
  const found = await fileTypeFromBuffer(head)
  if (found) return kindOfMime(found.mime)
  return kindOfText(filename)
}

interface Staging extends Pick<UploadOptions, 'storage' | 'keyOf' | 'accepts' | 'spend' | 'as'> {
  quality: () => UploadQuality
}

/** Checks the type and size of one file and stores it. */
async function stage(
  source: Readable,
  filename: string,
  { storage, keyOf, accepts, quality, spend, as }: Staging,
): Promise<ReceivedFile> {
  const { head, rest } = await peek(source)
  const received = (fault: FileFault, kind?: FileKind): ReceivedFile => {
    // Drain the rest, so that the next file and the reply get through.
    rest.resume()
    return { filename, staged: undefined, fault, kind, digest: undefined }
  }
  if (head.length === 0) return received('empty_file')
  const kind = as ?? (await kindOf(head, filename))
  if (!kind || accepts?.(kind.mime) === false) return received('wrong_type')
  const counted = rest.on('error', (error) => counted.destroy(error)).pipe(counting(kind.limit, spend))
  const name = makeName(kind.extension)
  const key = keyOf(name)
  const base = { name, filename, kind, width: null, height: null, duration: null, pages: null }
  const done = (facts: Partial<StagedFile> & Pick<StagedFile, 'originalSize' | 'finalSize'>): ReceivedFile => ({
    filename,
    staged: { ...base, ...facts },
    fault: undefined,
    kind,
    digest: counted.hash.digest('hex'),
  })
  try {
    if (as) {
      await storage.put(key, counted, { type: kind.mime })
      return done({ originalSize: counted.size, finalSize: counted.size })
    }
    if (kind.type === 'video' || kind.type === 'audio') {
      await storage.put(key, counted, { type: kind.mime })
      const media = await readMedia(kind.mime, partsOf(storage, key), counted.size)
      if (!media) {
        await storage.delete(key)
        return received('damaged', kind)
      }
      return done({ ...media, originalSize: counted.size, finalSize: counted.size })
    }
    const bytes = await readAll(counted)
    if (kind.type === 'image') {
      const picture = await reencodeImage(bytes, kind.mime, quality())
      if (typeof picture === 'string') return received(picture, kind)
      await storage.put(key, picture.bytes, { type: kind.mime, size: picture.bytes.length })
      const { width, height } = picture
      return done({ width, height, originalSize: bytes.length, finalSize: picture.bytes.length })
    }
    if (kind.mime === 'text/vtt') {
      const clean = cleanSubtitles(bytes)
      if (!clean) return received('damaged', kind)
      await storage.put(key, clean, { type: kind.mime, size: clean.length })
      return done({ originalSize: bytes.length, finalSize: clean.length })
    }
    if (kind.mime === 'text/plain' ? !isPlainText(bytes) : !isWholePdf(bytes))
      return received(kind.mime === 'text/plain' ? 'wrong_type' : 'damaged', kind)
    await storage.put(key, bytes, { type: kind.mime, size: bytes.length })
    const pages = kind.mime === 'application/pdf' ? countPages(bytes) : null
    return done({ pages, originalSize: bytes.length, finalSize: bytes.length })
  } catch (error) {
    if (error instanceof TooLarge) return received('too_large', kind)
    rest.resume()
    throw error
  }
}

const partsOf = (storage: Storage, key: string) => async (offset: number, length: number) => {
  const part = await storage.get(key, { start: offset, end: offset + length - 1 })
  return part ? readAll(part) : Buffer.alloc(0)
}

export interface ReceivedForm {
  fields: Map<string, string>
  files: ReceivedFile[]
  /** Equal for the same form sent again. */
  fingerprint: Buffer
}

const fingerprintOf = (fields: ReadonlyMap<string, string>, files: readonly ReceivedFile[]) =>
  createHash('sha256')
    .update(JSON.stringify([[...fields], files.map(({ filename, digest, fault }) => [filename, digest ?? fault])]))
    .digest()

interface UploadOptions {
  /** True for the names of file fields. */
  isFile: (part: string) => boolean
  maxFiles: number
  storage: Storage
  /** The storage key of a file name. */
  keyOf: (name: string) => string
  /** Accepted types. Default: all allowed types. */
  accepts?: (mime: string) => boolean
  /** Takes every file as this kind and stores it as it comes, whatever it contains. */
  as?: FileKind
  /** Counts bytes against the quota. */
  spend: SpendBytes
  /** Limits of the other fields. */
  fields?: { max: number; bytes: number }
}

/**
 * Reads a multipart form file by file, in constant memory. When the sender disconnects or the form is malformed, nothing
 * of it is stored.
 */
export async function receiveFiles(request: IncomingMessage, wanted: UploadOptions): Promise<ReceivedForm> {
  const { isFile, storage, keyOf } = wanted
  const fields = new Map<string, string>()
  const files: ReceivedFile[] = []
  const quality = (): UploadQuality => {
    const wanted = fields.get('quality')
    return wanted === 'low' || wanted === 'medium' ? wanted : 'high'
  }
  const parser = openParser(request, wanted)
  let broken: Error | undefined
  let current: Readable | undefined
  const work: Promise<void>[] = []
  let last = Promise.resolve()
  const { promise: ended, resolve: finish } = Promise.withResolvers<void>()
  const breakOff = (error: Error) => {
    broken ??= error
    // Unblock the reader of a file whose rest will not arrive.
    if (error instanceof BadUpload && error.code === 'cut_off') current?.destroy(error)
    // Stop reading: the rest may be long.
    if (error instanceof BadUpload && error.code === 'quota') finish()
  }
  parser.on('file', (field: string, stream: Readable, filename: string) => {
    current = stream
    stream.on('error', () => {})
    if (!isFile(field) || broken) {
      breakOff(new BadUpload('malformed'))
      stream.resume()
      return
    }
    last = last.then(async () => {
      files.push(await stage(stream, sanitizeFilename(filename ?? ''), { ...wanted, quality }))
    })
    work.push(last.catch(breakOff))
  })
  parser.on('field', (name: string, value: string, isNameCut: boolean, isValueCut: boolean) => {
    if (isNameCut || fields.has(name)) breakOff(new BadUpload('malformed'))
    if (isValueCut) breakOff(new BadUpload('field_too_long'))
    fields.set(name, value)
  })
  parser.on('filesLimit', () => breakOff(new BadUpload('too_many_files')))
  for (const limit of ['partsLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => breakOff(new BadUpload('malformed')))
  parser.on('error', () => {
    breakOff(new BadUpload('malformed'))
    finish()
  })
  parser.on('finish', finish)
  request.once('close', () => {
    if (!request.complete) {
      breakOff(new BadUpload('cut_off'))
      finish()
    }
  })
  request.on('error', () => breakOff(new BadUpload('cut_off')))
  // Drop a stalled sender.
  const stalled = () => request.destroy()
  request.socket.setTimeout(IDLE).on('timeout', stalled)
  request.pipe(parser)
  await ended
  request.socket.setTimeout(0).off('timeout', stalled)
  request.unpipe(parser)
  await Promise.all(work)
  if (broken) {
    await discard(storage, files, keyOf)
    throw broken
  }
  return { fields, files, fingerprint: fingerprintOf(fields, files) }
}

function openParser(request: IncomingMessage, { maxFiles, fields = { max: 10, bytes: 1_000 } }: UploadOptions) {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: {
        fields: fields.max,
        fieldNameSize: 50,
        fieldSize: fields.bytes,
        files: maxFiles,
        parts: maxFiles + fields.max + 2,
        headerPairs: 20,
        headerSize: 8_000,
      },
    })
  } catch {
    throw new BadUpload('malformed')
  }
}

/** Deletes files that got no record. */
export async function discard(storage: Storage, files: readonly ReceivedFile[], keyOf: UploadOptions['keyOf']) {
  for (const { staged } of files) if (staged) await storage.delete(keyOf(staged.name))
}

/** Deletes the files after a confirmed rollback. If the commit may have succeeded, the sweep decides later. */
export async function discardUncommitted(
  error: unknown,
  storage: Storage,
  files: readonly ReceivedFile[],
  keyOf: UploadOptions['keyOf'],
) {
  if (error instanceof Refusal || isRolledBack(error)) await discard(storage, files, keyOf)
}
