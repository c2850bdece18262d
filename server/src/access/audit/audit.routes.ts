import {
  type AuditRow,
  listAudit,
  listAuditTerms,
  readAuditEntry,
  verifyAudit,
} from '@limber/contract/access/audit/audit.ts'
import type { QueryOf } from '@limber/contract/kit/call.ts'
import { maySeeValues } from '#platform/audit/audit-areas.ts'
import { extendAuditChain, verifyAuditChain } from '#platform/audit/audit-chain.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Caller, serve } from '#platform/http/routes.ts'
import { type AuditFilter, type AuditRecord, findAuditRow, listAuditRows, listTerms } from './audit.queries.ts'
import { findSubjectNames, subjectKey } from './subject-names.queries.ts'

/** Hides values and typed reasons of records that the worker may not open. */
function redactFor({ permissions }: Caller, row: AuditRecord) {
  if (maySeeValues(row, permissions)) return { ...row, areValuesHidden: false }
  // The reason of a refusal is our own text, not typed by a person.
  const reason = row.outcome === 'refused' ? row.reason : null
  const isRedacted = row.before !== null || row.after !== null || reason !== row.reason
  return { ...row, before: null, after: null, reason, areValuesHidden: isRedacted }
}

/** Rows as the worker may see them, with what the records are called. */
async function presentAll(db: Db, worker: Caller, rows: readonly AuditRecord[]): Promise<AuditRow[]> {
  const names = await findSubjectNames(
    db,
    rows.filter((row) => maySeeValues(row, worker.permissions)),
  )
  return rows.map((row) => present(redactFor(worker, row), names.get(subjectKey(row)) ?? null))
}

const present = (row: ReturnType<typeof redactFor>, subjectName: string | null): AuditRow => ({
  id: row.id,
  at: row.at.toISOString(),
  worker: row.worker_id === null ? null : { id: row.worker_id, name: row.worker_name },
  actor: row.worker_id === null ? row.worker_name : null,
  call: row.call,
  action: row.action,
  outcome: row.outcome,
  subject: row.subject,
  subjectId: row.subject_id,
  subjectName,
  before: row.before ?? null,
  after: row.after ?? null,
  reason: row.reason,
  areValuesHidden: row.areValuesHidden,
  address: row.address,
  requestId: row.request_id,
})

const cursorOf = ({ at, id }: AuditRecord) => `${at.getTime()}.${id}`

function readCursor(mark: string | undefined) {
  const [at, id] = (mark ?? '').split('.').map(Number)
  return at && id ? { at: new Date(at), id } : undefined
}

const filterOf = (query: Omit<QueryOf<typeof listAudit>, 'before' | 'limit'>, worker: Caller): AuditFilter => ({
  ...query,
  ...(query.others && { notBy: worker.workerId }),
})

const MAY_LAG = { mayLag: true }

export const auditRoutes = [
  serve(
    listAudit,
    async ({ query, db, worker }) => {
      const { before, limit, ...filters } = query
      // One extra row shows whether there is a next page.
      const rows = await listAuditRows(db, filterOf(filters, worker), { before: readCursor(before), limit: limit + 1 })
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      return {
        entries: await presentAll(db, worker, page),
        next: last && rows.length > limit ? cursorOf(last) : null,
      }
    },
    MAY_LAG,
  ),
  serve(readAuditEntry, async ({ params, db, worker }) => {
    const row = await findAuditRow(db, params.id)
    if (!row) throw refuse(readAuditEntry, 'not_found')
    const [entry] = await presentAll(db, worker, [row])
    if (!entry) throw refuse(readAuditEntry, 'not_found')
    return { entry }
  }),
  serve(
    listAuditTerms,
    async ({ db }) => ({
      actions: await listTerms(db, 'action'),
      subjects: await listTerms(db, 'subject'),
    }),
    MAY_LAG,
  ),
  serve(verifyAudit, async ({ db }) => {
    await extendAuditChain(db)
    const verdict = await verifyAuditChain(db)
    return verdict.isWhole
      ? { ...verdict, badId: null, problem: null }
      : { isWhole: false, checked: verdict.checked, waiting: 0, badId: verdict.badId, problem: verdict.problem }
  }),
]
