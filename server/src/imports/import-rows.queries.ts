import type { RowOutcome, RowState } from '@limber/contract/imports/import-values.ts'
import { MAX_COUNTED } from '@limber/contract/kit/page.ts'
import { sql } from 'kysely'
import type { Erased } from '#platform/customer-hooks.ts'
import type { Db, Row } from '#platform/db/db.ts'

export type PlanRow = Row<'import_rows'>

export interface RowFilter {
  state: RowState | undefined
  outcome: RowOutcome | undefined
  reason: string | undefined
}

const matching = (db: Db, importId: number, { state, outcome, reason }: RowFilter) =>
  db
    .selectFrom('import_rows')
    .where('import_id', '=', importId)
    .$if(state !== undefined, (query) => query.where('state', '=', state as RowState))
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome as RowOutcome))
    .$if(reason !== undefined, (query) => query.where('reason', '=', reason as string))

/** One page of rows by line, and how many there are, up to a limit. */
export async function findRows(db: Db, importId: number, filter: RowFilter, page: { limit: number; offset: number }) {
  const counted = await db
    .selectFrom(
      matching(db, importId, filter)
        .select('line')
        .limit(MAX_COUNTED + 1)
        .as('m'),
    )
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching(db, importId, filter)
    .selectAll()
    .orderBy('line')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return { total: counted.total, rows }
}

/** Planned rows that were not applied yet. */
export async function countOpenRows(db: Db, importId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from import_rows
    where import_id = ${importId} and state in ('create', 'update') and outcome is null`.execute(db)
  return rows[0]?.count ?? 0
}

export const removeRows = (db: Db, importId: number) =>
  db.deleteFrom('import_rows').where('import_id', '=', importId).execute()

/** The next rows after a line that were not imported. */
export const findRefused = (db: Db, importId: number, states: readonly RowState[], line: number, limit: number) =>
  db
    .selectFrom('import_rows')
    .select(['line', 'reason', 'detail'])
    .where('import_id', '=', importId)
    .where('state', 'in', states)
    .where('line', '>', line)
    .orderBy('line')
    .limit(limit)
    .execute()

/**
 * Forgets what the rows of imports say about an erased customer, and the files that name them: the schedule deletes files
 * that belong to no import. An undo does not need the file.
 */
export function eraseImportRows({ ids, emails }: Erased) {
  const theirs = sql`(customer_id = any(${ids}::bigint[]) or contact = any(${emails}::text[]))`
  return [
    sql`update import_rows set subject = null, contact = null, reason = null, detail = null, field = null, value = null,
        attached_as = null, before = null, changes = null
      where ${theirs}`,
    sql`update imports set file_key = null
      where file_key is not null and id in (select import_id from import_rows where ${theirs})`,
  ]
}
