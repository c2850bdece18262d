import { daysBetween } from '@limber/contract/kit/days.ts'
import {
  type AuditResult,
  type fixDiscrepancies,
  MAX_DAYS,
  type previewFix,
  type runAudit,
} from '@limber/contract/payroll/audit/audit.ts'
import { refuse } from '#platform/http/refusal.ts'
import { SerializedReply } from '#platform/http/serialized-reply.ts'
import type { Services } from '#platform/services.ts'
import { dayOf } from '../entries/period.rules.ts'
import { MissingTaxYear } from '../tax/tables.rules.ts'
import { auditAside, printAuditAside } from './audit-thread.ts'
import type { Progress } from './run-audit.ts'

interface Wanted {
  startDate: string
  endDate: string
  now: Date
  snapshot?: string | undefined
  tell?: Progress | undefined
}

type AuditingCall = typeof runAudit | typeof previewFix | typeof fixDiscrepancies

/** Runs an audit for a call, or refuses an invalid range. */
export const startAudit = (call: AuditingCall, services: Pick<Services, 'config'>, wanted: Wanted) =>
  start<AuditResult>(auditAside, call, services, wanted)

/** For a reply that consists of the audit only: serialized in the audit thread. */
export const startPrintedAudit = async (call: AuditingCall, services: Pick<Services, 'config'>, wanted: Wanted) =>
  new SerializedReply<AuditResult>(await start(printAuditAside, call, services, wanted))

async function start<T>(
  run: (task: Parameters<typeof auditAside>[0], tell?: Progress) => Promise<T>,
  call: AuditingCall,
  { config }: Pick<Services, 'config'>,
  { startDate, endDate, now, snapshot, tell }: Wanted,
): Promise<T> {
  if (startDate > endDate) throw refuse(call, 'start_after_end')
  if (daysBetween(startDate, endDate) >= MAX_DAYS) throw refuse(call, 'range_too_long')
  try {
    const range = { startDate, endDate }
    const when = { today: dayOf(now), runAt: now.toISOString() }
    return await run({ databaseUrl: config.databaseUrl, range, snapshot, ...when }, tell)
  } catch (error) {
    throw error instanceof MissingTaxYear ? refuse(call, 'no_tables', { values: { year: error.year } }) : error
  }
}
