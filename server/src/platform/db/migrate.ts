import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { root } from '../paths.ts'
import type { Log } from '../telemetry/log.ts'
import { sqlState } from './db.ts'
import { rejectUnfinishedRestore } from './restore-mark.ts'
import { primaryUrl } from './servers.ts'

const folder = join(root, 'server/migrations')
const LOCK = 7_214_001
const SETTINGS = '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c timezone=UTC'
/** A migration that waits for a lock makes all later calls on that table wait too, so it gives up soon and tries again. */
const LOCK_TIMEOUT = '3s'
const MAX_TRIES = 20
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'
const UNDEFINED_TABLE = '42P01'
/** How a file begins whose statements run one by one, such as `create index concurrently`. */
const ALONE = /^-- outside a transaction\b/

const TABLE = `create table if not exists migrations (
  name text primary key, checksum text not null, applied_at timestamptz not null default now())`

export interface Migration {
  name: string
  sql: string
  checksum: string
}

/** Brings the schema up to date: forward only, one migration at a time, one process at a time. */
export async function migrate(databaseUrl: string, log: Log): Promise<{ applied: string[] }> {
  const client = new pg.Client({ connectionString: await primaryUrl(databaseUrl), options: SETTINGS })
  await client.connect()
  try {
    await rejectUnfinishedRestore(client)
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`)
    await client.query(TABLE)
    const done = new Map(
      (await client.query<{ name: string; checksum: string }>('select name, checksum from migrations')).rows.map(
        (row) => [row.name, row.checksum],
      ),
    )
    const applied: string[] = []
    for (const { name, sql, checksum } of await readMigrations()) {
      const known = done.get(name)
      if (known === checksum) continue
      if (known) throw new Error(`Migration ${name} was changed after it ran; write a new one instead.`)
      await untilUnlocked(log, name, () => apply(client, name, sql, checksum))
      log.info('migrated', { migration: name })
      applied.push(name)
    }
    return { applied }
  } finally {
    await client.end()
  }
}

/** The migrations that have not run yet. Throws when a restore did not finish. */
export async function pendingMigrations(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: await primaryUrl(databaseUrl) })
  await client.connect()
  try {
    const files = listFiles()
    await rejectUnfinishedRestore(client)
    const { rows } = await client.query<{ name: string }>('select name from migrations').catch(noneWithoutTable)
    const done = new Set(rows.map((row) => row.name))
    return (await files).map(nameOf).filter((name) => !done.has(name))
  } finally {
    // A start does not wait for the goodbye.
    client.end().catch(() => {})
  }
}

/** A new database has no table of migrations. */
function noneWithoutTable(error: unknown): { rows: { name: string }[] } {
  if (sqlState(error) === UNDEFINED_TABLE) return { rows: [] }
  throw error
}

/** Runs migrations inside the caller's transaction, so that schema and records commit together. */
export async function buildSchema(client: pg.ClientBase, migrations: readonly Migration[]) {
  await client.query(TABLE)
  for (const { name, sql, checksum } of migrations) {
    // Nobody else uses these tables yet.
    await client.query(ALONE.test(sql) ? sql.replaceAll(/\bindex concurrently\b/gi, 'index') : sql)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
  }
}

const listFiles = async () => (await readdir(folder)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort()
const nameOf = (file: string) => file.replace(/\.sql$/, '')

/** Every migration of this version, in order. */
export async function readMigrations(): Promise<Migration[]> {
  return Promise.all(
    (await listFiles()).map(async (file) => {
      const sql = await readFile(join(folder, file), 'utf8')
      return { name: nameOf(file), sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Tries again while a lock is held by calls that are running. */
async function untilUnlocked<T>(log: Log, name: string, run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const state = sqlState(error instanceof Error ? error.cause : error)
      if (attempt === MAX_TRIES || (state !== LOCK_NOT_AVAILABLE && state !== DEADLOCK)) throw error
      log.info('waiting for a lock', { migration: name, tries: attempt })
      await sleep(Math.min(attempt * 200, 2_000) * (0.5 + Math.random()))
    }
  }
}

/** A concurrent build that failed leaves an index that is never used. */
async function dropBrokenIndexes(client: pg.Client) {
  const { rows } = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index where not indisvalid
      and indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
  )
  for (const { name } of rows) await client.query(`drop index concurrently if exists ${name}`)
}

async function apply(client: pg.Client, name: string, sql: string, checksum: string) {
  const isAlone = ALONE.test(sql)
  if (isAlone) await dropBrokenIndexes(client)
  else await client.query('begin')
  try {
    // Several statements of one query would be one transaction.
    for (const statement of isAlone ? sql.split(/;\s*$/m) : [sql])
      if (statement.replace(/--.*$/gm, '').trim()) await client.query(statement)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
    if (!isAlone) await client.query('commit')
  } catch (error) {
    if (!isAlone) await client.query('rollback')
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}
