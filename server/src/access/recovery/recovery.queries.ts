import { shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { hashToken } from '#platform/security/secrets.ts'
import { normalizeRecoveryCode, REQUEST_LIFE } from './recovery.rules.ts'

/** Replaces all recovery codes. Only hashes are stored. */
export async function replaceRecoveryCodes(db: Db, workerId: number, codes: readonly string[], now: Date) {
  await db.deleteFrom('recovery_codes').where('worker_id', '=', workerId).execute()
  await db
    .insertInto('recovery_codes')
    .values(
      codes.map((code) => ({
        worker_id: workerId,
        code_hash: hashToken(normalizeRecoveryCode(code)),
        created_at: now,
        used_at: null,
      })),
    )
    .execute()
}

/** Uses a code, unless it is incorrect, already used or another worker's. */
export const takeRecoveryCode = (db: Db, workerId: number | null, typed: string, now: Date) =>
  db
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('worker_id', '=', workerId)
    .where('code_hash', '=', hashToken(normalizeRecoveryCode(typed)))
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

export async function countRecoveryCodes(db: Db, workerId: number): Promise<number> {
  const row = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('worker_id', '=', workerId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.left
}

export const insertRecoveryRequest = (db: Db, workerId: number, address: string, now: Date) =>
  db
    .insertInto('recovery_requests')
    .values({
      worker_id: workerId,
      address,
      created_at: now,
      expires_at: shift(now, REQUEST_LIFE),
      decided_by: null,
      decided_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

const requests = (db: Db) =>
  db
    .selectFrom('recovery_requests as r')
    .innerJoin('workers as w', 'w.id', 'r.worker_id')
    .leftJoin('workers as d', 'd.id', 'r.decided_by')

const columns = [
  'r.id',
  'r.worker_id',
  'r.state',
  'r.address',
  'r.created_at',
  'r.expires_at',
  'r.decided_at',
  'w.name',
  'w.email',
  'w.status',
  'd.name as decided_by',
] as const

type State = 'open' | 'approved' | 'denied' | 'closed' | 'expired'

const inState = (db: Db, state: State | undefined, now: Date) => {
  const all = requests(db)
  if (state === undefined) return all
  if (state === 'expired') return all.where('r.state', '=', 'open').where('r.expires_at', '<=', now)
  const kept = all.where('r.state', '=', state)
  return state === 'open' ? kept.where('r.expires_at', '>', now) : kept
}

export const listRecoveryRequests = (db: Db, state: State | undefined, limit: number, offset: number, now: Date) =>
  inState(db, state, now).select(columns).orderBy('r.id', 'desc').limit(limit).offset(offset).execute()

export async function countRecoveryRequests(db: Db, state: State | undefined, now: Date): Promise<number> {
  const row = await inState(db, state, now)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export const findRecoveryRequest = (db: Db, id: number) =>
  requests(db).select(columns).where('r.id', '=', id).executeTakeFirst()
export type RecoveryRow = NonNullable<Awaited<ReturnType<typeof findRecoveryRequest>>>

/** Decides an open request of another worker. Of two concurrent decisions, one wins. */
export const decideRecovery = (db: Db, id: number, state: 'approved' | 'denied', by: number, now: Date) =>
  db
    .updateTable('recovery_requests')
    .set({ state, decided_by: by, decided_at: now })
    .where('id', '=', id)
    .where('worker_id', '!=', by)
    .where('state', '=', 'open')
    .where('expires_at', '>', now)
    .returning(['id', 'worker_id'])
    .executeTakeFirst()

/** Closes the worker's other open requests after a decision or a completed recovery. */
export const closeOtherRequests = (db: Db, workerId: number, by: number | null, now: Date) =>
  db
    .updateTable('recovery_requests')
    .set({ state: 'closed', decided_by: by, decided_at: now })
    .where('worker_id', '=', workerId)
    .where('state', '=', 'open')
    .execute()
