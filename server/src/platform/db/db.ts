import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, type Selectable } from 'kysely'
import pg from 'pg'
import type { Tables } from './schema.ts'

export type { Tables }

/** A row as it is read. */
export type Row<T extends keyof Tables> = Selectable<Tables[T]>

/** A connection to the database: the pool, or a transaction. Queries take it first, always. */
export type Db = Kysely<Tables>

const INT8 = 20
const DATE = 1082
pg.types.setTypeParser(INT8, Number)
pg.types.setTypeParser(DATE, (text) => text)

const names = new Map<string, string>()
const MAX_NAMES = 1000

/** A short stable name for a statement, so that PostgreSQL plans it once per connection; none past a bound. */
function statementName(sql: string): string | undefined {
  const known = names.get(sql)
  if (known) return known
  if (names.size >= MAX_NAMES) return undefined
  const name = `q${createHash('sha1').update(sql).digest('base64url').slice(0, 20)}`
  names.set(sql, name)
  return name
}

const READ_ONLY = '25006'

type Release = (error?: Error | boolean) => void

interface Watcher {
  /** Counts how often the server turned out to be read-only; connections of an earlier generation are dropped. */
  generation: number
  heard(state: string, generation: number): void
}

/** A client whose parameterised statements are prepared by name. Its pool drops it when it leads to a read-only server. */
class NamingClient extends pg.Client {
  readonly #watcher: Watcher | undefined
  readonly #generation: number
  #release: Release = () => {}

  constructor(config?: pg.ClientConfig & { watcher?: Watcher }) {
    super(config)
    this.#watcher = config?.watcher
    this.#generation = this.#watcher?.generation ?? 0
    // The pool listens only to those that are idle. One that dies between two statements of a transaction must not end the
    // process either: the next statement fails and says so.
    this.on('error', () => {})
    // What the server refuses is heard here, whoever sent the statement, and costs nothing while it refuses nothing.
    const { connection } = this as unknown as { connection: NodeJS.EventEmitter }
    connection.on('errorMessage', ({ code = '' }: { code?: string }) => {
      this.#watcher?.heard(code, this.#generation)
    })
  }

  /** Set by the pool for each time it lends the client. */
  set release(release: Release) {
    this.#release = release
  }
  get release(): Release {
    const release = this.#release
    return (error) => release(error || this.#generation < (this.#watcher?.generation ?? 0))
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's own query are not expressible here
  override query(first: any, ...rest: any[]): any {
    if (typeof first === 'string' && Array.isArray(rest[0])) {
      const name = statementName(first)
      if (name) return super.query({ name, text: first, values: rest[0] }, ...rest.slice(1))
    }
    return super.query(first, ...rest)
  }
}

export interface PoolOptions {
  size?: number
  /** Milliseconds after which a statement is given up. */
  statementTimeout?: number
  onError?: (error: Error) => void
}

const DISK_FULL = '53100'
const FULL_FOR = 10_000

/** Why the database takes no changes; nothing when it does. */
export type WriteProblem = 'read_only' | 'disk_full' | 'not_ready'

/** A pool that knows whether its server takes changes, and that leaves a server which turned read-only. */
class WatchingPool extends pg.Pool {
  readonly #watcher: Watcher
  #fullAt = Number.NEGATIVE_INFINITY
  #looking: Promise<WriteProblem | undefined> | undefined

  constructor(config: pg.PoolConfig) {
    const watcher: Watcher = { generation: 0, heard: () => {} }
    super({ ...config, Client: NamingClient, watcher } as pg.PoolConfig)
    this.#watcher = watcher
    watcher.heard = (state, generation) => {
      if (state === READ_ONLY && generation === watcher.generation) this.#leaveServer()
      if (state === DISK_FULL) this.#fullAt = performance.now()
    }
  }

  /** Every connection leads to the server that was read-only: only a new one finds the server that took over. */
  #leaveServer() {
    this.#watcher.generation += 1
    for (let idle = this.idleCount; idle > 0; idle--)
      this.connect().then(
        (client) => client.release(true),
        () => {},
      )
  }

  async #look(): Promise<WriteProblem | undefined> {
    try {
      const client = await this.connect()
      try {
        const { rows } = await client.query<{ read_only: boolean }>(
          `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only from migrations limit 1`,
        )
        if (rows[0]?.read_only) this.#leaveServer()
        return rows.length === 0 ? 'not_ready' : rows[0]?.read_only ? 'read_only' : undefined
      } finally {
        client.release()
      }
    } catch {
      return 'not_ready'
    }
  }

  /** Whether changes can be written, answered in time although the server may hang. Many who ask at once cost one look. */
  async findWriteProblem(patience: number): Promise<WriteProblem | undefined> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    const late = new Promise<WriteProblem>((done) => setTimeout(done, patience, 'not_ready').unref())
    const found = await Promise.race([this.#looking, late])
    // A full disk is known by what it refused a moment ago: whatever writes by itself goes on trying.
    return found ?? (performance.now() - this.#fullAt < FULL_FOR ? 'disk_full' : undefined)
  }
}
export type DatabasePool = InstanceType<typeof WatchingPool>

/** Opens a pool. Connections speak UTC and give up statements, locks and forgotten transactions in time. */
export function openPool(
  databaseUrl: string,
  { size = 12, statementTimeout = 15_000, onError }: PoolOptions = {},
): DatabasePool {
  const pool = new WatchingPool({
    connectionString: databaseUrl,
    max: size,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    options: `-c timezone=UTC -c statement_timeout=${statementTimeout} -c lock_timeout=5000 -c idle_in_transaction_session_timeout=30000`,
  })
  // A connection that dies while idle must not end the process; the next query opens another.
  pool.on('error', (error) => onError?.(error))
  return pool
}

/** The query builder on a pool. */
export const openDb = (pool: pg.Pool): Db => new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })

/** The SQLSTATE of a database error. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : undefined

/** The constraint that a statement broke. */
export const brokenConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.constraint : undefined

const SERIALIZATION = '40001'
const DEADLOCK = '40P01'

/** A reply that a twin of the request has kept meanwhile. */
const KEPT_REPLY = ['idempotency_keys_worker', 'idempotency_keys_api_key']

/** Another try of the whole transaction may succeed. */
export const isRetryable = (error: unknown) =>
  sqlState(error) === SERIALIZATION ||
  sqlState(error) === DEADLOCK ||
  KEPT_REPLY.includes(brokenConstraint(error) ?? '')

// Connection failures, shutdown, start, too many connections, disk full, a read-only server, input and output errors of the
// server, statement, lock and transaction time-outs.
const unavailable = /^(08|53|57P)|^(25006|25P0[34]|40003|55P03|57014|58030)$/
// The line or the server went away: nobody can tell what became of a commit.
const lost = /^(08|57P)|^(40003|58030)$/
// The server refused or ended the connection, whatever its reason.
const isFatal = (error: unknown) => error instanceof pg.DatabaseError && /^(FATAL|PANIC)$/.test(error.severity ?? '')
const network = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'ENOENT',
])

/** The database is down, restarting or too slow: the caller gets 503 and may try again. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  if (state) return unavailable.test(state) || isFatal(error)
  if (!(error instanceof Error)) return false
  if ('code' in error && network.has(String(error.code))) return true
  return /timeout exceeded when trying to connect|Connection terminated|connection timeout|Client has encountered a connection error|Cannot use a pool after/i.test(
    error.message,
  )
}

/** Did the database itself say that a transaction came to nothing? Who only lost the line cannot tell: it may be committed. */
export const isRolledBack = (error: unknown) => {
  const state = sqlState(error)
  return state !== undefined && !lost.test(state) && !isFatal(error)
}

export interface TransactionOptions {
  isolation?: 'read committed' | 'repeatable read' | 'serializable'
  tries?: number
}

/** Runs work in a transaction, again when it lost a race that another try can win. */
export async function inTransaction<T>(
  db: Db,
  work: (tx: Db) => Promise<T>,
  { isolation, tries = 4 }: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const builder = db.transaction()
      return await (isolation ? builder.setIsolationLevel(isolation) : builder).execute(work)
    } catch (error) {
      // What a read-only server refused may be taken by the next connection: the pool has dropped this one.
      const isWorthIt = isRetryable(error) || sqlState(error) === READ_ONLY
      if (attempt >= tries || !isWorthIt) throw error
      await new Promise((done) => setTimeout(done, attempt * 10 + Math.random() * 30))
    }
  }
}
