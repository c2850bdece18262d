import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { sqlState } from '../db/db.ts'
import type { CallerId } from '../db/work.ts'
import { failureBody, Refusal, refusals } from './refusal.ts'

const LOCK_CLASS = 7_214_002
const LOCK_NOT_AVAILABLE = '55P03'
const wellFormed = /^[\w.:-]{8,128}$/

interface Kept {
  is_mine: boolean
  status: number
  body: string
  /** None when nothing is kept. */
  request_hash: Buffer | null
}

/** The key a client sent, or none; a malformed one is refused. */
export function readKey(header: unknown): string | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !wellFormed.test(header))
    throw refusals.badRequest('The Idempotency-Key is malformed.')
  return header
}

/** What makes two requests the same: the call, its path and its body. */
export const hashRequest = (call: string, url: string, body: Buffer | undefined) =>
  createHash('sha256')
    .update(`${call}\n${url}\n`)
    .update(body ?? '')
    .digest()

/**
 * Waits for a request with the same key that is still running, then answers with what it replied. Its lock lasts until
 * the end of the transaction, so that of twenty equal requests one works and nineteen repeat its reply. Lock and look are
 * one statement; only who finds the lock taken waits for it, and looks again. Who gets the lock of a twin that committed in
 * between cannot keep a second reply, and is run again by `inTransaction`.
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
  const look = (lock: RawBuilder<unknown>) =>
    sql<Kept>`
    select l.is_mine, k.status, k.body, k.request_hash from (select ${lock} as is_mine) l
    left join idempotency_keys k on ${column} = ${id} and k.key = ${key}`.execute(db)
  let [kept] = (await look(sql`pg_try_advisory_xact_lock(${name})`)).rows
  if (!kept?.is_mine) {
    try {
      await sql`select pg_advisory_xact_lock(${name})`.execute(db)
    } catch (error) {
      throw sqlState(error) === LOCK_NOT_AVAILABLE ? (refusals.stillRunning() satisfies Refusal) : error
    }
    kept = (await look(sql`true`)).rows[0]
  }
  if (!kept?.request_hash) return undefined
  if (!kept.request_hash.equals(requestHash)) throw refusals.keyReused()
  return { status: kept.status, body: kept.body }
}

/** Forgets replies kept longer than a day. */
export const deleteOldKeys = (db: Db, before: Date) =>
  sql`delete from idempotency_keys where created_at < ${before}`.execute(db)

const GONE = JSON.stringify(failureBody(new Refusal(410, 'gone', 'This customer was erased.')))

/**
 * Empties replies that are kept for a day under an idempotency key and name a person. The key stays, so that a
 * request which is sent again is still not carried out twice.
 */
export function eraseReplies(words: readonly (string | null)[]) {
  const found = words
    .filter((word) => word !== null && word !== '')
    .map((word) =>
      JSON.stringify(word)
        .slice(1, -1)
        .replace(/[^\p{L}\p{N}]/gu, (sign) => `\\${sign}`),
    )
  const pattern = `(^|\\W)(${found.join('|')})($|\\W)`
  return sql`update idempotency_keys set status = 410, body = ${GONE} where body ~* ${pattern}`
}
