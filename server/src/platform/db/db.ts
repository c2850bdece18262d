import { Kysely, PostgresDialect, type Selectable, sql } from 'kysely'
import pg from 'pg'
import { PLANNED_EACH_TIME, READ_ONLY } from './pool.ts'
import type { Tables } from './schema.ts'

export type { Tables }

/** A row as it is read. */
export type Row<T extends keyof Tables> = Selectable<Tables[T]>

/** The pool or a transaction. Queries always take it as their first argument. */
export type Db = Kysely<Tables>

/**
 * Begins a statement that PostgreSQL must not prepare: a queue that is now empty and now long needs different plans, and
 * a text that depends on the data would be prepared in every form.
 */
export const plannedEachTime = sql.raw(PLANNED_EACH_TIME)

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

/** A constraint or a trigger refused a statement. The transaction cannot go on. */
export const isRefusedByRule = (error: unknown) => /^(23|P0001)/.test(sqlState(error) ?? '')

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

/** The connection broke during a statement or before it. A new one may reach a server that works. */
export const isConnectionLost = (error: unknown) =>
  error instanceof Error &&
  (/Connection terminated(?! due)|is not queryable/.test(error.message) ||
    /^(57P0[12]|ECONNRESET|EPIPE)$/.test('code' in error ? String(error.code) : ''))

/** True when the database confirmed the rollback. After a lost connection, the transaction may be committed. */
export const isRolledBack = (error: unknown) => {
  const state = sqlState(error)
  return state !== undefined && !lost.test(state) && !isFatal(error)
}

export interface TransactionOptions {
  isolation?: 'read committed' | 'repeatable read' | 'serializable'
  tries?: number
}

/**
 * Runs work in a transaction and retries after conflicts that a retry can resolve, and when the connection was lost before
 * the commit was sent.
 */
export async function inTransaction<T>(
  db: Db,
  work: (tx: Db) => Promise<T>,
  { isolation, tries = 4 }: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    let isInDoubt = false
    try {
      const builder = db.transaction()
      return await (isolation ? builder.setIsolationLevel(isolation) : builder).execute(async (tx) => {
        const result = await work(tx)
        isInDoubt = true
        return result
      })
    } catch (error) {
      // After a read-only error, the next connection may reach a writable server: the pool has dropped this one.
      const canRetry = isRetryable(error) || sqlState(error) === READ_ONLY || (!isInDoubt && isConnectionLost(error))
      if (attempt >= tries || !canRetry) throw error
      await new Promise((done) => setTimeout(done, attempt * 10 + Math.random() * 30))
    }
  }
}
