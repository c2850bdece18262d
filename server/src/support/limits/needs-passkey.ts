import { companyDay, companyZone } from '@limber/contract/kit/company.ts'
import { PASSKEY_ABOVE } from '@limber/contract/support/notifications/notification.ts'
import { HOUR, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { refusals } from '#platform/http/refusal.ts'
import type { Caller } from '#platform/http/routes.ts'
import { isSteppedUp } from '#platform/security/guard-request.ts'
import { findLimits } from '#platform/security/limits-setting.ts'
import { countAdjustedCredits, countBulkRecipients, lockWorkerLimits } from './worker-limits.queries.ts'

/** Whether this many more people within the hour require a passkey. Splitting a list does not avoid it. */
export const exceedsBulkLimit = async (db: Db, workerId: number, people: number, now: Date): Promise<boolean> =>
  people + (await countBulkRecipients(db, workerId, shift(now, -HOUR))) > PASSKEY_ABOVE

/** Requires a passkey when a worker writes to more than 100 people within an hour. */
export async function checkBulkLimit(db: Db, worker: Caller, people: number, now: Date): Promise<void> {
  if (isSteppedUp(worker, now)) return
  await lockWorkerLimits(db, worker.workerId)
  if (await exceedsBulkLimit(db, worker.workerId, people, now)) throw refusals.stepUp()
}

/** Whether a worker without a recent passkey confirmation may not grant or remove this many more credits today. */
export async function exceedsCreditLimit(db: Db, worker: Caller, delta: number, now: Date): Promise<boolean> {
  if (isSteppedUp(worker, now)) return false
  const adjusted = await countAdjustedCredits(db, worker.workerId, companyDay(now), companyZone())
  const { creditsPerDay } = await findLimits(db)
  return adjusted + Math.abs(delta) > creditsPerDay
}

/** Requires a passkey when a worker grants and removes more credits in a company day than the limit allows. */
export async function checkCreditLimit(db: Db, worker: Caller, delta: number, now: Date): Promise<void> {
  if (isSteppedUp(worker, now)) return
  await lockWorkerLimits(db, worker.workerId)
  if (await exceedsCreditLimit(db, worker, delta, now)) throw refusals.stepUp()
}
