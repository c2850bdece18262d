import type { Readable } from 'node:stream'
import { z } from 'zod'
import { SECOND } from '#platform/clock.ts'
import { RetryLaterError } from '#platform/outbox/outbox.ts'
import type { Storage } from '#platform/storage/storage.ts'
import { mediaKey } from '../campaigns/campaign-media.ts'
import type { VideoUpload } from './campaign-push.queries.ts'
import { type Graph, MetaFailure } from './meta-graph.ts'

export interface AdMedia {
  name: string
  mime_type: string
  bytes: number
}

const MB = 1024 * 1024
const MAX_PART = 8 * MB

async function readPart(storage: Storage, name: string, range?: { start: number; end: number }): Promise<Buffer> {
  const stream: Readable | undefined = await storage.get(mediaKey(name), range)
  if (!stream) throw new MetaFailure('rejected', 'An image or video of this campaign is missing from storage.')
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const Images = z.object({ images: z.record(z.string(), z.object({ hash: z.string().min(1) })) })

/** Meta identifies an image by its content, so a repeated upload is idempotent. */
export async function uploadImage(graph: Graph, account: string, storage: Storage, { name, mime_type }: AdMedia) {
  const content = new Blob([new Uint8Array(await readPart(storage, name))], { type: mime_type })
  const read = Images.safeParse(await graph.upload(`${account}/adimages`, {}, { field: 'filename', name, content }))
  const hash = read.success ? Object.values(read.data.images)[0]?.hash : undefined
  if (!hash) throw new MetaFailure('transient', 'The reply from Meta has no image hash.')
  return hash
}

const text = z.union([z.string(), z.number()]).transform(String)
const Started = z.object({ upload_session_id: text, video_id: text, start_offset: text, end_offset: text })
const Taken = z.object({ start_offset: text, end_offset: text })

const readAs = <T>(schema: z.ZodType<T>, value: unknown): T => {
  const read = schema.safeParse(value)
  if (!read.success) throw new MetaFailure('transient', 'The reply from Meta to an upload is not valid.')
  return read.data
}

/** Uploads a video in the parts that Meta requests. Progress is saved after each part, so that it can resume. */
export async function uploadVideo(
  graph: Graph,
  account: string,
  storage: Storage,
  { name, mime_type, bytes }: AdMedia,
  {
    begun,
    keep,
    checkTime,
  }: { begun: VideoUpload | null; keep: (upload: VideoUpload) => Promise<void>; checkTime: () => void },
): Promise<string> {
  const path = `${account}/advideos`
  let upload = begun
  if (!upload) {
    const started = readAs(Started, await graph.post(path, { upload_phase: 'start', file_size: String(bytes) }))
    const { upload_session_id: session, video_id: video, start_offset: start, end_offset: end } = started
    upload = { session, video, start, end }
    await keep(upload)
  }
  while (upload.start !== upload.end) {
    checkTime()
    const start = Number(upload.start)
    const end = Math.min(Number(upload.end), start + MAX_PART)
    const content = new Blob([new Uint8Array(await readPart(storage, name, { start, end: end - 1 }))], {
      type: mime_type,
    })
    const parameters = { upload_phase: 'transfer', upload_session_id: upload.session, start_offset: upload.start }
    const reply = await graph.upload(path, parameters, { field: 'video_file_chunk', name, content })
    const taken = readAs(Taken, reply)
    upload = { ...upload, start: taken.start_offset, end: taken.end_offset }
    await keep(upload)
  }
  await graph.post(path, { upload_phase: 'finish', upload_session_id: upload.session, title: name })
  return upload.video
}

const Video = z.object({
  picture: z.url().optional(),
  status: z.object({ video_status: z.string() }).optional(),
})

/** The thumbnail that Meta created; throws while Meta is still processing the video. */
export async function pictureOf(graph: Graph, videoId: string): Promise<string> {
  const { picture, status } = readAs(Video, await graph.get(videoId, { fields: 'picture,status' }))
  if (status?.video_status === 'error') throw new MetaFailure('rejected', 'Meta cannot play this video.')
  if (!picture || (status && status.video_status !== 'ready'))
    throw new RetryLaterError('Meta is still processing the video.', 20 * SECOND)
  return picture
}
