import { paginate } from '@limber/contract/kit/page.ts'
import {
  type AuditResult,
  type FixBody,
  fixDiscrepancies,
  listAdjustments,
  previewFix,
  undoFix,
} from '@limber/contract/payroll/audit/audit.ts'
import { writeDollars } from '@limber/contract/payroll/values.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import type { Services } from '#platform/services.ts'
import { exportSnapshot } from '../audit/audit.queries.ts'
import { startAudit } from '../audit/start-audit.ts'
import { findAdjustments, findOperation, insertOperation, insertUndo, lockLedger } from '../lists/ledger.queries.ts'
import { insertDuesOfFix, undoDuesOfFix } from '../runs/settlement.queries.ts'
import { presentAdjustment, presentPreview } from './fix.present.ts'
import { type FixLine, isCurrent, reasonOf, selectLines, totalOf } from './fix.rules.ts'

type FixCall = typeof previewFix | typeof fixDiscrepancies

/** The adjustments to write, from freshly computed figures. Refused if the figures differ from those reviewed. */
async function reviewLines(
  call: FixCall,
  services: Services,
  { exclude, ...seen }: FixBody,
  now: Date,
  snapshot?: string,
): Promise<FixLine[]> {
  const fresh: AuditResult = await startAudit(call, services, {
    startDate: seen.period_start,
    endDate: seen.period_end,
    now,
    snapshot,
  })
  const lines = isCurrent({ ...seen, exclude }, fresh) ? selectLines(fresh, exclude) : undefined
  if (!lines) throw refuse(call, 'figures_changed')
  return lines
}

const canUndo = (lines: readonly FixLine[]) => lines.length > 0 && lines.every((line) => !line.is_period_closed)

export const fixRoutes = [
  serve(previewFix, async ({ body, services, now }) =>
    presentPreview(await reviewLines(previewFix, services, body, now)),
  ),

  serve(
    fixDiscrepancies,
    async ({ body, db, services, worker, now, audit, publish }) => {
      await lockLedger(db)
      const lines = await reviewLines(fixDiscrepancies, services, body, now, await exportSnapshot(db))
      const totals = {
        employee_total: writeDollars(totalOf(lines, 'employee')),
        employer_total: writeDollars(totalOf(lines, 'employer')),
      }
      if (lines.length === 0) return { operation_id: null, applied: 0, ...totals, can_undo: false }
      const id = await insertOperation(db, lines, {
        startDate: body.period_start,
        endDate: body.period_end,
        workerId: worker.workerId,
        now,
        reason: reasonOf(body.period_start, body.period_end),
      })
      await insertDuesOfFix(db, id, now)
      audit({
        action: 'payroll.fixed',
        subject: 'payroll_operation',
        subjectId: id,
        after: { lines: lines.length, ...totals, period_start: body.period_start, period_end: body.period_end },
      })
      publish('payroll', { operationId: id })
      return { operation_id: id, applied: lines.length, ...totals, can_undo: canUndo(lines) }
    },
    { isolation: 'serializable' },
  ),

  serve(listAdjustments, async ({ query: { page, limit, ...filter }, db }) => {
    const { total, rows } = await findAdjustments(db, { ...filter, limit, offset: (page - 1) * limit })
    return { adjustments: rows.map(presentAdjustment), pagination: paginate(page, limit, total) }
  }),

  serve(undoFix, async ({ body: { operation_id }, db, worker, now, audit, publish }) => {
    await lockLedger(db)
    const operation = await findOperation(db, operation_id)
    if (!operation) throw refuse(undoFix, 'unknown')
    if (operation.is_undone) throw refuse(undoFix, 'already_undone')
    if (operation.has_closed) throw refuse(undoFix, 'period_closed')
    if (operation.has_later) throw refuse(undoFix, 'later_fix')
    if (operation.has_voided) throw refuse(undoFix, 'voided')
    await insertUndo(db, operation_id, worker.workerId, now)
    await undoDuesOfFix(db, operation_id)
    audit({ action: 'payroll.fix_undone', subject: 'payroll_operation', subjectId: operation_id })
    publish('payroll', { operationId: operation_id })
    return { operation_id, undone: operation.lines }
  }),
]
