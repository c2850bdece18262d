import { codeOf } from '@limber/contract/access/permissions.ts'
import type { TaskFigures, TaskStatus } from '@limber/contract/growth/tasks/task.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

export interface TaskRecord extends Omit<Row<'city_tasks'>, 'city_key' | 'created_by'> {
  assignee: string | null
  author: string | null
  marks: { after_days: number; figures: TaskFigures }[]
}

const columns = sql`t.id, t.title, t.description, t.due_on, t.priority, t.city_name, t.assignee_id, a.name as assignee,
  w.name as author, t.created_at, t.done_at, t.figures, t.version,
  coalesce((select jsonb_agg(jsonb_build_object('after_days', k.after_days, 'figures', k.figures) order by k.after_days)
    from city_task_marks k where k.task_id = t.id), '[]') as marks`
const joins = sql`left join workers a on a.id = t.assignee_id left join workers w on w.id = t.created_by`

export interface TaskFilter {
  status: TaskStatus | ''
  assignee: number | 'none' | ''
  city: string
}

const conditions = ({ status, assignee, city }: TaskFilter): RawBuilder<unknown> =>
  sql.join(
    [
      sql`true`,
      ...(status === '' ? [] : [status === 'open' ? sql`done_at is null` : sql`done_at is not null`]),
      ...(assignee === '' ? [] : [assignee === 'none' ? sql`assignee_id is null` : sql`assignee_id = ${assignee}`]),
      ...(city === '' ? [] : [sql`city_key = lower(${city})`]),
    ],
    sql` and `,
  )

/** Open tasks by due date, then priority; then done tasks, newest first. */
const orderOf = (row: string) => {
  const of = (column: string) => sql.ref(`${row}.${column}`)
  return sql`${of('done_at')} is not null, case when ${of('done_at')} is null then ${of('due_on')} end nulls last, ${of('done_at')} desc,
    array_position('{high,medium,low}'::text[], ${of('priority')}), ${of('id')} desc`
}

export async function findTasks(db: Db, filter: TaskFilter, page: { limit: number; offset: number }) {
  const { rows } = await sql<{ total: number } & (TaskRecord | { id: null })>`
    with matches as materialized (select id, done_at, due_on, priority from city_tasks where ${conditions(filter)}),
    page as (select id from matches order by ${orderOf('matches')} limit ${page.limit} offset ${page.offset})
    select n.total, r.* from (select count(*) as total from matches) n
    left join (select ${columns} from page join city_tasks t on t.id = page.id ${joins}) r on true
    order by ${orderOf('r')}`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row): row is { total: number } & TaskRecord => row.id !== null),
  }
}

export async function findTask(db: Db, id: number): Promise<TaskRecord | undefined> {
  const { rows } = await sql<TaskRecord>`select ${columns} from city_tasks t ${joins} where t.id = ${id}`.execute(db)
  return rows[0]
}

/** Locks the task until the transaction ends. */
export const lockTask = (db: Db, id: number) =>
  db
    .selectFrom('city_tasks')
    .select(['id', 'title', 'description', 'due_on', 'priority', 'assignee_id', 'done_at', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export type TaskDraft = Omit<Row<'city_tasks'>, 'id' | 'city_key' | 'done_at' | 'version'>

export const insertTask = (db: Db, { figures, ...draft }: TaskDraft) =>
  db
    .insertInto('city_tasks')
    .values({ ...draft, figures: figures && JSON.stringify(figures), done_at: null })
    .returning('id')
    .executeTakeFirstOrThrow()

/** Deletes a task that nobody changed; returns whether it was so. */
export async function removeNewTask(db: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('city_tasks')
    .where('id', '=', id)
    .where('version', '=', 1)
    .where(sql<boolean>`not exists (select from city_task_marks m where m.task_id = city_tasks.id)`)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export type TaskChange = Partial<Pick<TaskDraft, 'title' | 'description' | 'due_on' | 'priority' | 'assignee_id'>> & {
  done_at?: Date | null
}

export const saveTask = (db: Db, id: number, change: TaskChange) =>
  db
    .updateTable('city_tasks')
    .set({ ...change, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()

const MAX_ASSIGNEES = 500

const canHaveTasks = sql<boolean>`status = 'active' and permissions @> ${sql.lit(`{${codeOf('growth.tab')}}`)}::text[]`

export const findAssignees = (db: Db) =>
  db.selectFrom('workers').select(['id', 'name']).where(canHaveTasks).orderBy('name').limit(MAX_ASSIGNEES).execute()

export const canBeAssigned = async (db: Db, id: number) =>
  (await db.selectFrom('workers').select('id').where('id', '=', id).where(canHaveTasks).executeTakeFirst()) !==
  undefined

/** Tasks that are old enough for a mark they do not have yet. */
export async function findUnmarked(db: Db, now: Date, limit: number) {
  const { rows } = await sql<{ id: number; city_name: string; created_at: Date; after_days: number }>`
    select t.id, t.city_name, t.created_at, k.after_days
    from city_tasks t cross join (values (30), (60), (90)) k (after_days)
    where t.figures is not null and t.created_at <= ${now}::timestamptz - interval '30 days'
      and t.created_at + k.after_days * interval '1 day' <= ${now}
      and not exists (select from city_task_marks m where m.task_id = t.id and m.after_days = k.after_days)
    order by t.id, k.after_days limit ${limit}`.execute(db)
  return rows
}

export const insertMark = (db: Db, taskId: number, afterDays: number, figures: TaskFigures, now: Date) =>
  db
    .insertInto('city_task_marks')
    .values({ task_id: taskId, after_days: afterDays, figures: JSON.stringify(figures), taken_at: now })
    .onConflict((conflict) => conflict.columns(['task_id', 'after_days']).doNothing())
    .execute()
