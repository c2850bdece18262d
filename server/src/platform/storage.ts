import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { Config } from './config.ts'
import { randomToken } from './secrets.ts'

export interface ByteRange {
  start: number
  end: number
}

/** Where files live. Keys are made by us, never by a caller. */
export interface Storage {
  kind: 'disk' | 's3'
  put(key: string, content: Readable | Buffer, options: { type: string; size?: number }): Promise<void>
  /** The content, or a part of it; nothing when there is no such file. */
  get(key: string, range?: ByteRange): Promise<Readable | undefined>
  size(key: string): Promise<number | undefined>
  delete(key: string): Promise<void>
  /** Bytes left, where that can be known. */
  free(): Promise<number | undefined>
}

const wellFormed = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/i

function checkKey(key: string) {
  if (key.length > 300 || !wellFormed.test(key) || key.includes('..'))
    throw new Error('A storage key must be a plain path')
}

/** Disk unless a bucket is configured. */
export const makeStorage = (config: Pick<Config, 's3' | 'storagePath'>): Storage =>
  config.s3 ? s3Storage(config.s3) : diskStorage(config.storagePath)

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Files below one folder; a file appears whole or not at all. */
export function diskStorage(folder: string): Storage {
  const root = resolve(folder)
  const place = (key: string) => {
    checkKey(key)
    const path = join(root, key)
    if (!path.startsWith(root + sep)) throw new Error('A storage key must stay below the folder')
    return path
  }
  const sizeOf = async (key: string) => {
    try {
      return (await stat(place(key))).size
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }
  return {
    kind: 'disk',
    async put(key, content) {
      const path = place(key)
      await mkdir(dirname(path), { recursive: true })
      const part = `${path}.${randomToken(6)}.part`
      try {
        await pipeline(
          Buffer.isBuffer(content) ? Readable.from([content]) : content,
          createWriteStream(part, { flush: true }),
        )
        await rename(part, path)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async get(key, range) {
      if ((await sizeOf(key)) === undefined) return undefined
      return createReadStream(place(key), range)
    },
    size: sizeOf,
    delete: (key) => rm(place(key), { force: true }),
    async free() {
      await mkdir(root, { recursive: true })
      const disk = await statfs(root)
      return disk.bavail * disk.bsize
    },
  }
}

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
