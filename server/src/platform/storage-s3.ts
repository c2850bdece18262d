import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { Config } from './config.ts'
import { checkKey, type Storage } from './storage.ts'

const isAbsent = (error: unknown) => error instanceof Error && ['NoSuchKey', 'NotFound'].includes(error.name)

/** A bucket of any S3-compatible service. */
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
    free: async () => undefined,
  }
}
