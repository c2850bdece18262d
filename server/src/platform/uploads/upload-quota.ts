import { sql } from 'kysely'
import { DAY, shift } from '../clock.ts'
import { type Db, inTransaction } from '../db/db.ts'
import type { Services } from '../services.ts'

/** Bytes that one worker may send within a day, whatever becomes of them. */
const QUOTA = 5 * 1024 ** 3
const LOCK = 7_214_062

async function sumSent(db: Db, workerId: number, now: Date): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(bytes), 0) as bytes from worker_uploads
    where worker_id = ${workerId} and sent_at > ${shift(now, -DAY)}`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

/** May a worker send so many bytes more today? */
export const isWithinQuota = async (db: Db, workerId: number, bytes: number, now: Date): Promise<boolean> =>
  (await sumSent(db, workerId, now)) + bytes <= QUOTA

/** Counts bytes that came; false when they are too many, and then the upload must stop. */
export type SpendBytes = (bytes: number) => Promise<boolean>

/**
 * Counts the bytes of a worker while they come, each portion in a transaction of its own: uploads that run at once see
 * each other, also those that do not say how long they are, and what was sent counts whatever becomes of it.
 */
export const makeQuotaCounter =
  ({ db, clock }: Pick<Services, 'db' | 'clock'>, workerId: number): SpendBytes =>
  (bytes) =>
    inTransaction(db, (tx) => countUpload(tx, workerId, bytes, clock.now()))

async function countUpload(db: Db, workerId: number, bytes: number, now: Date): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${LOCK}, (${workerId}::bigint % 2147483647)::int)`.execute(db)
  await sql`delete from worker_uploads where worker_id = ${workerId} and sent_at <= ${shift(now, -DAY)}`.execute(db)
  await db.insertInto('worker_uploads').values({ worker_id: workerId, bytes, sent_at: now }).execute()
  return isWithinQuota(db, workerId, 0, now)
}
