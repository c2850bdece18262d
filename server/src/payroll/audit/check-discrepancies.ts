import { addDays } from '@limber/contract/kit/days.ts'
import { type CheckReply, DEFAULT_DAYS, runAudit } from '@limber/contract/payroll/audit/audit.ts'
import { HOUR, MINUTE, shift } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/db.ts'
import type { Services } from '#platform/services.ts'
import { dayOf } from '../entries/period.rules.ts'
import { type CheckRow, claimCheck, endCheck, findLastCheck } from './check.queries.ts'
import { startAudit } from './start-audit.ts'

type CheckResult = NonNullable<CheckReply['result']>

/** The last 30 days, including today. */
export function lastDays(now: Date) {
  const endDate = dayOf(now)
  return { startDate: addDays(endDate, 1 - DEFAULT_DAYS), endDate }
}

async function runCheck(services: Services, now: Date): Promise<CheckResult> {
  const found = await startAudit(runAudit, services, { ...lastDays(now), now })
  return {
    period_start: found.period_start,
    period_end: found.period_end,
    total_entries_checked: found.total_entries_checked,
    total_discrepancies: found.total_discrepancies,
    significant: found.significant ?? 0,
    warnings: found.warnings ?? 0,
    total_employee_discrepancy: found.total_employee_discrepancy,
    total_employer_discrepancy: found.total_employer_discrepancy,
  }
}

const reply = (ran: boolean, { started_at, state, result, fixed_since }: CheckRow): CheckReply => ({
  ran,
  state,
  checked_at: started_at.toISOString(),
  next_check_at: shift(started_at, HOUR).toISOString(),
  fixed_since,
  result: result as CheckResult | null,
})

/** Checks for discrepancies, or returns the last result if a check ran within the last hour. */
export async function checkOnce(
  services: Services,
  { workerId, grace = 0 }: { workerId: number | null; grace?: number },
): Promise<CheckReply> {
  const { db, clock } = services
  const now = clock.now()
  const id = await inTransaction(db, (tx) => claimCheck(tx, now, shift(now, grace - HOUR), workerId))
  const last = async () => {
    const found = await findLastCheck(db, now)
    if (!found) throw new Error('A check was refused but no earlier one exists')
    return found
  }
  if (id === undefined) return reply(false, await last())
  try {
    const result = await runCheck(services, now)
    await endCheck(db, id, 'done', result, clock.now())
    return reply(true, { id, started_at: now, state: 'done', result, fixed_since: false })
  } catch (error) {
    await endCheck(db, id, 'failed', null, clock.now())
    throw error
  }
}

/** The schedule may fire slightly early; that must not skip its hour. */
export const SCHEDULE_GRACE = 1 * MINUTE
