import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { Config } from '../config.ts'
import { checkKey, type Storage } from './storage.ts'

const isAbsent = (error: unknown) => error instanceof Error && ['NoSuchKey', 'NotFound'].includes(error.name)

/** Part size for streams of unknown length; one part is in memory at a time. S3 allows 10,000 parts: 320 GB. */
const PART_SIZE = 32_000_000

/** Stores files in a bucket of any S3-compatible service. Without keys, the machine's role gives access. */
export function s3Storage({
  bucket,
  endpoint,
  region,
  accessKeyId,
  secretAccessKey,
}: NonNullable<Config['s3']>): Storage {
  const client = new S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const unlessAbsent = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work
    } catch (error) {
      if (isAbsent(error)) return undefined
      throw error
    }
  }
  return {
    kind: 's3',
    async put(key, content, { type, size }) {
      checkKey(key)
      if (content instanceof Readable && size === undefined)
        return void (await new Upload({
          client,
          params: { Bucket: bucket, Key: key, ContentType: type, Body: content },
          partSize: PART_SIZE,
          queueSize: 1,
        }).done())
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: key,
          Body: content,
          ContentType: type,
          ...(size !== undefined && { ContentLength: size }),
        }),
      )
    },
    async get(key, range) {
      checkKey(key)
      const found = await unlessAbsent(
        client.send(
          new GetObjectCommand({
            Bucket: bucket,
            Key: key,
            ...(range && { Range: `bytes=${range.start}-${range.end}` }),
          }),
        ),
      )
      return found?.Body instanceof Readable ? found.Body : undefined
    },
    async size(key) {
      checkKey(key)
      return (await unlessAbsent(client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }))))?.ContentLength
    },
    async delete(key) {
      checkKey(key)
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
    },
    async *list(prefix) {
      for (let token: string | undefined, isDone = false; !isDone; isDone = token === undefined) {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ...(token && { ContinuationToken: token }) }),
        )
        for (const { Key, Size, LastModified } of page.Contents ?? [])
          if (Key && LastModified) yield { key: Key, size: Size ?? 0, changedAt: LastModified }
        token = page.NextContinuationToken
      }
    },
    async sweep(prefix, untouchedSince) {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }))
      const left = Uploads.filter(({ Initiated }) => !untouchedSince || !Initiated || Initiated <= untouchedSince)
      for (const { Key, UploadId } of left)
        await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
      return left.length
    },
    free: async () => undefined,
  }
}
