import pg from 'pg'

// COPY writes text by these settings: the same on every server, so that rows come back as they were.
const SETTINGS = [
  'timezone=UTC',
  'datestyle=ISO,YMD',
  'intervalstyle=postgres',
  'bytea_output=hex',
  'extra_float_digits=3',
  'search_path=public',
  // A scan that joins another half-way gives rows in another order, and hashes hang on the order.
  'synchronize_seqscans=off',
  // A large table takes as long as it takes.
  'statement_timeout=0',
  'idle_in_transaction_session_timeout=0',
]

/** Lends a connection of its own for one long piece of work; the pool's give up too early. */
export async function withLongConnection<T>(
  databaseUrl: string,
  use: (client: pg.Client) => Promise<T>,
  lockTimeout = 10_000,
): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'limber-backup',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    options: [...SETTINGS, `lock_timeout=${lockTimeout}`].map((each) => `-c ${each}`).join(' '),
  })
  // What breaks the connection fails the statement under way; the event alone must not end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}

const LOCK = 7_214_036

/** Keeps other processes from making or checking a backup of this database, for as long as the connection lives. */
export async function takeBackupLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK])
  return rows[0]?.taken ?? false
}
