import { HOUR, MINUTE, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db.ts'
import type { Caller, SessionFinder } from '#platform/routes.ts'
import { hashToken } from '#platform/secrets.ts'

export const IDLE = 30 * MINUTE
export const LONGEST = 12 * HOUR

/** The session of a cookie, with its worker, if it is alive: one statement per request. */
export const findSession = (db: Db, token: string, now: Date) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('workers as w', 'w.id', 's.worker_id')
    .select([
      's.id',
      's.worker_id',
      's.stepped_up_at',
      's.last_seen_at',
      'w.name',
      'w.email',
      'w.role',
      'w.permissions',
    ])
    .where('s.token_hash', '=', hashToken(token))
    .where('s.ended_at', 'is', null)
    .where('s.last_seen_at', '>', shift(now, -IDLE))
    .where('s.created_at', '>', shift(now, -LONGEST))
    .where('w.status', '=', 'active')
    .executeTakeFirst()

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
