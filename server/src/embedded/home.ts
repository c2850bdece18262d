import { randomBytes } from 'node:crypto'
import { access, constants, mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readIfThere, writePrivate } from './files.ts'

/** Creates the folder of an installation. Throws when it cannot be used. */
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

/** What the process that holds a home reports to a second start. */
export type Holder = { pid: number; url?: string; company?: 'sample' | 'own' }

export type HomeLock = { tell(holder: Holder): Promise<void>; release(): void }

const holderFile = (home: string) => join(home, 'running.json')

/**
 * Locks the home for this process, or returns its holder. The lock is SQLite's file lock, which the operating system
 * releases when the process dies: kill -9 cannot leave it behind, and no process id is trusted.
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

/** The recorded holder; accurate only while the lock is held. */
export async function readHolder(home: string): Promise<Holder | undefined> {
  const text = await readIfThere(holderFile(home))
  return text ? (JSON.parse(text) as Holder) : undefined
}

/** A key of a home; undefined when it does not exist yet. */
export const readKept = async (home: string, name: 'secret-key' | 'backup-key') =>
  (await readIfThere(join(home, name)))?.trim()

async function keyIn(home: string, name: 'secret-key' | 'backup-key'): Promise<string> {
  const known = await readKept(home, name)
  if (known) return known
  await writePrivate(join(home, name), `${randomBytes(48).toString('base64url')}\n`)
  return (await readFile(join(home, name), 'utf8')).trim()
}

/** The key for signing and encryption, created once per home. */
export const secretKey = (home: string) => keyIn(home, 'secret-key')

/** The backup key, created once per home. */
export const backupKey = (home: string) => keyIn(home, 'backup-key')
