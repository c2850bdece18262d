import { createCipheriv, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBackup } from '@limber/contract/backups/backup.ts'
import pg from 'pg'
import { startTestServer, type TestServer, type TestServerOptions } from '#platform/testing/testing.ts'
import { makeBackupKeys } from './archive/backup-keys.ts'
import { findBackup } from './backup.queries.ts'
import { type BackupServices, runBackup } from './run-backup.ts'

export const BACKUP_KEY = 'a key of backups for tests 0123456789 abcdefgh'
export const keys = makeBackupKeys(BACKUP_KEY)

/** A server with backups set up in a temporary folder, which stop() deletes. */
export async function startBackupServer(
  env: NodeJS.ProcessEnv = {},
  more: TestServerOptions = {},
): Promise<TestServer & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'limber-backups-'))
  const server = await startTestServer({ ...more, env: { BACKUP_KEY, BACKUP_STORAGE: folder, ...env } })
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  }
  return { ...server, folder, stop }
}

/** Starts a backup like a worker, and runs its job directly. */
export async function makeBackup(server: TestServer, more: Partial<BackupServices> = {}) {
  const { status, body } = await server.asSteppedUp('backups.initiate').send(startBackup, { body: {} })
  if (status !== 200) throw new Error(`The backup was not started: ${status}`)
  await runBackup({ ...server.running.services, ...more }, body.id)
  const made = await findBackup(server.db, body.id)
  if (!made) throw new Error('The backup is not listed')
  return made
}

/** The names of all files below a folder. */
export const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)

/** Seals in format 1, whose header has no name. */
export function sealUnnamed(bytes: Buffer): Buffer {
  const salt = randomBytes(32)
  const head = Buffer.concat([Buffer.from('LIMBERBK'), Buffer.of(1), Buffer.from(keys.keyId, 'hex'), salt])
  const key = keys.forFile(keys.keyId, salt)
  if (!key) throw new Error('no key')
  const blocks: Buffer[] = [head]
  for (let at = 0; at === 0 || at < bytes.length; at += 64 * 1024) {
    const nonce = Buffer.alloc(12)
    nonce.writeBigUInt64BE(BigInt(at / (64 * 1024)))
    nonce[11] = at + 64 * 1024 >= bytes.length ? 1 : 0
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(head)
    blocks.push(cipher.update(bytes.subarray(at, at + 64 * 1024)), cipher.final(), cipher.getAuthTag())
  }
  return Buffer.concat(blocks)
}

/** An empty database on the PostgreSQL of the tests. */
export async function makeEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const admin = process.env.LIMBER_TEST_DATABASE ?? ''
  const name = `test_${randomBytes(8).toString('hex')}`
  const run = (statement: string) => query(admin, statement)
  await run(`create database ${name} template template0`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  return { url: url.href, drop: async () => void (await run(`drop database if exists ${name} with (force)`)) }
}

/** Runs one statement on a new connection. */
export async function query<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
