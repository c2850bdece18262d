import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'

// At most 10,000 parts are allowed: parts that grow with their number reach a terabyte, and small files stay cheap.
const FIRST_PART = 8_000_000
const partSize = (number: number) => FIRST_PART * (1 + Math.floor(number / 500))

/** Cuts a stream into parts, each held in memory alone. */
async function* cut(content: Readable): AsyncGenerator<{ number: number; body: Buffer }> {
  let [waiting, size, number]: [Buffer[], number, number] = [[], 0, 1]
  for await (const chunk of content as AsyncIterable<Buffer>) {
    waiting.push(chunk)
    size += chunk.length
    if (size < partSize(number)) continue
    yield { number, body: Buffer.concat(waiting, size) }
    ;[waiting, size, number] = [[], 0, number + 1]
  }
  if (size > 0 || number === 1) yield { number, body: Buffer.concat(waiting, size) }
}

/** Puts a stream whose length nobody knows; when it breaks off, nothing of it stays. */
export async function putInParts(
  client: S3Client,
  { ContentType, ...place }: { Bucket: string; Key: string; ContentType: string },
  content: Readable,
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...place, ContentType }))
  try {
    const Parts: { ETag: string | undefined; PartNumber: number }[] = []
    for await (const { number, body } of cut(content)) {
      const part = { ...place, UploadId, PartNumber: number, Body: body, ContentLength: body.length }
      const { ETag } = await client.send(new UploadPartCommand(part))
      Parts.push({ ETag, PartNumber: number })
    }
    await client.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } }))
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand({ ...place, UploadId })).catch(() => {})
    throw error
  }
}
