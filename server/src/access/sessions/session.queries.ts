import { CompiledQuery } from 'kysely'
import { HOUR, MINUTE, shift } from '#platform/clock.ts'
import { MAX_CLOCK_SKEW } from '#platform/db/database-time.ts'
import type { Db } from '#platform/db/db.ts'
import type { Caller, SessionFinder } from '#platform/http/routes.ts'
import { hashToken } from '#platform/security/secrets.ts'

export const IDLE = 30 * MINUTE
export const LONGEST = 12 * HOUR

interface FoundSession {
  id: number
  worker_id: number
  stepped_up_at: Date | null
  last_seen_at: Date
  name: string
  email: string
  role: string | null
  permissions: string[]
}

// Written out: every call begins with it, and building it anew took longer than the database needs to answer. The fences keep
// the planner to the two unique indexes: while few are signed in it would rather read all workers.
const FIND_SESSION = `
  select s.id, s.worker_id, s.stepped_up_at, s.last_seen_at, w.name, w.email, w.role, w.permissions
  from (select * from sessions where token_hash = $1 offset 0) s
  cross join lateral (select * from workers where id = s.worker_id offset 0) w
  where s.ended_at is null and s.last_seen_at > $2 and s.created_at > $3 and w.status = 'active'
    and s.last_seen_at <= $4 and s.created_at <= $4`

/** The session of a cookie, with its worker, if it is alive: one statement per request. */
export async function findSession(db: Db, token: string, now: Date): Promise<FoundSession | undefined> {
  // As texts: pg writes a Date by its local parts, which takes ten times as long.
  const values = [
    hashToken(token),
    shift(now, -IDLE).toISOString(),
    shift(now, -LONGEST).toISOString(),
    // What is dated ahead of now would live longer than it may.
    shift(now, MAX_CLOCK_SKEW).toISOString(),
  ]
  const { rows } = await db.executeQuery<FoundSession>(CompiledQuery.raw(FIND_SESSION, values))
  return rows[0]
}

/** Notes that a session was used. */
export const touchSession = (db: Db, sessionId: number, now: Date) =>
  db
    .updateTable('sessions')
    .set({ last_seen_at: now })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()

/** Ends one session; ended ones stay for the list of past sign-ins. */
export const endSession = (db: Db, sessionId: number, reason: string, now: Date) =>
  db
    .updateTable('sessions')
    .set({ ended_at: now, ended_reason: reason })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()

/** Ends every open session of a worker; says how many there were. */
export async function endSessions(db: Db, workerId: number, reason: string, now: Date): Promise<number> {
  const ended = await db
    .updateTable('sessions')
    .set({ ended_at: now, ended_reason: reason })
    .where('worker_id', '=', workerId)
    .where('ended_at', 'is', null)
    .returning('id')
    .execute()
  return ended.length
}

/** Ends every session of a worker but one: what proves them has changed, and only here is known that they did it. */
export const endOtherSessions = (db: Db, workerId: number, sessionId: number, now: Date) =>
  db
    .updateTable('sessions')
    .set({ ended_at: now, ended_reason: 'passkeys changed' })
    .where('worker_id', '=', workerId)
    .where('id', '<>', sessionId)
    .where('ended_at', 'is', null)
    .execute()

/** Ends one session of this worker, and of nobody else. */
export const endOwnSession = (db: Db, workerId: number, sessionId: number, now: Date) =>
  db
    .updateTable('sessions')
    .set({ ended_at: now, ended_reason: 'ended by its worker' })
    .where('id', '=', sessionId)
    .where('worker_id', '=', workerId)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** The sessions in which a worker is signed in now. */
export const listSessions = (db: Db, workerId: number, now: Date) =>
  db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'last_seen_at', 'address', 'browser', 'device_id'])
    .where('worker_id', '=', workerId)
    .where('ended_at', 'is', null)
    .where('last_seen_at', '>', shift(now, -IDLE))
    .where('created_at', '>', shift(now, -LONGEST))
    .orderBy('last_seen_at', 'desc')
    .execute()

/** Gives a session a new secret and notes the fresh passkey, in one statement; the old secret is dead with it. */
export const renewSession = (db: Db, sessionId: number, tokenHash: Buffer, now: Date) =>
  db
    .updateTable('sessions')
    .set({ token_hash: tokenHash, stepped_up_at: now })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** The browsers that need no device code. */
export const listDevices = (db: Db, workerId: number, now: Date) =>
  db
    .selectFrom('devices')
    .select(['id', 'label', 'created_at', 'last_used_at', 'expires_at'])
    .where('worker_id', '=', workerId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .execute()

export const revokeOwnDevice = (db: Db, workerId: number, deviceId: number, now: Date) =>
  db
    .updateTable('devices')
    .set({ revoked_at: now })
    .where('id', '=', deviceId)
    .where('worker_id', '=', workerId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** Finds the worker behind a request's cookie. */
export const makeSessionFinder = (db: Db): SessionFinder => ({
  async find(token, now): Promise<Caller | undefined> {
    if (token.length < 20 || token.length > 100) return undefined
    const row = await findSession(db, token, now)
    return (
      row && {
        workerId: row.worker_id,
        name: row.name,
        email: row.email,
        role: row.role,
        permissions: new Set(row.permissions),
        sessionId: row.id,
        steppedUpAt: row.stepped_up_at,
        lastSeenAt: row.last_seen_at,
      }
    )
  },
  async touch(sessionId, now) {
    await touchSession(db, sessionId, now)
  },
})
