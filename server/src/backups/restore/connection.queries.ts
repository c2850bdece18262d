import pg from 'pg'
import { primaryUrl } from '#platform/db/servers.ts'

// COPY text depends on these settings. They must be the same on every server.
const SETTINGS = [
  'timezone=UTC',
  'datestyle=ISO,YMD',
  'intervalstyle=postgres',
  'bytea_output=hex',
  'extra_float_digits=3',
  'search_path=public',
  // A synchronized scan starts in the middle, and hashes depend on the order of rows.
  'synchronize_seqscans=off',
  // Copying a large table can take hours.
  'statement_timeout=0',
  'idle_in_transaction_session_timeout=0',
]

/** Runs long work on its own connection, because pooled connections have short timeouts. */
export async function withLongConnection<T>(
  databaseUrl: string,
  use: (client: pg.Client) => Promise<T>,
  lockTimeout = 10_000,
): Promise<T> {
  const client = new pg.Client({
    connectionString: await primaryUrl(databaseUrl),
    application_name: 'limber-backup',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    options: [...SETTINGS, `lock_timeout=${lockTimeout}`].map((each) => `-c ${each}`).join(' '),
  })
  // The running statement reports a broken connection. Without this listener, the event would crash the process.
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}

const BACKUP_LOCK = 7_214_036

/** Takes an advisory lock until the connection closes, so one process makes or verifies backups at a time. */
export async function takeBackupLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [BACKUP_LOCK])
  return rows[0]?.taken ?? false
}
