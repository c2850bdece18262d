import { MAX_UNREAD } from '@limber/contract/support/related/related.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

/** The tickets that a worker marked unread, newest mark first. */
export async function findUnread(db: Db, workerId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select ticket_id as id from ticket_unread where worker_id = ${workerId} order by created_at desc, ticket_id desc limit ${sql.lit(MAX_UNREAD)}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** False when the worker keeps as many as allowed. */
export async function insertUnread(db: Db, ticketId: number, workerId: number, now: Date): Promise<boolean> {
  const { rows } = await sql<{ is_kept: boolean }>`
    with kept as (select count(*) < ${sql.lit(MAX_UNREAD)} as has_room from ticket_unread where worker_id = ${workerId}),
    added as (
      insert into ticket_unread (worker_id, ticket_id, created_at) select ${workerId}, ${ticketId}, ${now} from kept where has_room
      on conflict (worker_id, ticket_id) do update set created_at = excluded.created_at returning ticket_id)
    select exists (select from added) as is_kept`.execute(db)
  return rows[0]?.is_kept ?? false
}

export const removeUnread = (db: Db, ticketId: number, workerId: number) =>
  db.deleteFrom('ticket_unread').where('worker_id', '=', workerId).where('ticket_id', '=', ticketId).execute()
