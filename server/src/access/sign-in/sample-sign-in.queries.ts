import { sql } from 'kysely'
import { MINUTE, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { hashToken, randomToken } from '#platform/security/secrets.ts'

const KEY_LIFE = 15 * MINUTE

/** A key for the first active Owner of the sample company, if there is one. */
export async function createSampleKey(db: Db, now: Date): Promise<string | undefined> {
  const key = randomToken()
  const { rows } = await sql`
    insert into sample_keys (key_hash, worker_id, expires_at)
    select ${hashToken(key)}, id, ${shift(now, KEY_LIFE)} from workers where role = 'Owner' and status = 'active' order by id limit 1
    returning worker_id`.execute(db)
  return rows.length === 1 ? key : undefined
}

interface Visit {
  keyHash: Buffer
  sidHash: Buffer
  now: Date
  steppedUpAt: Date
  address: string
  browser: string
}

/** Uses the key and opens a session in one statement, so that the key works once. */
export async function openSampleSession(db: Db, visit: Visit) {
  const { rows } = await sql<{ id: number; worker_id: number }>`
    with key as (
      update sample_keys k set used_at = ${visit.now} from workers w
      where k.key_hash = ${visit.keyHash} and k.used_at is null and k.expires_at > ${visit.now}
        and w.id = k.worker_id and w.status = 'active'
      returning k.worker_id)
    insert into sessions (token_hash, worker_id, created_at, last_seen_at, stepped_up_at, address, browser)
    select ${visit.sidHash}, key.worker_id, ${visit.now}, ${visit.now}, ${visit.steppedUpAt}, ${visit.address}, ${visit.browser} from key
    returning id, worker_id`.execute(db)
  return rows[0]
}
