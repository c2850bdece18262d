import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

export interface ChangeFilter {
  subject: string
  /** Null for a kind with one record. */
  subjectId: string | null
  /** Only these actions. */
  actions: readonly string[]
  by?: 'people' | 'programs' | undefined
}

export interface ChangeRow {
  id: number
  at: Date
  worker_id: number | null
  worker_name: string | null
  call: string
  action: string
  before: unknown
  after: unknown
  reason: string | null
  /** The values of personal fields, until the person is erased. */
  was: Record<string, unknown> | null
  is: Record<string, unknown> | null
}

const matching = ({ subject, subjectId, actions, by }: ChangeFilter) => sql`
  a.subject = ${subject} and ${subjectId === null ? sql`a.subject_id is null` : sql`a.subject_id = ${subjectId}`} and a.outcome = 'done' and a.action = any(${actions}::text[])
  ${by === undefined ? sql`` : by === 'people' ? sql`and a.worker_id is not null` : sql`and a.worker_id is null`}`

interface Changes {
  rows: ChangeRow[]
  /** How many there are, up to the bound, and when the oldest of these was made. */
  count: number
  since: Date | null
}

/** The changes of a record, newest first, from the cursor on. */
export async function findChanges(
  db: Db,
  filter: ChangeFilter,
  { before, limit, bound }: { before: { at: Date; id: number } | undefined; limit: number; bound: number },
): Promise<Changes> {
  type Found = { total: number; since: Date | null } & (ChangeRow | { id: null })
  const { rows } = await sql<Found>`
    select t.total, t.since, p.*, v.before as was, v.after as "is" from (
      select count(*)::int as total, min(c.at) as since from (
        select a.at from audit_log a where ${matching(filter)} order by a.at desc limit ${bound}) c) t
    left join (
      select a.id, a.at, a.worker_id, a.worker_name, a.call, a.action, a.before, a.after, a.reason from audit_log a
      where ${matching(filter)} ${before ? sql`and (a.at, a.id) < (${before.at}::timestamptz, ${before.id}::bigint)` : sql``}
      order by a.at desc, a.id desc limit ${limit}) p on true
    left join audit_values v on v.audit_id = p.id
    order by p.at desc, p.id desc`.execute(db)
  const [first] = rows
  return { rows: rows.filter((row) => row.id !== null), count: first?.total ?? 0, since: first?.since ?? null }
}

/** Names of the records that values refer to, by place in the list of selects and by id. */
export async function findNames(db: Db, selects: readonly RawBuilder<unknown>[]) {
  if (selects.length === 0) return []
  const parts = selects.map(
    (select, place) => sql`select ${place}::int as place, n.id, n.name from (${select}) n(id, name)`,
  )
  const { rows } = await sql<{ place: number; id: number; name: string }>`${sql.join(parts, sql` union all `)}`.execute(
    db,
  )
  return rows
}

/** Checks the rules that would otherwise be checked at the end of the transaction. */
export const checkRules = (db: Db) => sql`set constraints all immediate`.execute(db)

/** A change with the record that it is about. */
export type RecordChange = ChangeRow & { subject: string; subject_id: string | null }

const selectChanges = sql`
  select a.id, a.at, a.worker_id, a.worker_name, a.call, a.action, a.before, a.after, a.reason, a.subject, a.subject_id,
    v.before as was, v.after as "is"
  from audit_log a left join audit_values v on v.audit_id = a.id`

export async function findChange(db: Db, id: number): Promise<RecordChange | undefined> {
  const { rows } = await sql<RecordChange>`
    ${selectChanges} where a.id = ${id} and a.outcome = 'done' and a.subject is not null`.execute(db)
  return rows[0]
}

/** What a worker changed with one request, newest first. */
export async function findChangesOfRequest(
  db: Db,
  { workerId, request, since }: { workerId: number; request: string; since: Date },
): Promise<RecordChange[]> {
  const { rows } = await sql<RecordChange>`
    ${selectChanges} where a.worker_id = ${workerId} and a.at >= ${since} and a.request_id = ${request}
      and a.outcome = 'done' and a.subject is not null
    order by a.id desc`.execute(db)
  return rows
}
