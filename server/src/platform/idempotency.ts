import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from './db.ts'
import { sqlState } from './db.ts'
import { type Refusal, refusals } from './refusal.ts'

const LOCK_CLASS = 7_214_002
const LOCK_NOT_AVAILABLE = '55P03'
const wellFormed = /^[\w.:-]{8,128}$/

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
 * the end of the transaction, so that of twenty equal requests one works and nineteen repeat its reply.
 */
export async function findKeptReply(
  db: Db,
  workerId: number,
  key: string,
  requestHash: Buffer,
): Promise<{ status: number; body: string } | undefined> {
  try {
    await sql`select pg_advisory_xact_lock(${LOCK_CLASS}, hashtext(${`${workerId}:${key}`}))`.execute(db)
  } catch (error) {
    throw sqlState(error) === LOCK_NOT_AVAILABLE ? (refusals.stillRunning() satisfies Refusal) : error
  }
  const found = await sql<{ status: number; body: string; request_hash: Buffer }>`
    select status, body, request_hash from idempotency_keys where worker_id = ${workerId} and key = ${key}`.execute(db)
  const kept = found.rows[0]
  if (!kept) return undefined
  if (!kept.request_hash.equals(requestHash)) throw refusals.keyReused()
  return { status: kept.status, body: kept.body }
}

/** Forgets replies kept longer than a day. */
export const forgetOldKeys = (db: Db, before: Date) =>
  sql`delete from idempotency_keys where created_at < ${before}`.execute(db)
