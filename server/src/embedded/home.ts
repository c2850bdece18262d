import { randomBytes } from 'node:crypto'
import { access, constants, mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readIfThere, writePrivate } from './files.ts'

/** Makes the directory in which an installation keeps everything, or says why it cannot be used. */
export async function openHome(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const home = await realpath(path)
  const { uid } = await stat(home)
  const isUsable = await access(home, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!isUsable || (process.getuid?.() !== 0 && uid !== process.getuid?.())) {
    throw new Error(
      `${home} belongs to another user (${uid}). Run as that user, or set LIMBER_HOME to a folder of your own.`,
    )
  }
  return home
}

/** What the holder of a home tells a second start. */
export type Holder = { pid: number; url?: string; company?: 'sample' | 'own' }

export type HomeLock = { tell(holder: Holder): Promise<void>; release(): void }

const holderFile = (home: string) => join(home, 'running.json')

/**
 * Takes the home for this process, or gives its holder. The lock is SQLite's on a file, held by the operating
 * system for as long as the process lives: kill -9 cannot leave it behind, and no process number is trusted.
 */
export async function takeHome(
  home: string,
  { keepHolder = false } = {},
): Promise<HomeLock | { holder: Holder | undefined }> {
  const database = new DatabaseSync(join(home, 'lock'), { timeout: 0 })
  try {
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode !== 5) throw error
    return { holder: await readHolder(home) }
  }
  const tell = (holder: Holder) => writePrivate(holderFile(home), `${JSON.stringify(holder)}\n`)
  if (!keepHolder) await tell({ pid: process.pid })
  return { tell, release: () => database.close() }
}

/** Who wrote itself down as holder; true only while the lock is held. */
export async function readHolder(home: string): Promise<Holder | undefined> {
  const text = await readIfThere(holderFile(home))
  return text ? (JSON.parse(text) as Holder) : undefined
}

/** A key of a home, unless none was made yet. */
export const readKept = async (home: string, name: 'secret-key' | 'backup-key') =>
  (await readIfThere(join(home, name)))?.trim()

async function keyIn(home: string, name: 'secret-key' | 'backup-key'): Promise<string> {
  const known = await readKept(home, name)
  if (known) return known
  await writePrivate(join(home, name), `${randomBytes(48).toString('base64url')}\n`)
  return (await readFile(join(home, name), 'utf8')).trim()
}

/** The key that signs and encrypts, made once for a home. */
export const secretKey = (home: string) => keyIn(home, 'secret-key')

/** The key of backups, made once for a home. */
export const backupKey = (home: string) => keyIn(home, 'backup-key')
