import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { keepPromises } from '../promises/keep-promises.ts'

/** Ends the snoozes whose time has come, with an event in the history of each ticket. Returns the tickets. */
export async function endDueSnoozes(db: Db, limit: number, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with due as materialized (
      select id from tickets where snoozed_until <= ${now} order by snoozed_until limit ${limit}
    ), held as materialized (
      select t.id from tickets t where t.id in (select id from due) order by t.id for no key update
    ), woken as (
      update tickets t set snoozed_at = null, snoozed_until = null, updated_at = ${now}, version = version + 1
      from held where t.id = held.id and t.snoozed_until <= ${now} returning t.id)
    insert into ticket_events (ticket_id, kind, text, created_at)
    select id, 'snoozed', 'Snooze ended', ${now} from woken returning ticket_id as id`.execute(db)
  const ids = rows.map(({ id }) => id)
  await keepPromises(db, ids, now)
  return ids
}
