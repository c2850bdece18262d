import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { sqlState } from '#platform/db/db.ts'
import { buildSchema, readMigrations } from '#platform/db/migrate.ts'
import { MARK_SCHEMA, markRestore, unmarkRestore } from '#platform/db/restore-mark.ts'
import { ArchivedTable, type ArchiveHead, ArchiveSummary, type Frame, parseFrame } from '../archive/archive.ts'
import { BackupError } from '../archive/backup-keys.ts'
import type { OpenArchive } from '../archive/read-archive.ts'
import { columnList, listTables, readSequences, sumTable } from '../archive/snapshot.queries.ts'

const LOCK_NOT_AVAILABLE = '55P03'

const quote = (name: string) => pg.escapeIdentifier(name)

/** Counts tables, views and sequences, without those of the restore mark. */
export async function countObjects(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and n.nspname not in ('pg_catalog', 'information_schema', '${MARK_SCHEMA}')
       and n.nspname not like 'pg\\_%' and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`,
  )
  return rows[0]?.n ?? 0
}

/** The migrations of a backup, and the newer ones. Refuses a backup with unknown or changed migrations. */
export async function migrationsOf({ migrations, product }: ArchiveHead) {
  const known = new Map((await readMigrations()).map((each) => [each.name, each]))
  const made = migrations.map(({ name, checksum }) => {
    const found = known.get(name)
    if (found?.checksum === checksum) return found
    throw new BackupError(
      `This backup was made by another version of Limber (${product}): its migration ${name} is ${found ? 'different' : 'unknown'} here. Restore it with that version, then update.`,
    )
  })
  return { made, since: [...known.values()].filter((each) => !made.includes(each)) }
}

interface Constraint {
  table: string
  name: string
  definition: string
}

/** Drops foreign keys, so that tables can load in any order. Adding them back validates every row. */
async function dropForeignKeys(client: pg.ClientBase): Promise<Constraint[]> {
  const { rows } = await client.query<Constraint>(
    `select t.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
     from pg_constraint c join pg_class t on t.oid = c.conrelid
     where c.contype = 'f' and c.conparentid = 0 and c.connamespace = 'public'::regnamespace order by c.oid`,
  )
  for (const { table, name } of rows) await client.query(`alter table ${quote(table)} drop constraint ${quote(name)}`)
  return rows
}

/** Deletes rows that migrations inserted. Grants itself the right to delete for this where it was revoked. */
async function deleteRows(client: pg.ClientBase, table: string) {
  const { rows } = await client.query<{ has_rows: boolean; may: boolean }>(
    `select exists (select from ${quote(table)}) as has_rows, has_table_privilege($1, 'delete') as may`,
    [quote(table)],
  )
  if (!rows[0]?.has_rows) return
  if (!rows[0].may) await client.query(`grant delete on ${quote(table)} to current_user`)
  await client.query(`delete from ${quote(table)}`)
  if (!rows[0].may) await client.query(`revoke delete on ${quote(table)} from current_user`)
}

async function* rowsOf(frames: AsyncIterator<Frame>): AsyncGenerator<Buffer> {
  for (let next = await frames.next(); !next.done; next = await frames.next()) {
    if (next.value.letter === 'E') return
    if (next.value.letter !== 'D') break
    yield next.value.bytes
  }
  throw new BackupError('The backup is truncated in the middle of a table.')
}

async function load(client: pg.Client, { name, columns, partition }: ArchivedTable, frames: AsyncIterator<Frame>) {
  // Loading before attaching checks and indexes all rows of a partition at once.
  if (partition)
    await client.query(
      `create table ${quote(name)} (like ${quote(partition.of)} including defaults including constraints including generated)`,
    )
  await pipeline(
    Readable.from(rowsOf(frames), { objectMode: false, highWaterMark: 1 }),
    client.query(copyFrom(`copy ${quote(name)} (${columnList(columns)}) from stdin`)),
  )
  if (!partition) return
  for (const definition of partition.indexes) await client.query(definition)
  await client.query(`alter table ${quote(partition.of)} attach partition ${quote(name)} ${partition.bound}`)
}

/** Compares the restored tables and sequences with the summary of the backup. */
async function compare(client: pg.Client, tables: readonly ArchivedTable[], summary: ArchiveSummary) {
  const expected = new Map(summary.tables.map((table) => [table.name, table]))
  if (expected.size !== tables.length) throw new BackupError('The backup does not contain the tables that it lists.')
  for (const table of tables) {
    const [wanted, found] = [expected.get(table.name), await sumTable(client, table)]
    if (wanted?.rows !== found.rows)
      throw new BackupError(
        `The table ${table.name} has ${found.rows} rows after the restore instead of ${wanted?.rows}.`,
      )
    if (wanted.sha256 !== found.sha256)
      throw new BackupError(`The rows of the table ${table.name} differ after the restore.`)
  }
  const sequences = new Map((await readSequences(client)).map((each) => [each.name, each]))
  for (const { name, last, isCalled } of summary.sequences) {
    const found = sequences.get(name)
    if (found?.last !== last || found.isCalled !== isCalled)
      throw new BackupError(`The sequence ${name} has a different value after the restore.`)
  }
}

interface Loaded {
  tables: ArchivedTable[]
  summary: ArchiveSummary
}

/**
 * Builds the schema of a backup, loads it and compares the result, in the caller's transaction. Triggers are disabled,
 * because their effects are part of the data. Identity columns keep their values; generated columns are recomputed.
 */
export async function loadArchive(
  client: pg.Client,
  { head, frames }: OpenArchive,
  onTable: (table: string) => void,
): Promise<Loaded> {
  await buildSchema(client, (await migrationsOf(head)).made)
  // Tables with deferred constraint events from migrations cannot be altered.
  await client.query('set constraints all immediate')
  const fresh = (await listTables(client)).map(({ name }) => name)
  const foreignKeys = await dropForeignKeys(client)
  for (const name of fresh) {
    await client.query(`alter table ${quote(name)} disable trigger user`)
    await deleteRows(client, name)
  }
  const { tables, summary } = await loadTables(client, frames, fresh, onTable)
  for (const { name, last, isCalled } of summary.sequences)
    await client.query('select setval($1::regclass, $2, $3)', [quote(name), last, isCalled])
  for (const { table, name, definition } of foreignKeys)
    await client.query(`alter table ${quote(table)} add constraint ${quote(name)} ${definition}`)
  for (const name of fresh) await client.query(`alter table ${quote(name)} enable trigger user`)
  await compare(client, tables, summary)
  return { tables, summary }
}

async function loadTables(
  client: pg.Client,
  frames: AsyncIterator<Frame>,
  fresh: readonly string[],
  onTable: (table: string) => void,
) {
  const tables: ArchivedTable[] = []
  for (;;) {
    const next = await frames.next()
    if (!next.done && next.value.letter === 'S') {
      const summary = parseFrame(next.value, 'S', ArchiveSummary)
      if (!(await frames.next()).done) throw new BackupError('The backup has data after its end.')
      return { tables, summary }
    }
    const table = parseFrame(next.done ? undefined : next.value, 'T', ArchivedTable)
    if (!table.partition && !fresh.includes(table.name))
      throw new BackupError(`The backup contains the table ${table.name}, which none of its migrations creates.`)
    await load(client, table, frames)
    tables.push(table)
    onTable(table.name)
  }
}

/** Applies migrations that are newer than the backup, in the transaction of the restore. */
export async function applyNewerMigrations(client: pg.Client, head: ArchiveHead): Promise<string[]> {
  const { since } = await migrationsOf(head)
  // Tables with deferred constraint events cannot be altered.
  await client.query('set constraints all immediate')
  await buildSchema(client, since)
  return since.map(({ name }) => name)
}

/**
 * Runs a restore in one transaction. Until the commit, the database contains only a mark. A failed restore removes the
 * mark. A killed one leaves it, so no server starts on that database and the restore can be repeated.
 */
export async function inRestoreTransaction<T>(client: pg.Client, file: string, restore: () => Promise<T>): Promise<T> {
  await markRestore(client, file)
  try {
    await client.query('begin')
    const restored = await restore()
    await unmarkRestore(client)
    await client.query('commit')
    // Optional: without statistics the first queries are only slower.
    await client.query('analyze').catch(() => {})
    return restored
  } catch (error) {
    await client
      .query('rollback')
      .then(() => unmarkRestore(client))
      .catch(() => {})
    throw error
  }
}

const RESTORE_LOCK = 7_214_038

/** Counts the other connections to the database. */
export async function countOtherSessions(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  return rows[0]?.n ?? 0
}

/** Takes an advisory lock until the connection closes, so one restore runs at a time. */
export async function takeRestoreLock(client: pg.Client) {
  try {
    // Waits, because a restore that was just killed may still hold the lock.
    await client.query('select pg_advisory_lock($1)', [RESTORE_LOCK])
  } catch (error) {
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error
    throw new BackupError('Another restore into this database is in progress.')
  }
}
