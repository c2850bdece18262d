import type { AbsenceDraft } from '@limber/contract/support/assignment/assignment.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

interface Person {
  id: number
  name: string
}

export interface AbsenceRow {
  id: number
  worker: Person
  substitute: Person | null
  starts_on: string
  ends_on: string
  hands_over: boolean
}

const select = sql`
  select a.id, jsonb_build_object('id', w.id, 'name', w.name) as worker, a.starts_on, a.ends_on, a.hands_over,
    case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end as substitute
  from absences a join workers w on w.id = a.worker_id left join workers s on s.id = a.substitute_id`

/** Current and planned absences, the next to end first. */
export async function findAbsences(db: Db, today: string, limit: number): Promise<AbsenceRow[]> {
  const { rows } = await sql<AbsenceRow>`
    ${select} where a.ends_on >= ${today}::date order by a.ends_on, a.id limit ${limit}`.execute(db)
  return rows
}

export async function findAbsence(db: Db, id: number): Promise<AbsenceRow | undefined> {
  const { rows } = await sql<AbsenceRow>`${select} where a.id = ${id}`.execute(db)
  return rows[0]
}

export async function insertAbsence(
  db: Db,
  { workerId, startsOn, endsOn, substituteId, handsOver }: AbsenceDraft,
  createdBy: number,
  now: Date,
): Promise<number> {
  const { id } = await db
    .insertInto('absences')
    .values({
      worker_id: workerId,
      starts_on: startsOn,
      ends_on: endsOn,
      substitute_id: substituteId,
      hands_over: handsOver,
      created_by: createdBy,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const lockAbsence = (db: Db, id: number) =>
  db
    .selectFrom('absences')
    .select(['id', 'worker_id', 'substitute_id', 'starts_on', 'ends_on', 'hands_over'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const deleteAbsence = (db: Db, id: number) => db.deleteFrom('absences').where('id', '=', id).execute()

export interface StartedAbsence {
  id: number
  worker_id: number
  worker: string
  substitute_id: number | null
  hands_over: boolean
}

/** Locks an absence that has begun and whose tickets were not handed over yet. */
export async function lockStartedAbsence(db: Db, today: string): Promise<StartedAbsence | undefined> {
  const { rows } = await sql<StartedAbsence>`
    select a.id, a.worker_id, a.substitute_id, w.name as worker,
      a.hands_over and a.ends_on >= ${today}::date as hands_over
    from absences a join workers w on w.id = a.worker_id
    where a.handed_over_at is null and a.starts_on <= ${today}::date
    order by a.starts_on, a.id limit 1 for update of a skip locked`.execute(db)
  return rows[0]
}

export const markHandedOver = (db: Db, id: number, now: Date) =>
  db.updateTable('absences').set({ handed_over_at: now }).where('id', '=', id).execute()

/** Locks open tickets of a worker. */
export async function lockTicketsOf(db: Db, workerId: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with found as materialized (
      (select id from tickets where assignee_id = ${workerId} and status <> 'closed' and snoozed_at is null
        and merged_into_id is null limit ${limit})
      union all (select id from tickets where assignee_id = ${workerId} and status <> 'closed' and snoozed_at is not null
        and merged_into_id is null limit ${limit})
      limit ${limit})
    select t.id from tickets t where t.id in (select id from found) and t.assignee_id = ${workerId} and t.status <> 'closed'
    order by t.id for no key update`.execute(db)
  return rows.map(({ id }) => id)
}

/** A worker who can take over: active, with the permission, and not out of office on the day. */
export async function findSubstitute(db: Db, id: number, code: string, today: string): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    select w.id, w.name from workers w
    where w.id = ${id} and w.status = 'active' and w.permissions @> array[${code}::text] and not exists (
      select from absences a where a.worker_id = w.id and ${today}::date between a.starts_on and a.ends_on)`.execute(db)
  return rows[0]
}

/** The absence of the assignee of a ticket on a day. */
export async function findAssigneeAbsence(
  db: Db,
  ticketId: number,
  today: string,
): Promise<{ worker_id: number; worker: string; substitute_id: number | null } | undefined> {
  const { rows } = await sql<{ worker_id: number; worker: string; substitute_id: number | null }>`
    select a.worker_id, w.name as worker, a.substitute_id
    from tickets t join absences a on a.worker_id = t.assignee_id join workers w on w.id = a.worker_id
    where t.id = ${ticketId} and t.status <> 'closed' and ${today}::date between a.starts_on and a.ends_on`.execute(db)
  return rows[0]
}

/** Starts or ends a pause of a worker; false when nothing changed. */
export async function setPaused(db: Db, workerId: number, isPaused: boolean, now: Date): Promise<boolean> {
  if (!isPaused) {
    const { numDeletedRows } = await db
      .deleteFrom('paused_workers')
      .where('worker_id', '=', workerId)
      .executeTakeFirst()
    return numDeletedRows > 0n
  }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('paused_workers')
    .values({ worker_id: workerId, since: now })
    .onConflict((known) => known.column('worker_id').doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}
