import { sql } from 'kysely'
import type { Db } from '../db/db.ts'

/** The replies stored under an Idempotency-Key. */
export const findStoredReplies = async (db: Db, key: string) =>
  (await sql`select body from idempotency_keys where key = ${key}`.execute(db)).rows
