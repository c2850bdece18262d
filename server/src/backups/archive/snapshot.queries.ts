import { createHash } from 'node:crypto'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { ArchivedTable, ArchiveHead, ArchiveSummary, TableSum } from './archive.ts'
import { BackupError } from './backup-keys.ts'

const quote = (name: string) => pg.escapeIdentifier(name)
export const columnList = (columns: readonly string[]) => columns.map(quote).join(', ')

/**
 * Not part of a backup: the list of backups belongs to the storage, and the header contains the migrations. Schemas
 * other than `public` are excluded too, because pg-boss creates its own tables at startup.
 */
export const EXCLUDED_TABLES = ['migrations', 'backups', 'backup_files']

/** Tables that contain rows, by name. A partition names its parent. */
export async function listTables(client: pg.ClientBase): Promise<ArchivedTable[]> {
  const { rows } = await client.query<ArchivedTable>(
    `select c.relname as name,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      case when c.relispartition then json_build_object('of', p.relname, 'bound', pg_get_expr(c.relpartbound, c.oid),
        -- Indexes that the partition did not inherit from its parent.
        'indexes', (select coalesce(json_agg(pg_get_indexdef(i.indexrelid) order by i.indexrelid), '[]') from pg_index i
          where i.indrelid = c.oid and not exists (select from pg_inherits h where h.inhrelid = i.indexrelid)))
      end as partition
    from pg_class c
    left join pg_inherits h on h.inhrelid = c.oid
    left join pg_class p on p.oid = h.inhparent
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence <> 't'
      and c.relname <> all ($1)
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname`,
    [EXCLUDED_TABLES],
  )
  return rows
}

/** The current value of each sequence. */
export async function readSequences(client: pg.ClientBase): Promise<ArchiveSummary['sequences']> {
  const { rows } = await client.query<{ name: string }>(
    `select s.relname as name from pg_class s
     where s.relnamespace = 'public'::regnamespace and s.relkind = 'S' and not exists (
       select from pg_depend d join pg_class t on t.oid = d.refobjid
       where d.objid = s.oid and d.deptype in ('a', 'i') and t.relname = any ($1))
     order by 1`,
    [EXCLUDED_TABLES],
  )
  const states: ArchiveSummary['sequences'] = []
  for (const { name } of rows) {
    const found = await client.query<{ last: string; isCalled: boolean }>(
      `select last_value::text as last, is_called as "isCalled" from ${quote(name)}`,
    )
    states.push({ name, last: found.rows[0]?.last ?? '1', isCalled: found.rows[0]?.isCalled ?? false })
  }
  return states
}

const LINE_END = 0x0a

/** Counts lines of COPY text. A line break inside a value is escaped. */
function countRows(piece: Buffer): number {
  let rows = 0
  for (let at = piece.indexOf(LINE_END); at >= 0; at = piece.indexOf(LINE_END, at + 1)) rows += 1
  return rows
}

/**
 * Streams a table in COPY format, and counts and hashes it. Rows are counted here because PostgreSQL reports their
 * number only after the last one, possibly after the stream has onEnd.
 */
export async function* copyTable(
  client: pg.ClientBase,
  { name, columns }: Pick<ArchivedTable, 'name' | 'columns'>,
  onEnd: (sum: TableSum) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let bytes = 0
  let rows = 0
  const stream = client.query(copyTo(`copy ${quote(name)} (${columnList(columns)}) to stdout`))
  for await (const piece of stream as AsyncIterable<Buffer>) {
    hash.update(piece)
    bytes += piece.length
    rows += countRows(piece)
    yield piece
  }
  onEnd({ name, rows, bytes, sha256: hash.digest('hex') })
}

/** Counts and hashes the rows of a table. */
export async function sumTable(client: pg.ClientBase, table: Pick<ArchivedTable, 'name' | 'columns'>) {
  let sum: TableSum | undefined
  for await (const _ of copyTable(client, table, (found) => {
    sum = found
  })) {
    // The rows themselves are not needed.
  }
  if (!sum) throw new Error(`${table.name} could not be counted`)
  return sum
}

type Origin = Pick<ArchiveHead, 'takenAt' | 'postgres' | 'isSample' | 'migrations'>

/**
 * Begins a snapshot of the whole database. Its tables cannot be dropped until it ends. The transaction is read-only and
 * gets no transaction id, so neither writers nor the audit chain wait for it.
 */
export async function beginSnapshot(
  client: pg.Client,
  now: Date,
): Promise<{ tables: ArchivedTable[]; origin: Origin }> {
  await client.query('begin isolation level repeatable read, read only')
  const tables = await listTables(client)
  for (const { name } of tables) await client.query(`lock table ${quote(name)} in access share mode`)
  const { rows } = await client.query<{ postgres: string; is_sample: boolean }>(
    `select current_setting('server_version') as postgres,
       exists (select from installation where key = 'story') as is_sample`,
  )
  const migrations = await client.query<Origin['migrations'][number]>(
    'select name, checksum from migrations order by name',
  )
  const [found] = rows
  if (!found || migrations.rows.length === 0)
    throw new BackupError('The database has no schema yet. Run: npm run limber -- migrate')
  return {
    tables,
    origin: {
      takenAt: now.toISOString(),
      postgres: found.postgres,
      isSample: found.is_sample,
      migrations: migrations.rows,
    },
  }
}

/** An estimate for the progress bar. */
export async function estimateRows(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select coalesce(sum(greatest(reltuples, 0)), 0)::bigint as n from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all ($1)`,
    [EXCLUDED_TABLES],
  )
  return rows[0]?.n ?? 0
}
