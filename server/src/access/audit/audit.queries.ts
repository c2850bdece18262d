import { sql } from 'kysely'
import { DAY, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'

export interface AuditFilter {
  worker?: number | undefined
  action?: string | undefined
  subject?: string | undefined
  subjectId?: string | undefined
  outcome?: 'done' | 'refused' | undefined
  from?: string | undefined
  to?: string | undefined
  /** Only changes by others than this worker. */
  notBy?: number | undefined
}

const columns = [
  'id',
  'at',
  'worker_id',
  'worker_name',
  'call',
  'action',
  'outcome',
  'subject',
  'subject_id',
  'before',
  'after',
  'reason',
  'address',
  'request_id',
] as const

export const findAuditRow = (db: Db, id: number) =>
  db.selectFrom('audit_log').select(columns).where('id', '=', id).executeTakeFirst()

function matching(db: Db, filter: AuditFilter) {
  let rows = db.selectFrom('audit_log').select(columns)
  if (filter.worker) rows = rows.where('worker_id', '=', filter.worker)
  if (filter.action) rows = rows.where('action', '=', filter.action)
  if (filter.subject) rows = rows.where('subject', '=', filter.subject)
  if (filter.subjectId) rows = rows.where('subject_id', '=', filter.subjectId)
  if (filter.outcome) rows = rows.where('outcome', '=', filter.outcome)
  if (filter.from) rows = rows.where('at', '>=', new Date(`${filter.from}T00:00:00Z`))
  if (filter.to) rows = rows.where('at', '<', shift(new Date(`${filter.to}T00:00:00Z`), DAY))
  if (filter.notBy)
    rows = rows
      .where('worker_id', '<>', filter.notBy)
      .where('outcome', '=', 'done')
      // Sign-ins and changes to one's own account change no company record.
      .where(sql<boolean>`call !~ '^[A-Z]+ /(api/)?(auth|onboarding|profile|recovery)(/|$)'`)
  return rows
}

interface Page {
  before: { at: Date; id: number } | undefined
  limit: number
}

/** Rows of the audit log, newest first, from the cursor on. */
export function listAuditRows(db: Db, filter: AuditFilter, { before, limit }: Page) {
  const rows = matching(db, filter)
  const page = before ? rows.where(sql<boolean>`(at, id) < (${before.at}::timestamptz, ${before.id}::bigint)`) : rows
  return page.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

export type AuditRecord = Awaited<ReturnType<typeof listAuditRows>>[number]

/** The distinct values of a column, by a loose index scan, because the log is long and the list is short. */
export async function listTerms(db: Db, column: 'action' | 'subject'): Promise<string[]> {
  const name = sql.ref(column)
  const { rows } = await sql<{ term: string }>`
    with recursive hop as (
      (select ${name} as term from audit_log where ${name} is not null order by ${name} limit 1)
      union all
      select (select a.${name} from audit_log a where a.${name} > hop.term order by a.${name} limit 1) from hop where hop.term is not null)
    select term from hop where term is not null limit 500`.execute(db)
  return rows.map((row) => row.term)
}
