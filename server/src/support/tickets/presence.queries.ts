import { sql } from 'kysely'
import { SECOND, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { LIVE_CHANNEL, liveText } from '#platform/live/notify.ts'

interface Presence {
  ticketId: number
  workerId: number
  name: string
  state: 'viewing' | 'typing' | 'left'
}

interface Other {
  workerId: number
  name: string
  state: 'viewing' | 'typing'
}

/** A worker without a report for this long has left. */
const GONE_AFTER = 50 * SECOND

/**
 * Records a worker's presence at a ticket and returns the others, in one statement. It notifies only on a change, so
 * that the heartbeats of many workers cause no messages.
 */
export async function recordPresence(db: Db, presence: Presence, now: Date): Promise<Other[] | undefined> {
  const { ticketId, workerId, name, state } = presence
  const since = shift(now, -GONE_AFTER)
  const message = liveText('tickets.presence', { ticket: ticketId, who: workerId, name, state })
  const write =
    state === 'left'
      ? sql`delete from ticket_presence where ticket_id = ${ticketId} and worker_id = ${workerId}`
      : sql`insert into ticket_presence (ticket_id, worker_id, state, seen_at)
          select id, ${workerId}, ${state}, ${now} from tickets where id = ${ticketId}
          on conflict (ticket_id, worker_id) do update set state = excluded.state, seen_at = excluded.seen_at`
  const { rows } = await sql<{ others: Other[] }>`
    with write as (${write}), seen as (
      update ticket_watchers set seen_at = ${now} where ticket_id = ${ticketId} and worker_id = ${workerId}), removed as (delete from ticket_presence where worker_id = ${workerId} and ticket_id <> ${ticketId} and seen_at < ${since}),
    before as (select coalesce((select p.state from ticket_presence p
      where p.ticket_id = ${ticketId} and p.worker_id = ${workerId} and p.seen_at >= ${since}), 'left') as state),
    notified as materialized (select pg_notify(${LIVE_CHANNEL}, ${message}) from before where before.state <> ${state})
    select (select count(*) from notified) as notified, coalesce(
      (select jsonb_agg(jsonb_build_object('workerId', w.id, 'name', w.name, 'state', p.state) order by w.name)
        from ticket_presence p join workers w on w.id = p.worker_id
        where p.ticket_id = t.id and p.worker_id <> ${workerId} and p.seen_at >= ${since}), '[]') as others
    from tickets t where t.id = ${ticketId}`.execute(db)
  return rows[0]?.others
}

export async function findPresence(db: Db, workerId: number, now: Date): Promise<(Other & { ticket: number })[]> {
  const { rows } = await sql<Other & { ticket: number }>`
    select p.ticket_id as ticket, w.id as "workerId", w.name, p.state
    from ticket_presence p join workers w on w.id = p.worker_id
    where p.seen_at >= ${shift(now, -GONE_AFTER)} and p.worker_id <> ${workerId}
    order by w.name, p.ticket_id limit 500`.execute(db)
  return rows
}
