import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, type Selectable, sql } from 'kysely'
import pg from 'pg'
import type { Tables } from './schema.ts'

export type { Tables }

/** A row as it is read. */
export type Row<T extends keyof Tables> = Selectable<Tables[T]>

/** The pool or a transaction. Queries always take it as their first argument. */
export type Db = Kysely<Tables>

const INT8 = 20
// The types of the driver list no arrays.
const INT8_ARRAY = 1016 as number as Parameters<typeof pg.types.setTypeParser>[0]
const DATE = 1082
pg.types.setTypeParser(INT8, Number)
pg.types.setTypeParser(INT8_ARRAY, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)))
pg.types.setTypeParser(DATE, (text) => text)

const names = new Map<string, string>()
const MAX_NAMES = 1000

const EACH_TIME = '/* planned each time */'

/**
 * Begins a statement that PostgreSQL must not prepare: a queue that is now empty and now long needs different plans, and
 * a text that depends on the data would be prepared in every form.
 */
export const plannedEachTime = sql.raw(EACH_TIME)

/** A short stable name for a statement, so that PostgreSQL prepares it once per connection. Undefined past a limit. */
function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known) return known
  if (names.size >= MAX_NAMES || text.trimStart().startsWith(EACH_TIME)) return undefined
  const name = `q${createHash('sha1').update(text).digest('base64url').slice(0, 20)}`
  names.set(text, name)
  return name
}

const READ_ONLY = '25006'

/** How the query builder begins a transaction, and what it is told. */
const BEGIN = 'begin'
const BEGUN = { command: 'BEGIN', rowCount: null, rows: [] }

type Release = (error?: Error | boolean) => void
type CheckoutCallback = Parameters<pg.Pool['connect']>[0]

interface Watcher {
  /** Rises each time the server turns out to be read-only. Connections of an earlier generation are dropped. */
  generation: number
  onErrorState(state: string, generation: number): void
}

/** A client that prepares parameterized statements by name. Its pool drops it when the server is read-only. */
class NamingClient extends pg.Client {
  readonly #watcher: Watcher | undefined
  readonly #generation: number
  #release: Release = () => {}
  /** A transaction begins with its first statement, in one round trip. */
  #mustBegin = false

  constructor(config?: pg.ClientConfig & { watcher?: Watcher }) {
    super(config)
    this.#watcher = config?.watcher
    this.#generation = this.#watcher?.generation ?? 0
    // The pool handles errors of idle clients only. A client that dies between two statements of a transaction must not
    // end the process either: the next statement fails anyway.
    this.on('error', () => {})
    // Sees the errors of all statements, at no cost for successful ones.
    const { connection } = this as unknown as { connection: NodeJS.EventEmitter }
    connection.on('errorMessage', ({ code = '' }: { code?: string }) => {
      this.#watcher?.onErrorState(code, this.#generation)
    })
  }

  /** Set by the pool on each checkout. */
  set release(release: Release) {
    this.#release = release
  }
  get release(): Release {
    const release = this.#release
    return (error) => release(error || this.#generation < (this.#watcher?.generation ?? 0))
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's own query are not expressible here
  override query(first: any, ...rest: any[]): any {
    if (first === BEGIN && Array.isArray(rest[0]) && !this.#mustBegin) {
      this.#mustBegin = true
      return Promise.resolve(BEGUN)
    }
    if (!this.#mustBegin) return this.#send(first, ...rest)
    this.#mustBegin = false
    const client = this as unknown as { pipeline: boolean }
    client.pipeline = true
    // If it fails, so does the statement behind it.
    super.query(BEGIN).catch(() => {})
    return this.#send(first, ...rest).finally(() => {
      client.pipeline = false
    })
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  #send(first: any, ...rest: any[]): any {
    if (typeof first === 'string' && Array.isArray(rest[0])) {
      const name = statementName(first)
      if (name) return super.query({ name, text: first, values: rest[0] }, ...rest.slice(1))
    }
    return super.query(first, ...rest)
  }
}

export interface PoolOptions {
  size?: number
  /** Milliseconds after which a statement is canceled. */
  statementTimeout?: number
  onError?: (error: Error) => void
}

const DISK_FULL = '53100'
const FULL_FOR = 10_000

/** Why the database cannot be written. */
export type WriteProblem = 'read_only' | 'disk_full' | 'not_ready'

/** A pool that knows whether its server is writable, and drops its connections when the server turns read-only. */
class WatchingPool extends pg.Pool {
  readonly #watcher: Watcher
  #fullAt = Number.NEGATIVE_INFINITY
  /** Told how many milliseconds each checkout took. */
  onCheckout: ((ms: number) => void) | undefined
  #checking: Promise<WriteProblem | undefined> | undefined

  constructor(config: pg.PoolConfig) {
    const watcher: Watcher = { generation: 0, onErrorState: () => {} }
    super({ ...config, Client: NamingClient, watcher } as pg.PoolConfig)
    this.#watcher = watcher
    watcher.onErrorState = (state, generation) => {
      if (state === READ_ONLY && generation === watcher.generation) this.#leaveServer()
      if (state === DISK_FULL) this.#fullAt = performance.now()
    }
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: CheckoutCallback): void
  override connect(callback?: CheckoutCallback): Promise<pg.PoolClient> | undefined {
    if (callback) return void super.connect(callback)
    const tell = this.onCheckout
    if (!tell) return super.connect()
    const since = performance.now()
    return super.connect().finally(() => tell(performance.now() - since))
  }

  /** Drops idle connections to the read-only server. New connections reach the server that took over. */
  #leaveServer() {
    this.#watcher.generation += 1
    for (let idle = this.idleCount; idle > 0; idle--)
      this.connect().then(
        (client) => client.release(true),
        () => {},
      )
  }

  async #check(): Promise<WriteProblem | undefined> {
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

  /** Checks whether the database is writable, within a timeout. Concurrent callers share one check. */
  async findWriteProblem(timeout: number): Promise<WriteProblem | undefined> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    const late = new Promise<WriteProblem>((done) => setTimeout(done, timeout, 'not_ready').unref())
    const found = await Promise.race([this.#checking, late])
    // A full disk shows in recent write errors. Background writes keep trying, so the state updates itself.
    return found ?? (performance.now() - this.#fullAt < FULL_FOR ? 'disk_full' : undefined)
  }
}
export type DatabasePool = InstanceType<typeof WatchingPool>

/** Opens a pool. Connections use UTC and time out on statements, locks and idle transactions. */
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
  // A lost idle connection must not end the process; the next query opens another.
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

/** The constraint that a statement violated. */
export const brokenConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.constraint : undefined

const SERIALIZATION = '40001'
const DEADLOCK = '40P01'

/** Violated when a duplicate of the request has stored its reply first. */
const STORED_REPLY_KEYS = ['idempotency_keys_worker', 'idempotency_keys_api_key']

/** True when retrying the transaction may succeed. */
export const isRetryable = (error: unknown) =>
  sqlState(error) === SERIALIZATION ||
  sqlState(error) === DEADLOCK ||
  STORED_REPLY_KEYS.includes(brokenConstraint(error) ?? '')

// Connection failures, shutdown, startup, too many connections, disk full, a read-only server, I/O errors, and statement,
// lock and transaction timeouts.
const unavailable = /^(08|53|57P)|^(25006|25P0[34]|40003|55P03|57014|58030)$/
// The connection or the server was lost: a commit may or may not have succeeded.
const lost = /^(08|57P)|^(40003|58030)$/
// The server refused or closed the connection.
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

/** True when the database confirmed the rollback. After a lost connection, the transaction may be committed. */
export const isRolledBack = (error: unknown) => {
  const state = sqlState(error)
  return state !== undefined && !lost.test(state) && !isFatal(error)
}

export interface TransactionOptions {
  isolation?: 'read committed' | 'repeatable read' | 'serializable'
  tries?: number
}

/** Runs work in a transaction and retries after conflicts that a retry can resolve. */
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
      // After a read-only error, the next connection may reach a writable server: the pool has dropped this one.
      const canRetry = isRetryable(error) || sqlState(error) === READ_ONLY
      if (attempt >= tries || !canRetry) throw error
      await new Promise((done) => setTimeout(done, attempt * 10 + Math.random() * 30))
    }
  }
}
