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
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { MINUTE, SECOND } from '../clock.ts'
import type { Config } from '../config.ts'
import { explainS3Error } from './explain-s3-error.ts'
import { checkKey, type Storage } from './storage.ts'

const isAbsent = (error: unknown) => error instanceof Error && ['NoSuchKey', 'NotFound'].includes(error.name)

/** Part size for streams of unknown length; one part is in memory at a time. S3 allows 10,000 parts: 320 GB. */
const PART_SIZE = 32_000_000

/** Milliseconds. */
const LIMITS = {
  connection: 3 * SECOND,
  /** Without a byte in either direction while a request is sent and answered. */
  silence: 10 * SECOND,
  /** The same while a file is read: whoever watches a video may pause it. */
  pause: 5 * MINUTE,
}

/** Stores files in a bucket of any S3-compatible service. Without keys, the machine's role gives access. */
export function s3Storage(config: NonNullable<Config['s3']>, limits = LIMITS): Storage {
  const { bucket, endpoint, region, accessKeyId, secretAccessKey } = config
  const connect = (requestHandler: NonNullable<S3ClientConfig['requestHandler']>) =>
    new S3Client({
      region,
      ...(endpoint && { endpoint, forcePathStyle: true }),
      ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler,
    })
  const client = connect({ connectionTimeout: limits.connection, socketTimeout: limits.silence })
  const reader = connect({
    connectionTimeout: limits.connection,
    requestTimeout: limits.silence,
    throwOnRequestTimeout: true,
    socketTimeout: limits.pause,
  })
  const ask = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw explainS3Error(error, config)
    }
  }
  const unlessAbsent = <T>(work: Promise<T>): Promise<T | undefined> =>
    ask(
      work.catch((error: unknown) => {
        if (isAbsent(error)) return undefined
        throw error
      }),
    )
  return {
    kind: 's3',
    async put(key, content, { type, size }) {
      checkKey(key)
      const object = { Bucket: bucket, Key: key, ContentType: type, Body: content }
      try {
        await (content instanceof Readable && size === undefined
          ? new Upload({ client, params: object, partSize: PART_SIZE, queueSize: 1 }).done()
          : client.send(new PutObjectCommand({ ...object, ...(size !== undefined && { ContentLength: size }) })))
      } catch (error) {
        // Who sends the content may fail, too.
        throw content instanceof Readable && content.errored ? error : explainS3Error(error, config)
      }
    },
    async get(key, range) {
      checkKey(key)
      const found = await unlessAbsent(
        reader.send(
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
      await ask(client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key })))
    },
    async *list(prefix) {
      for (let token: string | undefined, isDone = false; !isDone; isDone = token === undefined) {
        const wanted = { Bucket: bucket, Prefix: prefix, ...(token && { ContinuationToken: token }) }
        const page = await ask(client.send(new ListObjectsV2Command(wanted)))
        for (const { Key, Size, LastModified } of page.Contents ?? [])
          if (Key && LastModified) yield { key: Key, size: Size ?? 0, changedAt: LastModified }
        token = page.NextContinuationToken
      }
    },
    async sweep(prefix, untouchedSince) {
      const { Uploads = [] } = await ask(
        client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix })),
      )
      const left = Uploads.filter(({ Initiated }) => !untouchedSince || !Initiated || Initiated <= untouchedSince)
      for (const { Key, UploadId } of left)
        await ask(client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })))
      return left.length
    },
    free: async () => undefined,
  }
}
