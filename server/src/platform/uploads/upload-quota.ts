import { sql } from 'kysely'
import { DAY, shift } from '../clock.ts'
import { type Db, inTransaction } from '../db/db.ts'
import type { Services } from '../services.ts'

/** Bytes that a worker may upload per day, including rejected files. */
const QUOTA = 5 * 1024 ** 3
const LOCK = 7_214_062

async function sumSent(db: Db, workerId: number, now: Date): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(bytes), 0) as bytes from worker_uploads
    where worker_id = ${workerId} and sent_at > ${shift(now, -DAY)}`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

export const isWithinQuota = async (db: Db, workerId: number, bytes: number, now: Date): Promise<boolean> =>
  (await sumSent(db, workerId, now)) + bytes <= QUOTA

/** Counts received bytes. False when the quota is exceeded and the upload must stop. */
export type SpendBytes = (bytes: number) => Promise<boolean>

/**
 * Counts a worker's bytes as they arrive, each step in its own transaction. So concurrent uploads see each other, uploads
 * without a length are covered, and rejected uploads count too.
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
