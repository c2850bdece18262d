import { randomBytes } from 'node:crypto'
import { chown, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Account, runAs } from './account.ts'
import { isThere, readIfThere, syncDirectory, writePrivate } from './files.ts'

/** How to connect to the embedded server; stored in the home, readable by its owner only. */
export type Access = { port: number; password: string }

export const USER = 'limber'

const accessFile = (home: string) => join(home, 'postgres.json')

export async function readAccess(home: string): Promise<Access | undefined> {
  const text = await readIfThere(accessFile(home))
  return text === undefined ? undefined : (JSON.parse(text) as Access)
}

export async function writeAccess(home: string, access: Access): Promise<void> {
  await writePrivate(accessFile(home), `${JSON.stringify(access)}\n`)
}

export function makePassword(): string {
  return randomBytes(24).toString('base64url')
}

/** Creates the data directory if it is missing. It is renamed into place when complete, so an interrupted run leaves none. */
export async function ensureCluster(
  account: Account,
  password: string,
  waitsForDisk: boolean,
): Promise<{ isNew: boolean }> {
  const data = join(account.directory, 'data')
  if (await isThere(join(data, 'PG_VERSION'))) return { isNew: false }
  const making = join(account.directory, 'making')
  const passwordFile = join(account.directory, 'password')
  await rm(making, { recursive: true, force: true })
  await rm(passwordFile, { force: true })
  await writePrivate(passwordFile, `${password}\n`)
  await chown(passwordFile, account.uid, account.gid)
  await runAs(account, join(account.native, 'bin/initdb'), [
    ...['-D', making, '-U', USER, '-E', 'UTF8', '--auth=scram-sha-256', `--pwfile=${passwordFile}`],
    // The same sort order on every machine.
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--text-search-config=english'],
    // On a slow disk, syncing a thousand small files takes most of the first start.
    ...(waitsForDisk ? [] : ['--no-sync']),
  ])
  await rm(passwordFile)
  await rename(making, data)
  await syncDirectory(account.directory)
  return { isNew: true }
}

/** Sets a new password after the file with the old one was lost. The server must not be running. */
export async function resetPassword(account: Account, password: string): Promise<void> {
  const data = join(account.directory, 'data')
  const child = account.spawn(join(account.native, 'bin/postgres'), ['--single', '-D', data, 'postgres'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.stdin?.end(`alter role ${USER} password '${password}'\n`)
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`could not reset the password of ${data} (code ${code})`))
    })
  })
}
