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
import { MissingTaxYearError } from '../tax/tables.rules.ts'
import { auditInThread, serializeAuditInThread } from './audit-thread.ts'
import type { Progress } from './run-audit.ts'

interface AuditOptions {
  startDate: string
  endDate: string
  now: Date
  snapshot?: string | undefined
  onProgress?: Progress | undefined
}

type AuditingCall = typeof runAudit | typeof previewFix | typeof fixDiscrepancies

/** Runs an audit for a call, or refuses an invalid range. */
export const startAudit = (call: AuditingCall, services: Pick<Services, 'config'>, options: AuditOptions) =>
  start<AuditResult>(auditInThread, call, services, options)

/** For a reply that consists of the audit only: serialized in the audit thread. */
export const startSerializedAudit = async (
  call: AuditingCall,
  services: Pick<Services, 'config'>,
  options: AuditOptions,
) => new SerializedReply<AuditResult>(await start(serializeAuditInThread, call, services, options))

async function start<T>(
  run: (task: Parameters<typeof auditInThread>[0], onProgress?: Progress) => Promise<T>,
  call: AuditingCall,
  { config }: Pick<Services, 'config'>,
  { startDate, endDate, now, snapshot, onProgress }: AuditOptions,
): Promise<T> {
  if (startDate > endDate) throw refuse(call, 'start_after_end')
  if (daysBetween(startDate, endDate) >= MAX_DAYS) throw refuse(call, 'range_too_long')
  try {
    const range = { startDate, endDate }
    const when = { today: dayOf(now), runAt: now.toISOString() }
    return await run({ databaseUrl: config.databaseUrl, range, snapshot, ...when }, onProgress)
  } catch (error) {
    throw error instanceof MissingTaxYearError ? refuse(call, 'no_tables', { values: { year: error.year } }) : error
  }
}
