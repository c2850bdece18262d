import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

/** All tables. Each area adds its own by declaration merging in `<area>/tables.ts`. */
// biome-ignore lint/suspicious/noEmptyInterface: areas merge their tables into it
export interface Tables {}

/** A connection to the database: the pool, or a transaction. Queries take it first, always. */
export type Db = Kysely<Tables>

const INT8 = 20
const DATE = 1082
pg.types.setTypeParser(INT8, Number)
pg.types.setTypeParser(DATE, (text) => text)

const names = new Map<string, string>()
const MOST_NAMES = 1000

/** A short stable name for a statement, so that PostgreSQL plans it once per connection; none past a bound. */
function statementName(sql: string): string | undefined {
  const known = names.get(sql)
  if (known) return known
  if (names.size >= MOST_NAMES) return undefined
  const name = `q${createHash('sha1').update(sql).digest('base64url').slice(0, 20)}`
  names.set(sql, name)
  return name
}

/** A client whose parameterised statements are prepared by name. */
class NamingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // The pool listens only to those that are idle. One that dies between two statements of a transaction must not end the
    // process either: the next statement fails and says so.
    this.on('error', () => {})
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

/** Opens a pool. Connections speak UTC and give up statements, locks and forgotten transactions in time. */
export function openPool(
  databaseUrl: string,
  { size = 12, statementTimeout = 15_000, onError }: PoolOptions = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: size,
    Client: NamingClient,
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

/** Another try of the whole transaction may succeed. */
export const isWorthRetrying = (error: unknown) => sqlState(error) === SERIALIZATION || sqlState(error) === DEADLOCK

// Connection failures, shutdown, too many connections, disk full, statement and lock time-outs.
const unavailable = /^(08|57P|53)|^57014$|^55P03$/
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
  if (state) return unavailable.test(state)
  if (!(error instanceof Error)) return false
  if ('code' in error && network.has(String(error.code))) return true
  return /timeout exceeded when trying to connect|Connection terminated|connection timeout|Client has encountered a connection error|Cannot use a pool after/i.test(
    error.message,
  )
}

/** Did the database itself say that a transaction came to nothing? Who only lost the line cannot tell: it may be committed. */
export const isUndone = (error: unknown) => sqlState(error) !== undefined && !isUnavailable(error)

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
      if (attempt >= tries || !isWorthRetrying(error)) throw error
      await new Promise((done) => setTimeout(done, attempt * 10 + Math.random() * 30))
    }
  }
}
