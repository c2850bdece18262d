import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { randomToken } from './secrets.ts'
import { checkKey, type Storage } from './storage.ts'

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
