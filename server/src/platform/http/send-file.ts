import { Readable } from 'node:stream'
import type { Storage } from '../storage/storage.ts'
import { dispositionOf, readRange } from './byte-range.ts'
import type { ReplyFacts, RequestFacts } from './routes.ts'

/** A file as its record describes it. */
export interface StoredFileInfo {
  key: string
  filename: string
  mime: string
  bytes: number
}

interface Sending {
  /** Undefined when there is no record. */
  file: StoredFileInfo | undefined
  storage: Storage
  isDownload: boolean
  /** Default: images, video and audio. */
  isShown?: boolean
  request: RequestFacts
  reply: ReplyFacts
  /** Makes a refusal of the call. */
  refusal: (code: 'not_found' | 'bad_range') => Error
}

/**
 * Serves a file or a range of it. Nothing in it can run: its type was detected from its content, the CSP sandboxes it, and
 * anything but images, video and audio is downloaded.
 */
export async function sendFile(sending: Sending): Promise<Readable> {
  const { file, storage, isDownload, request, reply, refusal } = sending
  if (!file) throw refusal('not_found')
  const range = readRange(request.raw.headers.range, file.bytes)
  if (range === 'none') {
    reply.header('content-range', `bytes */${file.bytes}`)
    throw refusal('bad_range')
  }
  const content = file.bytes === 0 ? Readable.from([]) : await storage.get(file.key, range)
  if (!content) throw refusal('not_found')
  const isShown = (sending.isShown ?? /^(image|video|audio)\//.test(file.mime)) && !isDownload
  reply.header('content-type', file.mime === 'text/plain' ? 'text/plain; charset=utf-8' : file.mime)
  reply.header('content-disposition', dispositionOf(isShown ? 'inline' : 'attachment', file.filename))
  reply.header('content-security-policy', "sandbox; default-src 'none'")
  reply.header('cross-origin-resource-policy', 'same-site')
  // A file never changes under its name. After sign-out or a lost permission, it stays cached for at most an hour.
  reply.header('cache-control', 'private, max-age=3600')
  reply.header('accept-ranges', 'bytes')
  reply.header('content-length', String(range ? range.end - range.start + 1 : file.bytes))
  if (range) {
    reply.status(206)
    reply.header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`)
  }
  return content
}
