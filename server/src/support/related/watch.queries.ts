import { MAX_WATCHED } from '@limber/contract/support/related/related.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { readCounts } from '#platform/db/kept-counts.ts'

interface Person {
  id: number
  name: string
}

export async function findWatchers(db: Db, ticketId: number): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select w.id, w.name from ticket_watchers t join workers w on w.id = t.worker_id
    where t.ticket_id = ${ticketId} and w.status = 'active' order by w.name limit 100`.execute(db)
  return rows
}

/** How many open tickets a worker watches. */
export const countWatched = async (db: Db, workerId: number): Promise<number> =>
  (await readCounts(db, `watcher ${workerId}`)).open ?? 0

/** Starts watching a ticket; false when the worker watches it already. */
export async function insertWatcher(db: Db, ticketId: number, workerId: number, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('ticket_watchers')
    .values({ ticket_id: ticketId, worker_id: workerId, created_at: now, seen_at: now })
    .onConflict((known) => known.columns(['ticket_id', 'worker_id']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function removeWatcher(db: Db, ticketId: number, workerId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('ticket_watchers')
    .where('ticket_id', '=', ticketId)
    .where('worker_id', '=', workerId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export interface WatchedRow {
  id: number
  subject: string
  change: string
  at: Date
}

const MAX_READ = 2 * MAX_WATCHED

/**
 * Watched tickets with the newest thing that others did since the worker last looked, newest first. It reads the open ones
 * and some that were closed.
 */
export async function findWatchedNews(db: Db, workerId: number): Promise<WatchedRow[]> {
  const { rows } = await sql<WatchedRow>`
    select t.id, t.subject, n.change, n.at
    from (select * from ticket_watchers where worker_id = ${workerId} order by is_open desc, created_at desc
      limit ${sql.lit(MAX_READ)}) s
    join tickets t on t.id = s.ticket_id
    left join customers c on c.id = t.customer_id
    cross join lateral (
      select x.change, x.at from (
        (select case when m.from_customer then coalesce(c.first_name || ' ' || c.last_name, t.customer_email) || ' wrote'
            else coalesce(w.name, 'Support') || ' replied' end as change, m.created_at as at
          from ticket_messages m left join workers w on w.id = m.worker_id
          where m.ticket_id = t.id and m.created_at > s.seen_at and m.worker_id is distinct from ${workerId}
          order by m.id desc limit 1)
        union all (select w.name || ' added a note', m.created_at from ticket_notes m join workers w on w.id = m.worker_id
          where m.ticket_id = t.id and m.created_at > s.seen_at and m.worker_id <> ${workerId} order by m.id desc limit 1)
        union all (select e.text || coalesce(' by ' || w.name, ''), e.created_at
          from ticket_events e left join workers w on w.id = e.worker_id
          where e.ticket_id = t.id and e.created_at > s.seen_at and e.worker_id is distinct from ${workerId}
          order by e.id desc limit 1)) x
      order by x.at desc limit 1) n
    order by n.at desc limit ${sql.lit(MAX_WATCHED)}`.execute(db)
  return rows
}
