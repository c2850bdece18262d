import { CompiledQuery } from 'kysely'
import { HOUR, MINUTE, shift } from '#platform/clock.ts'
import { MAX_CLOCK_SKEW } from '#platform/db/database-time.ts'
import type { Db } from '#platform/db/db.ts'
import type { Caller, SessionFinder } from '#platform/http/routes.ts'
import { hashToken } from '#platform/security/secrets.ts'

export const MAX_IDLE_TIME = 30 * MINUTE
export const MAX_SESSION_AGE = 12 * HOUR

interface FoundSession {
  token_hash: Buffer
  id: number
  worker_id: number
  stepped_up_at: Date | null
  last_seen_at: Date
  name: string
  email: string
  role: string | null
  permissions: string[]
}

// Plain SQL, because every call runs it and building the query took longer than executing it. `offset 0` keeps the
// planner on the two unique indexes. With few sessions it would otherwise scan all workers.
const FIND_SESSIONS = `
  select s.token_hash, s.id, s.worker_id, s.stepped_up_at, s.last_seen_at, w.name, w.email, w.role, w.permissions
  from (select * from sessions where token_hash = any($1) offset 0) s
  cross join lateral (select * from workers where id = s.worker_id offset 0) w
  where s.ended_at is null and s.last_seen_at > $2 and s.created_at > $3 and w.status = 'active'
    and s.last_seen_at <= $4 and s.created_at <= $4`

/** The valid sessions of cookies, with their workers, by the hash of the cookie in hex. */
async function findSessions(db: Db, hashes: ReadonlySet<string>, now: Date): Promise<Map<string, FoundSession>> {
  // As text, because pg serializes a Date ten times slower.
  const values = [
    `{${Array.from(hashes, (hash) => `"\\\\x${hash}"`).join()}}`,
    shift(now, -MAX_IDLE_TIME).toISOString(),
    shift(now, -MAX_SESSION_AGE).toISOString(),
    // A session dated in the future would live too long.
    shift(now, MAX_CLOCK_SKEW).toISOString(),
  ]
  const { rows } = await db.executeQuery<FoundSession>(CompiledQuery.raw(FIND_SESSIONS, values))
  return new Map(rows.map((row) => [row.token_hash.toString('hex'), row]))
}

export const touchSession = (db: Db, sessionId: number, now: Date) =>
  db
    .updateTable('sessions')
    .set({ last_seen_at: now })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()

/** Ends one session. The row stays for the list of past sign-ins. */
export const endSession = (db: Db, sessionId: number, reason: string, now: Date) =>
  db
    .updateTable('sessions')
    .set({ ended_at: now, ended_reason: reason })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()

/** Ends all open sessions of a worker and returns their number. */
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

/** After a change of sign-in methods, ends all sessions of a worker except the one that made the change. */
export const endOtherSessions = (db: Db, workerId: number, sessionId: number, now: Date) =>
  db
    .updateTable('sessions')
    .set({ ended_at: now, ended_reason: 'passkeys changed' })
    .where('worker_id', '=', workerId)
    .where('id', '<>', sessionId)
    .where('ended_at', 'is', null)
    .execute()

/** Ends a session if it belongs to this worker. */
export const endOwnSession = (db: Db, workerId: number, sessionId: number, now: Date) =>
  db
    .updateTable('sessions')
    .set({ ended_at: now, ended_reason: 'ended by its worker' })
    .where('id', '=', sessionId)
    .where('worker_id', '=', workerId)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** The open sessions of a worker. */
export const listSessions = (db: Db, workerId: number, now: Date) =>
  db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'last_seen_at', 'address', 'browser', 'device_id'])
    .where('worker_id', '=', workerId)
    .where('ended_at', 'is', null)
    .where('last_seen_at', '>', shift(now, -MAX_IDLE_TIME))
    .where('created_at', '>', shift(now, -MAX_SESSION_AGE))
    .orderBy('last_seen_at', 'desc')
    .execute()

/** Rotates the token of a session and records the step-up in one statement. The old token stops working. */
export const renewSession = (db: Db, sessionId: number, tokenHash: Buffer, now: Date) =>
  db
    .updateTable('sessions')
    .set({ token_hash: tokenHash, stepped_up_at: now })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** Browsers that sign in without a device code. */
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

/**
 * Requests that arrive together share one statement. It starts after all of them have arrived, so each still sees every
 * session that ended before it.
 */
function shareLookups(db: Db) {
  let hashes = new Set<string>()
  let lookup: Promise<Map<string, FoundSession>> | undefined
  return async (token: string, now: Date): Promise<FoundSession | undefined> => {
    const hash = hashToken(token).toString('hex')
    hashes.add(hash)
    lookup ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      const wanted = hashes
      hashes = new Set()
      lookup = undefined
      return findSessions(db, wanted, now)
    })
    return (await lookup).get(hash)
  }
}

export function makeSessionFinder(db: Db): SessionFinder {
  const findSession = shareLookups(db)
  return {
    async find(token, now): Promise<Caller | undefined> {
      if (token.length < 20 || token.length > 100) return undefined
      const row = await findSession(token, now)
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
  }
}
