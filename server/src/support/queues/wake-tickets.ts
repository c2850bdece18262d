import { sql } from 'kysely'
import { runWork } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'

const BATCH_SIZE = 200

/** Returns tickets to their queues when the time of their snooze has come. */
export async function wakeTickets(services: Services) {
  let woken = 0
  for (let isMore = true; isMore; ) {
    const count = await runWork(services, { call: 'schedule wake-tickets' }, async ({ db, now, publish }) => {
      const { rows } = await sql<{ id: number }>`
        with due as materialized (
          select id from tickets where snoozed_until <= ${now} order by snoozed_until limit ${sql.lit(BATCH_SIZE)}
        ), held as materialized (
          select t.id from tickets t where t.id in (select id from due) order by t.id for no key update
        ), woken as (
          update tickets t set snoozed_at = null, snoozed_until = null, updated_at = ${now}, version = version + 1
          from held where t.id = held.id and t.snoozed_until <= ${now} returning t.id)
        insert into ticket_events (ticket_id, kind, text, created_at)
        select id, 'snoozed', 'Snooze ended', ${now} from woken returning ticket_id as id`.execute(db)
      for (const { id } of rows) publish('tickets', { ticket: id })
      return rows.length
    })
    woken += count
    isMore = count === BATCH_SIZE
  }
  return { woken }
}
