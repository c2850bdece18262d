import type { ImportCounts, ImportReason, UndoPreview } from '@limber/contract/imports/import.ts'
import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import { sql } from 'kysely'
import { SECOND } from '#platform/clock.ts'
import { databaseTime } from '#platform/db/database-time.ts'
import { type Db, plannedEachTime, type Row } from '#platform/db/db.ts'
import { alive, isLost } from '#platform/jobs/lease.ts'
import { isUnchangedSql } from '#platform/sync/resources.ts'
import type { PlanRow } from '../import-rows.queries.ts'

/** Another process may take over an import after this silence. */
const SILENCE = 15 * SECOND

const runningStates = ['checking', 'applying', 'undoing'] as const

/** Claims an import that runs, unless a process that lives has it. */
export async function claimImport(db: Db, id: number, runner: string): Promise<boolean> {
  const claimed = await db
    .updateTable('imports')
    .set({ runner, ...alive })
    .where('id', '=', id)
    .where('state', 'in', runningStates)
    .where(sql<boolean>`(runner is null or ${isLost(SILENCE)})`)
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

/** Imports that run but that no process works on. */
export const findAbandoned = (db: Db) =>
  db
    .selectFrom('imports')
    .select('id')
    .where('state', 'in', runningStates)
    .where(sql<boolean>`(${isLost(SILENCE)} or (beat_at is null and started_at < ${databaseTime(-4 * SILENCE)}))`)
    .execute()

export interface Run {
  id: number
  state: (typeof runningStates)[number]
  runner: string
}

export const isRunState = (state: Row<'imports'>['state']): state is Run['state'] =>
  runningStates.some((each) => each === state)

const own = (db: Db, { id, state, runner }: Run) =>
  db.updateTable('imports').where('id', '=', id).where('state', '=', state).where('runner', '=', runner)

/** Shows that the process lives. */
export const beat = (db: Db, run: Run) => own(db, run).set(alive).execute()

/** The import was canceled, or another process has taken it over. */
export class Stopped extends Error {}

export interface Place {
  done: number
  line_reached?: number
  counts: Partial<ImportCounts>
}

/**
 * Notes how far the run is, in the transaction of a batch. A batch whose run was canceled or taken over is rolled back, so
 * no row is written twice.
 */
export async function savePlace(db: Db, run: Run, { counts, ...place }: Place) {
  const saved = await own(db, run)
    .set({ ...place, ...alive, counts: JSON.stringify(counts) })
    .returning('id')
    .executeTakeFirst()
  if (!saved) throw new Stopped()
}

/** Ends a run, unless it was canceled or taken over. */
export async function endRun(
  db: Db,
  run: Run,
  values: Partial<
    Pick<Row<'imports'>, 'state' | 'error' | 'checked_at' | 'applied_at' | 'undone_at' | 'undo_until'>
  > & { reasons?: ImportReason[] },
) {
  const { reasons, ...rest } = values
  const ended = await own(db, run)
    .set({ ...rest, ...(reasons && { reasons: JSON.stringify(reasons) }), runner: null, beat_at: null })
    .returning('id')
    .executeTakeFirst()
  if (!ended) throw new Stopped()
}

export type NewRow = Omit<PlanRow, 'import_id' | 'outcome' | 'after_version' | 'attached_as' | 'before'>

export async function insertRows(db: Db, importId: number, rows: readonly NewRow[]) {
  if (rows.length === 0) return
  await sql`
    insert into import_rows (import_id, line, state, subject, contact, reason, detail, field, value, record_id, version,
      changes, customer_id)
    select ${importId}, line, state, subject, contact, reason, detail, field, value, record_id, version, changes, customer_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(line int, state text, subject text, contact text,
      reason text, detail text, field text, value text, record_id bigint, version bigint, changes jsonb, customer_id bigint)`.execute(
    db,
  )
}

/** The reasons of rows that are not taken, with how many have each. */
export async function countReasons(db: Db, importId: number): Promise<ImportReason[]> {
  const { rows } = await sql<ImportReason>`
    select state, reason, count(*) as count from import_rows
    where import_id = ${importId} and reason is not null group by 1, 2 order by 3 desc, 2 limit 50`.execute(db)
  return rows
}

/** The next planned rows that were not applied. */
export const findOpenRows = (db: Db, importId: number, afterLine: number, limit: number) =>
  db
    .selectFrom('import_rows')
    .select(['line', 'state', 'record_id', 'version'])
    .where('import_id', '=', importId)
    .where('state', 'in', ['create', 'update'])
    .where('outcome', 'is', null)
    .where('line', '>', afterLine)
    .orderBy('line')
    .limit(limit)
    .execute()
export type OpenRow = Awaited<ReturnType<typeof findOpenRows>>[number]

export type AppliedRow = Pick<
  PlanRow,
  | 'line'
  | 'state'
  | 'outcome'
  | 'record_id'
  | 'after_version'
  | 'attached_as'
  | 'before'
  | 'customer_id'
  | 'reason'
  | 'detail'
  | 'field'
  | 'value'
>

/** Notes what became of planned rows. */
export async function saveApplied(db: Db, importId: number, rows: readonly AppliedRow[]) {
  const [first] = rows
  const last = rows.at(-1)
  if (!first || !last) return
  // The range keeps the statement from reading the whole plan, whatever statistics say.
  await sql`${plannedEachTime}
    update import_rows t set state = r.state, outcome = r.outcome, record_id = r.record_id,
      after_version = r.after_version, attached_as = r.attached_as, before = r.before, customer_id = r.customer_id,
      reason = r.reason, detail = r.detail, field = r.field, value = r.value
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(line int, state text, outcome text, record_id bigint,
      after_version bigint, attached_as text, before jsonb, customer_id bigint, reason text, detail text, field text,
      value text)
    where t.import_id = ${importId} and t.line between ${first.line} and ${last.line} and t.line = r.line`.execute(db)
}

/** Applied rows, the last ones first. */
export const findAppliedRows = (db: Db, importId: number, limit: number) =>
  db
    .selectFrom('import_rows')
    .select(['line', 'state', 'record_id', 'after_version', 'attached_as', 'before'])
    .where('import_id', '=', importId)
    .where('outcome', '=', 'applied')
    .orderBy('line', 'desc')
    .limit(limit)
    .execute()

/** What an undo would do with the applied rows, as far as it can be known without doing it. */
export async function countUndo(db: Db, importId: number, resource: ImportResource): Promise<UndoPreview> {
  const isUnchanged = isUnchangedSql(resource, sql`r.record_id`, sql`r.after_version`)
  const { rows } = await sql<UndoPreview>`
    select count(*) filter (where is_unchanged and state = 'create')::int as removed,
      count(*) filter (where is_unchanged and state = 'update')::int as restored,
      count(*) filter (where not is_unchanged)::int as kept
    from (select r.state, ${isUnchanged} as is_unchanged from import_rows r
      where r.import_id = ${importId} and r.outcome = 'applied') applied`.execute(db)
  return rows[0] ?? { removed: 0, restored: 0, kept: 0 }
}

/** Notes what became of applied rows in an undo. */
export async function saveUndone(
  db: Db,
  importId: number,
  rows: readonly { line: number; outcome: 'undone' | 'kept'; detail: string | null }[],
) {
  const lines = rows.map(({ line }) => line)
  await sql`${plannedEachTime}
    update import_rows t set outcome = r.outcome, detail = coalesce(r.detail, t.detail), before = null,
      reason = case when r.outcome = 'kept' then 'Kept by the undo' else t.reason end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(line int, outcome text, detail text)
    where t.import_id = ${importId} and t.line between ${Math.min(...lines)} and ${Math.max(...lines)}
      and t.line = r.line`.execute(db)
}
