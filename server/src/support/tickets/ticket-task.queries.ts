import type { TaskKind } from '@limber/contract/support/tickets/ticket-task.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

export interface TaskRow {
  id: number
  kind: TaskKind
  ticket: { id: number; subject: string }
  customer: string
  worker: { id: number; name: string }
  due_on: string
  booking: { id: number; starts_at: string; wanted_at: string | null } | null
  is_done: boolean
  created_at: Date
}

// The app moved or canceled the booking since.
const isFulfilled = sql`b.id is not null and (b.status = 'cancelled'
  or (s.kind = 'move_booking' and b.starts_at <> s.booking_starts_at))`

/** Tasks `s` that meet a condition. */
const selectTasks = (condition: RawBuilder<unknown>) => sql<TaskRow>`
  select s.id, s.kind, jsonb_build_object('id', t.id, 'subject', t.subject) as ticket,
    coalesce(c.first_name || ' ' || c.last_name, t.customer_email) as customer,
    jsonb_build_object('id', w.id, 'name', w.name) as worker, s.due_on, s.created_at,
    case when s.booking_id is not null then jsonb_build_object('id', s.booking_id, 'starts_at', s.booking_starts_at,
      'wanted_at', s.wanted_at) end as booking,
    s.done_at is not null or (${isFulfilled}) as is_done
  from ticket_tasks s join tickets t on t.id = s.ticket_id join workers w on w.id = s.worker_id
  left join customers c on c.id = t.customer_id left join bookings b on b.id = s.booking_id
  where ${condition} order by s.due_on, s.id`

export async function findOpenTasks(db: Db, workerId: number, limit: number): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`${selectTasks(
    sql`s.worker_id = ${workerId} and s.done_at is null and not (${isFulfilled})`,
  )} limit ${limit}`.execute(db)
  return rows
}

/** The newest tasks of a ticket, first due first. */
export async function findTasksOf(db: Db, ticketId: number): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`${selectTasks(
    sql`s.id in (select id from ticket_tasks where ticket_id = ${ticketId} order by id desc limit 20)`,
  )}`.execute(db)
  return rows
}

export async function findTask(db: Db, id: number): Promise<TaskRow | undefined> {
  const { rows } = await selectTasks(sql`s.id = ${id}`).execute(db)
  return rows[0]
}

export async function countOpenTasks(db: Db, workerId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ticket_tasks s left join bookings b on b.id = s.booking_id
    where s.worker_id = ${workerId} and s.done_at is null and not (${isFulfilled})`.execute(db)
  return rows[0]?.count ?? 0
}

/** Checks off the tasks of a worker whose bookings were changed, so that they do not pile up. */
export const closeFulfilled = (db: Db, workerId: number, now: Date) =>
  sql`update ticket_tasks s set done_at = ${now} from bookings b
    where s.worker_id = ${workerId} and s.done_at is null and b.id = s.booking_id and (${isFulfilled})`.execute(db)

export interface TaskDraft {
  ticketId: number
  workerId: number
  kind: TaskKind
  dueOn: string
  booking?: { id: number; startsAt: Date; wantedAt: Date | null } | undefined
}

export async function insertTask(
  db: Db,
  { ticketId, workerId, kind, dueOn, booking }: TaskDraft,
  createdBy: number,
  now: Date,
): Promise<number> {
  const { id } = await db
    .insertInto('ticket_tasks')
    .values({
      ticket_id: ticketId,
      worker_id: workerId,
      kind,
      due_on: dueOn,
      booking_id: booking?.id ?? null,
      booking_starts_at: booking?.startsAt ?? null,
      wanted_at: booking?.wantedAt ?? null,
      created_by: createdBy,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Deletes an open call-back; returns whether there was one. */
export async function removeCallback(db: Db, id: number, ticketId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('ticket_tasks')
    .where('id', '=', id)
    .where('ticket_id', '=', ticketId)
    .where('kind', '=', 'callback')
    .where('done_at', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Checks a task off or opens it again; returns its ticket, or nothing when there is no such task. */
export const saveTaskDone = (db: Db, id: number, doneBy: number | null, now: Date) =>
  db
    .updateTable('ticket_tasks')
    .set({ done_at: doneBy === null ? null : now, done_by: doneBy })
    .where('id', '=', id)
    .returning('ticket_id')
    .executeTakeFirst()
