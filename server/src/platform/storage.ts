import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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

/** Refuses a key that is not a plain path. */
export function checkKey(key: string) {
  if (key.length > 300 || !wellFormed.test(key) || key.includes('..'))
    throw new Error('A storage key must be a plain path')
}

/** Disk unless a bucket is configured; the bucket's client is large and loaded only then. */
export async function makeStorage(config: Pick<Config, 's3' | 'storagePath'>): Promise<Storage> {
  if (!config.s3) return diskStorage(config.storagePath)
  const { s3Storage } = await import('./storage-s3.ts')
  return s3Storage(config.s3)
}

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
