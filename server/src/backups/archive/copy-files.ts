import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Db } from '#platform/db/db.ts'
import type { Storage, StoredFile } from '#platform/storage/storage.ts'
import type { ArchivedFile } from './archive.ts'
import { deleteFilesExcept, findKnownFiles, saveFileHash } from './backup-file.queries.ts'
import { BackupError, type BackupKeys } from './backup-keys.ts'
import { getSealed } from './read-archive.ts'
import { BACKUP_PREFIX, COPIES, type Vault } from './vault.ts'
import { putSealed } from './write-archive.ts'

/** Copies are stored by content hash, so backups share identical files. */
export const copyName = (sha256: string) => `${COPIES}${sha256.slice(0, 2)}/${sha256}`

// Skips the backups themselves and the test files of the doctor.
const isExcluded = (key: string) => key.startsWith(BACKUP_PREFIX) || key.startsWith('doctor/')

async function hashOf(content: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of content as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

const listCopies = async (vault: Vault) => {
  const found = new Set<string>()
  for await (const { key } of vault.storage.list(vault.prefix + COPIES)) found.add(key.slice(vault.prefix.length))
  return found
}

/** Copies a file under its hash. Returns nothing for a file that was deleted in the meantime. */
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
    throw new BackupError(`The file ${file.key} changed while it was being copied.`)
  }
  there.add(name)
  return sha256
}

/** Copies new and changed files, and returns all files with their hashes. */
export async function copyFiles(
  { db, storage }: { db: Db; storage: Storage },
  vault: Vault,
  keys: BackupKeys,
  onFile: (done: number) => void,
): Promise<{ files: ArchivedFile[]; fresh: ReadonlySet<string> }> {
  const there = await listCopies(vault)
  const fresh = new Set<string>()
  const files: ArchivedFile[] = []
  let page: StoredFile[] = []
  const copyPage = async () => {
    const known = await findKnownFiles(db, page)
    for (const file of page) {
      const remembered = known.get(file.key)
      const isCopied = remembered !== undefined && there.has(copyName(remembered))
      const sha256 = isCopied ? remembered : await copyOne(storage, vault, keys, file, there)
      if (sha256 === undefined) continue
      if (!isCopied) {
        fresh.add(copyName(sha256))
        await saveFileHash(db, file, sha256)
      }
      files.push({ key: file.key, size: file.size, sha256 })
      onFile(files.length)
    }
    page = []
  }
  for await (const file of storage.list('')) {
    if (isExcluded(file.key)) continue
    page.push(file)
    if (page.length === 500) await copyPage()
  }
  await copyPage()
  await deleteFilesExcept(
    db,
    files.map(({ key }) => key),
  )
  return { files, fresh }
}

/** A file that a backup lists but cannot restore. */
export interface LostFile {
  key: string
  /** The problem with its copy: `is missing`, or how it is damaged. */
  why: string
}

export const lostFileText = ({ key, why }: LostFile) => `The copy of the file ${key} ${why}.`

/** Reads a copy. The stream fails at its end unless size and hash match. */
async function openCopy(vault: Vault, keys: BackupKeys, { size, sha256 }: ArchivedFile): Promise<Readable> {
  const content = await getSealed(vault, copyName(sha256), keys)
  async function* checked() {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of content as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
    if (bytes !== size || hash.digest('hex') !== sha256) throw new BackupError('It contains another file.')
  }
  return Readable.from(checked(), { objectMode: false })
}

/** The reason why a copy cannot be read, if any. Throws failures that are not about the copy. */
async function whyUnreadable(read: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await read()
    return undefined
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    return `is damaged (${error.message.replace(/\.$/, '')})`
  }
}

/** Finds missing and damaged copies. Reads all copies, or only those in `read`. */
export async function findLostFiles(
  vault: Vault,
  keys: BackupKeys,
  files: readonly ArchivedFile[],
  read: 'all' | ReadonlySet<string>,
): Promise<LostFile[]> {
  if (files.length === 0) return []
  const there = await listCopies(vault)
  const lost: LostFile[] = []
  // Identical files share one copy, which is read once.
  for (const [sha256, sharing] of Map.groupBy(files, (file) => file.sha256)) {
    const name = copyName(sha256)
    const [file] = sharing
    if (!file || (read !== 'all' && there.has(name) && !read.has(name))) continue
    const why = there.has(name)
      ? await whyUnreadable(async () => hashOf(await openCopy(vault, keys, file)))
      : 'is missing'
    if (why) lost.push(...sharing.map(({ key }) => ({ key, why })))
  }
  return lost
}

/** Restores missing and changed files. Lost files are reported and do not stop the restore. */
export async function restoreFiles(
  vault: Vault,
  keys: BackupKeys,
  files: readonly ArchivedFile[],
  storage: Storage,
): Promise<{ restored: number; lost: LostFile[] }> {
  const copies = await listCopies(vault)
  const lost: LostFile[] = []
  let restored = 0
  for (const file of files) {
    const { key, size, sha256 } = file
    const there = (await storage.size(key)) === size ? await storage.get(key) : undefined
    if (there && (await hashOf(there)) === sha256) continue
    // Without the size: S3 would accept a file of known size at its last byte, before the hash is checked.
    const put = async () => storage.put(key, await openCopy(vault, keys, file), { type: 'application/octet-stream' })
    const why = copies.has(copyName(sha256)) ? await whyUnreadable(put) : 'is missing'
    if (why) lost.push({ key, why })
    else restored++
  }
  return { restored, lost }
}

/** Deletes copies that no kept backup needs. */
export async function deleteCopies(vault: Vault, wanted: ReadonlySet<string>): Promise<number> {
  let deleted = 0
  for (const name of await listCopies(vault)) {
    if (wanted.has(name)) continue
    await vault.storage.delete(vault.prefix + name)
    deleted++
  }
  return deleted
}
