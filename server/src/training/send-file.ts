import { Readable } from 'node:stream'
import type { readFile } from '@limber/contract/training/asset.ts'
import { refuse } from '#platform/refusal.ts'
import type { ReplyFacts, RequestFacts } from '#platform/routes.ts'
import type { Services } from '#platform/services.ts'
import { findFile } from './asset.queries.ts'
import { storageKey } from './files.ts'
import { dispositionOf, readRange } from './range.rules.ts'

/**
 * Serves a file or a part of it. Nothing in it can run: its type is the one found in its content, it has no origin of
 * its own, and what a browser does not draw or play is saved.
 */
export async function sendFile(
  call: typeof readFile,
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  wanted: { name: string; isDownload: boolean },
  request: RequestFacts,
  reply: ReplyFacts,
): Promise<Readable> {
  const file = await findFile(db, wanted.name)
  if (!file) throw refuse(call, 'not_found')
  const range = readRange(request.raw.headers.range, file.final_size)
  if (range === 'none') {
    reply.header('content-range', `bytes */${file.final_size}`)
    throw refuse(call, 'bad_range')
  }
  const content = file.final_size === 0 ? Readable.from([]) : await storage.get(storageKey(file.name), range)
  if (!content) throw refuse(call, 'not_found')
  const isShown = ['image', 'video', 'audio'].includes(file.type) && !wanted.isDownload
  reply.header('content-type', file.mime_type === 'text/plain' ? 'text/plain; charset=utf-8' : file.mime_type)
  reply.header('content-disposition', dispositionOf(isShown ? 'inline' : 'attachment', file.filename))
  reply.header('content-security-policy', "sandbox; default-src 'none'")
  reply.header('cross-origin-resource-policy', 'same-site')
  // A file never changes under its name; whoever signs out or loses the permission keeps it for an hour at most.
  reply.header('cache-control', 'private, max-age=3600')
  reply.header('accept-ranges', 'bytes')
  reply.header('content-length', String(range ? range.end - range.start + 1 : file.final_size))
  if (range) {
    reply.status(206)
    reply.header('content-range', `bytes ${range.start}-${range.end}/${file.final_size}`)
  }
  return content
}
