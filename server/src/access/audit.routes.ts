import { type AuditRow, listAudit, listAuditTerms, readAuditEntry, verifyAudit } from '@limber/contract/access/audit.ts'
import { extendAuditChain, verifyAuditChain } from '#platform/audit-chain.ts'
import { refuse } from '#platform/refusal.ts'
import { serve } from '#platform/routes.ts'
import { type AuditRecord, findAuditRow, listAuditRows, listTerms } from './audit.queries.ts'

const present = (row: AuditRecord): AuditRow => ({
  id: row.id,
  at: row.at.toISOString(),
  worker: row.worker_id === null ? null : { id: row.worker_id, name: row.worker_name },
  call: row.call,
  action: row.action,
  outcome: row.outcome,
  subject: row.subject,
  subjectId: row.subject_id,
  before: row.before ?? null,
  after: row.after ?? null,
  reason: row.reason,
  address: row.address,
  requestId: row.request_id,
})

const markOf = ({ at, id }: AuditRecord) => `${at.getTime()}.${id}`

function readMark(mark: string | undefined) {
  const [at, id] = (mark ?? '').split('.').map(Number)
  return at && id ? { at: new Date(at), id } : undefined
}

export const auditRoutes = [
  serve(listAudit, async ({ query, db, worker }) => {
    const filter = { ...query, before: readMark(query.before), ...(query.others && { notBy: worker.workerId }) }
    // One more than asked for tells whether there is a next page.
    const rows = await listAuditRows(db, { ...filter, limit: query.limit + 1 })
    const page = rows.slice(0, query.limit)
    const last = page.at(-1)
    return { entries: page.map(present), next: last && rows.length > query.limit ? markOf(last) : null }
  }),
  serve(readAuditEntry, async ({ params, db }) => {
    const row = await findAuditRow(db, params.id)
    if (!row) throw refuse(readAuditEntry, 'not_found')
    return { entry: present(row) }
  }),
  serve(listAuditTerms, async ({ db }) => ({
    actions: await listTerms(db, 'action'),
    subjects: await listTerms(db, 'subject'),
  })),
  serve(verifyAudit, async ({ db }) => {
    await extendAuditChain(db)
    const verdict = await verifyAuditChain(db)
    return verdict.isWhole
      ? { ...verdict, badId: null, problem: null }
      : { isWhole: false, checked: verdict.checked, waiting: 0, badId: verdict.badId, problem: verdict.problem }
  }),
]
