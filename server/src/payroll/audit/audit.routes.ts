import { addDays } from '@limber/contract/kit/days.ts'
import { checkDiscrepancies, DEFAULT_DAYS, runAudit } from '@limber/contract/payroll/audit/audit.ts'
import { serve } from '#platform/http/routes.ts'
import { publishProgress } from './audit-progress.queries.ts'
import { checkOnce, lastDays } from './check-discrepancies.ts'
import { startSerializedAudit } from './start-audit.ts'

export const auditRoutes = [
  serve(runAudit, ({ body, services, worker, now }) => {
    const { progressId } = body
    const fallback = lastDays(now)
    const endDate = body.endDate ?? fallback.endDate
    const startDate = body.startDate ?? (body.endDate ? addDays(endDate, 1 - DEFAULT_DAYS) : fallback.startDate)
    const onProgress = progressId
      ? (done: number, total: number) =>
          void publishProgress(services.db, { workerId: worker.workerId, progressId, done, total })
      : undefined
    return startSerializedAudit(runAudit, services, { startDate, endDate, now, onProgress })
  }),

  serve(checkDiscrepancies, ({ services, worker }) => checkOnce(services, { workerId: worker.workerId })),
]
