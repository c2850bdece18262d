import { sql } from 'kysely'
import { MINUTE, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'

const LOCK = 7_214_020

/** A check that runs longer was killed with its process. */
const CHECK_TIMEOUT = 5 * MINUTE

export interface CheckRow {
  id: number
  started_at: Date
  state: 'running' | 'done' | 'failed'
  result: unknown
  /** A fix was applied or undone after the check. */
  fixed_since: boolean
}

/** Claims the next check, unless one started after `since`. Killed checks do not count. */
export async function claimCheck(db: Db, now: Date, since: Date, workerId: number | null): Promise<number | undefined> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db)
  const { rows } = await sql<{ id: number }>`
    insert into payroll_checks (started_at, worker_id)
    select ${now}, ${workerId}::bigint
    where not exists (select from payroll_checks where started_at > ${since}
      and (state in ('done', 'failed') or state = 'running' and started_at > ${shift(now, -CHECK_TIMEOUT)}))
    returning id`.execute(db)
  return rows[0]?.id
}

export const endCheck = (db: Db, id: number, state: 'done' | 'failed', result: unknown, now: Date) =>
  db
    .updateTable('payroll_checks')
    .set({ state, ended_at: now, result: result === null ? null : JSON.stringify(result) })
    .where('id', '=', id)
    .execute()

/** The latest check in any state. */
export async function findLastCheck(db: Db, now: Date): Promise<CheckRow | undefined> {
  const { rows } = await sql<CheckRow>`
    select c.id, c.started_at, c.result,
      case when c.state = 'running' and c.started_at <= ${shift(now, -CHECK_TIMEOUT)} then 'failed' else c.state end as state,
      exists (select from payroll_operations o where o.created_at > c.started_at)
        or exists (select from payroll_undos u where u.created_at > c.started_at) as fixed_since
    from payroll_checks c order by c.started_at desc, c.id desc limit 1`.execute(db)
  return rows[0]
}
