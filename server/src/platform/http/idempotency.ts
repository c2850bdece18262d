import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { sqlState } from '../db/db.ts'
import type { CallerId } from '../db/work.ts'
import { failureBody, Refusal, refusals } from './refusal.ts'

const LOCK_CLASS = 7_214_002
const LOCK_NOT_AVAILABLE = '55P03'
const wellFormed = /^[\w.:-]{8,128}$/

interface StoredRow {
  is_mine: boolean
  status: number
  body: string
  /** Null when no reply is stored. */
  request_hash: Buffer | null
}

/** The client's key, if any. A malformed one is refused. */
export function readKey(header: unknown): string | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !wellFormed.test(header))
    throw refusals.badRequest('The Idempotency-Key is malformed.')
  return header
}

/** Two requests are the same when their call, URL and body are. */
export const hashRequest = (call: string, url: string, body: Buffer | undefined) =>
  createHash('sha256')
    .update(`${call}\n${url}\n`)
    .update(body ?? '')
    .digest()

/**
 * Returns the stored reply of an earlier request with the same key. Waits for one that is still running: its lock lasts
 * until the end of its transaction, so that one of twenty equal requests does the work and nineteen replay its reply.
 * One statement locks and reads; only when the lock is taken, the request waits and reads again. If a duplicate commits
 * between lock and read, storing a second reply fails, and `inTransaction` retries.
 */
export async function findStoredReply(
  db: Db,
  caller: CallerId,
  key: string,
  requestHash: Buffer,
): Promise<{ status: number; body: string } | undefined> {
  const isWorker = 'worker_id' in caller
  const id = isWorker ? caller.worker_id : caller.api_key_id
  const column = sql.ref(isWorker ? 'k.worker_id' : 'k.api_key_id')
  const name = sql`${LOCK_CLASS}, hashtext(${`${isWorker ? '' : 'api-key '}${id}:${key}`})`
  const read = (lock: RawBuilder<unknown>) =>
    sql<StoredRow>`
    select l.is_mine, k.status, k.body, k.request_hash from (select ${lock} as is_mine) l
    left join idempotency_keys k on ${column} = ${id} and k.key = ${key}`.execute(db)
  let [stored] = (await read(sql`pg_try_advisory_xact_lock(${name})`)).rows
  if (!stored?.is_mine) {
    try {
      await sql`select pg_advisory_xact_lock(${name})`.execute(db)
    } catch (error) {
      throw sqlState(error) === LOCK_NOT_AVAILABLE ? (refusals.stillRunning() satisfies Refusal) : error
    }
    stored = (await read(sql`true`)).rows[0]
  }
  if (!stored?.request_hash) return undefined
  if (!stored.request_hash.equals(requestHash)) throw refusals.keyReused()
  // The first commit may still be unconfirmed by the standby. A record in the WAL makes this commit wait for both.
  await sql`select pg_logical_emit_message(true, 'limber', '')`.execute(db)
  return { status: stored.status, body: stored.body }
}

export const deleteOldKeys = (db: Db, before: Date) =>
  sql`delete from idempotency_keys where created_at < ${before}`.execute(db)

const GONE = JSON.stringify(failureBody(new Refusal(410, 'gone', 'This customer was erased.')))

/**
 * Clears stored replies that mention an erased person. The keys stay, so that a retried request still does not run
 * twice.
 */
export function eraseReplies(personalTexts: readonly (string | null)[]) {
  const found = personalTexts
    .filter((text) => text !== null && text !== '')
    .map((text) =>
      JSON.stringify(text)
        .slice(1, -1)
        .replace(/[^\p{L}\p{N}]/gu, (sign) => `\\${sign}`),
    )
  const pattern = `(^|\\W)(${found.join('|')})($|\\W)`
  return sql`update idempotency_keys set status = 410, body = ${GONE} where body ~* ${pattern}`
}
