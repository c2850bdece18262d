import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Db } from '#platform/db.ts'
import type { Storage, StoredFile } from '#platform/storage.ts'
import type { ArchivedFile } from './archive.ts'
import { findKnownFiles, forgetFilesExcept, rememberFile } from './backup-file.queries.ts'
import { type BackupKeys, BackupTrouble } from './backup-keys.ts'
import { getSealed } from './read-archive.ts'
import { COPIES, OWN_PREFIX, type Vault } from './vault.ts'
import { putSealed } from './write-archive.ts'

/** Where the copy of a content lies: each content once, however many backups hold it. */
export const copyName = (sha256: string) => `${COPIES}${sha256.slice(0, 2)}/${sha256}`

// Not of the company: backups themselves, and what the doctor tries the storage with.
const isOurs = (key: string) => key.startsWith(OWN_PREFIX) || key.startsWith('doctor/')

async function hashOf(content: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of content as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

const names = async (vault: Vault) => {
  const found = new Set<string>()
  for await (const { key } of vault.storage.list(vault.prefix + COPIES)) found.add(key.slice(vault.prefix.length))
  return found
}

/** Copies a content under its own hash, computed on the way; a file that went meanwhile is not part of the backup. */
async function copyOne(storage: Storage, vault: Vault, keys: BackupKeys, file: StoredFile, there: Set<string>) {
  const content = await storage.get(file.key)
  if (!content) return undefined
  const sha256 = await hashOf(content)
  const name = copyName(sha256)
  if (there.has(name)) return sha256
  const again = await storage.get(file.key)
  if (!again) return undefined
  const hash = createHash('sha256')
  async function* watched(from: Readable) {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      hash.update(chunk)
      yield chunk
    }
  }
  await putSealed(vault, name, keys, Readable.from(watched(again), { objectMode: false }), false)
  if (hash.digest('hex') !== sha256) {
    await vault.storage.delete(vault.prefix + name)
    throw new BackupTrouble(`The file ${file.key} changed while it was copied.`)
  }
  there.add(name)
  return sha256
}

/** Copies the company's files that are not copied yet, and lists all of them with their hashes. */
export async function copyFiles(
  { db, storage }: { db: Db; storage: Storage },
  vault: Vault,
  keys: BackupKeys,
  tell: (done: number) => void,
): Promise<{ files: ArchivedFile[]; fresh: ReadonlySet<string> }> {
  const there = await names(vault)
  const fresh = new Set<string>()
  const files: ArchivedFile[] = []
  let page: StoredFile[] = []
  const take = async () => {
    const known = await findKnownFiles(db, page)
    for (const file of page) {
      const remembered = known.get(file.key)
      const isCopied = remembered !== undefined && there.has(copyName(remembered))
      const sha256 = isCopied ? remembered : await copyOne(storage, vault, keys, file, there)
      if (sha256 === undefined) continue
      if (!isCopied) {
        fresh.add(copyName(sha256))
        await rememberFile(db, file, sha256)
      }
      files.push({ key: file.key, size: file.size, sha256 })
      tell(files.length)
    }
    page = []
  }
  for await (const file of storage.list('')) {
    if (isOurs(file.key)) continue
    page.push(file)
    if (page.length === 500) await take()
  }
  await take()
  await forgetFilesExcept(
    db,
    files.map(({ key }) => key),
  )
  return { files, fresh }
}

/** Finds a copy that is gone, or whose content is not what was copied; `thorough` reads each, otherwise only the new. */
export async function checkFiles(
  vault: Vault,
  keys: BackupKeys,
  files: readonly ArchivedFile[],
  read: 'all' | ReadonlySet<string>,
) {
  if (files.length === 0) return
  const there = await names(vault)
  for (const { key, sha256 } of new Map(files.map((file) => [file.sha256, file])).values()) {
    const name = copyName(sha256)
    if (!there.has(name)) throw new BackupTrouble(`The copy of the file ${key} is gone.`)
    if (read !== 'all' && !read.has(name)) continue
    if ((await hashOf(await getSealed(vault, name, keys))) !== sha256)
      throw new BackupTrouble(`The copy of the file ${key} is damaged.`)
  }
}

/** Puts the company's files back where they are not there already. */
export async function restoreFiles(
  vault: Vault,
  keys: BackupKeys,
  files: readonly ArchivedFile[],
  storage: Storage,
): Promise<number> {
  let restored = 0
  for (const { key, size, sha256 } of files) {
    const there = (await storage.size(key)) === size ? await storage.get(key) : undefined
    if (there && (await hashOf(there)) === sha256) continue
    await storage.put(key, await getSealed(vault, copyName(sha256), keys), { type: 'application/octet-stream', size })
    restored++
  }
  return restored
}

/** Removes copies that no kept backup leans on. */
export async function dropCopies(vault: Vault, wanted: ReadonlySet<string>): Promise<number> {
  let dropped = 0
  for (const name of await names(vault)) {
    if (wanted.has(name)) continue
    await vault.storage.delete(vault.prefix + name)
    dropped++
  }
  return dropped
}
