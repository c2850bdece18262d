import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { sqlState } from '#platform/db/db.ts'
import { primaryUrl, serversOf } from '#platform/db/servers.ts'
import type { ArchiveSummary } from '../archive/archive.ts'
import { type BackupKeys, VerificationUnavailable } from '../archive/backup-keys.ts'
import { openArchive } from '../archive/read-archive.ts'
import type { Vault } from '../archive/vault.ts'
import { withLongConnection } from './connection.queries.ts'
import { loadArchive } from './restore.queries.ts'

const NOT_ALLOWED = '42501'
const IN_USE = '55006'

export interface Scratch {
  databaseUrl: string
  /** Another PostgreSQL server for verification. */
  scratchUrl?: string | undefined
}

/** Names are unique to an installation, so it never drops databases of another one. */
export function scratchPrefix({ databaseUrl }: Scratch): string {
  const { hostname, port, pathname } = new URL(serversOf(databaseUrl)[0] ?? databaseUrl)
  const own = createHash('sha256').update(`${hostname}:${port}${pathname}`).digest('hex').slice(0, 12)
  return `limber_check_${own}_`
}

const at = (url: string, database: string) => {
  const there = new URL(url)
  there.pathname = `/${database}`
  return there.href
}

/** Leaves out databases with connections, because a command may be verifying a backup there. */
async function findUnusedScratches(client: pg.Client, prefix: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database where starts_with(datname, $1)
      and not exists (select from pg_stat_activity as someone where someone.datname = pg_database.datname)`,
    [prefix],
  )
  return rows.map(({ name }) => name)
}

/** Drops scratch databases of killed processes. The caller must hold the backup lock. */
export const sweepScratches = (scratch: Scratch): Promise<void> =>
  withLongConnection(scratch.scratchUrl ?? scratch.databaseUrl, async (client) => {
    for (const name of await findUnusedScratches(client, scratchPrefix(scratch)))
      await client.query(`drop database if exists ${name}`).catch((error: unknown) => {
        // A process has connected since.
        if (sqlState(error) !== IN_USE) throw error
      })
  })

/** Creates an empty database and drops it afterwards. */
async function withScratch<T>(scratch: Scratch, use: (url: string) => Promise<T>): Promise<T> {
  const admin = await primaryUrl(scratch.scratchUrl ?? scratch.databaseUrl)
  const name = scratchPrefix(scratch) + randomBytes(4).toString('hex')
  await withLongConnection(admin, async (client) => {
    try {
      await client.query(`create database ${name} template template0`)
    } catch (error) {
      if (sqlState(error) !== NOT_ALLOWED) throw error
      throw new VerificationUnavailable(
        'The backup could not be verified because the database role cannot create databases. Grant it CREATEDB, or set BACKUP_SCRATCH_URL to a server for verification.',
      )
    }
  })
  try {
    return await use(at(admin, name))
  } finally {
    await withLongConnection(admin, (client) => client.query(`drop database if exists ${name} with (force)`))
  }
}

/** Throws when the role cannot create a scratch database. */
export const probeScratch = (scratch: Scratch): Promise<void> => withScratch(scratch, async () => {})

/** Restores a backup into a scratch database. Throws when any count or hash differs. */
export async function verifyByRestore(
  scratch: Scratch,
  vault: Vault,
  file: string,
  keys: BackupKeys,
  onTable: (tables: number) => void,
): Promise<ArchiveSummary> {
  const archive = await openArchive(vault, file, keys)
  try {
    return await withScratch(scratch, (url) =>
      withLongConnection(url, async (client) => {
        let done = 0
        await client.query('begin')
        const { summary } = await loadArchive(client, archive, () => onTable(++done))
        await client.query('commit')
        return summary
      }),
    )
  } finally {
    archive.close()
  }
}
