import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { randomToken } from '../security/secrets.ts'
import { checkKey, type Storage, type StoredFile } from './storage.ts'

function noneIfMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

const PART = /\.[\w-]+\.part$/

/** Syncs a folder. Without this, a machine crash may lose the name of a file just written. */
async function syncFolder(folder: string) {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** All files below a folder; none when it does not exist. */
async function* walk(root: string, below: string): AsyncGenerator<StoredFile> {
  const found = await readdir(join(root, below), { withFileTypes: true }).catch(noneIfMissing)
  for (const entry of (found ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const key = below ? `${below}/${entry.name}` : entry.name
    if (entry.isDirectory()) yield* walk(root, key)
    else if (entry.isFile()) {
      const there = await stat(join(root, key)).catch(noneIfMissing)
      // It may have been deleted since the folder was read.
      if (there) yield { key, size: there.size, changedAt: there.mtime }
    }
  }
}

/** Stores files in a folder. Writes are atomic. */
export function diskStorage(folder: string): Storage {
  const root = resolve(folder)
  const pathOf = (key: string) => {
    checkKey(key)
    const path = join(root, key)
    if (!path.startsWith(root + sep)) throw new Error('A storage key must stay below the folder')
    return path
  }
  const sizeOf = async (key: string) => (await stat(pathOf(key)).catch(noneIfMissing))?.size
  const below = (prefix: string) => walk(root, prefix.replace(/[^/]*$/, '').replace(/\/$/, ''))
  return {
    kind: 'disk',
    async put(key, content) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true })
      const part = `${path}.${randomToken(6)}.part`
      try {
        await pipeline(
          Buffer.isBuffer(content) ? Readable.from([content]) : content,
          createWriteStream(part, { flush: true }),
        )
        await rename(part, path)
        await syncFolder(dirname(path))
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async get(key, range) {
      if ((await sizeOf(key)) === undefined) return undefined
      return createReadStream(pathOf(key), range)
    },
    size: sizeOf,
    delete: (key) => rm(pathOf(key), { force: true }),
    async *list(prefix) {
      for await (const file of below(prefix)) if (file.key.startsWith(prefix) && !PART.test(file.key)) yield file
    },
    async sweep(prefix, untouchedSince) {
      let swept = 0
      for await (const { key, changedAt } of below(prefix)) {
        if (!key.startsWith(prefix) || !PART.test(key)) continue
        if (untouchedSince && changedAt > untouchedSince) continue
        await rm(join(root, key), { force: true })
        swept++
      }
      return swept
    },
    async free() {
      await mkdir(root, { recursive: true })
      const disk = await statfs(root)
      return disk.bavail * disk.bsize
    },
  }
}
