import {
  type AuditResult,
  type fixDiscrepancies,
  MOST_DAYS,
  type previewFix,
  type runAudit,
} from '@limber/contract/payroll/audit.ts'
import { refuse } from '#platform/refusal.ts'
import type { Services } from '#platform/services.ts'
import { auditAside } from './audit-thread.ts'
import { dayOf, daysBetween } from './period.rules.ts'
import type { Progress } from './run-audit.ts'
import { MissingTaxYear } from './tax/tables.rules.ts'

interface Wanted {
  startDate: string
  endDate: string
  now: Date
  snapshot?: string | undefined
  tell?: Progress | undefined
}

/** Runs an audit for a call, or refuses its range in the call's words. */
export async function startAudit(
  call: typeof runAudit | typeof previewFix | typeof fixDiscrepancies,
  { config }: Pick<Services, 'config'>,
  { startDate, endDate, now, snapshot, tell }: Wanted,
): Promise<AuditResult> {
  if (startDate > endDate) throw refuse(call, 'start_after_end')
  if (daysBetween(startDate, endDate) >= MOST_DAYS) throw refuse(call, 'range_too_long')
  try {
    const task = { databaseUrl: config.databaseUrl, range: { startDate, endDate }, today: dayOf(now), snapshot }
    return { ...(await auditAside(task, tell)), run_at: now.toISOString() }
  } catch (error) {
    throw error instanceof MissingTaxYear ? refuse(call, 'no_tables', { words: { year: error.year } }) : error
  }
}
