import { companyDay } from '@limber/contract/kit/company.ts'
import { SECOND, stopwatch } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#platform/services.ts'
import { describeError } from '#platform/telemetry/log.ts'
import { fillPartners } from '../partners/partner-refresh.queries.ts'
import { fillReferrals } from '../referrals/referral-refresh.queries.ts'
import { fillOutliers } from './fill-outliers.ts'
import { asRefresher, fillFromRows, putState, readSignature, readState, tellScreens } from './refresh.queries.ts'

const LOOK_EVERY = 5 * SECOND
/** A refresh may take a fiftieth of the time: a small company's figures are seconds old, a large one's minutes. */
const REST = 50

/** Computes all figures from the rows, inside a transaction of the caller. */
export async function fillFigures(db: Db, now: Date, signature: string) {
  const elapsed = stopwatch()
  const day = companyDay(now)
  await fillFromRows(db, day)
  await fillOutliers(db)
  await fillReferrals(db)
  await fillPartners(db, day)
  await putState(db, { day, refreshed_at: now, took_ms: Math.ceil(elapsed()), signature })
}

/** Refreshes the figures now; false when another process is at it. */
export async function refreshFigures({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<boolean> {
  const signature = await readSignature(db)
  const done = await asRefresher(db, async (tx) => {
    await fillFigures(tx, clock.now(), signature)
    await tellScreens(tx)
    return true
  })
  return done ?? false
}

/** Refreshes when something was written since, or a day has begun, and the last refresh has been paid off by rest. */
export async function refreshWhenDue(services: Pick<Services, 'db' | 'clock'>): Promise<boolean> {
  const now = services.clock.now()
  const state = await readState(services.db)
  if (state) {
    const rested = now.getTime() - state.refreshed_at.getTime() >= state.took_ms * REST
    if (!rested) return false
    if (state.day === companyDay(now) && state.signature === (await readSignature(services.db))) return false
  }
  return refreshFigures(services)
}

/** Keeps the figures current, in every process; the one that gets the lock does the work. */
export function keepFigures(services: Services): { close(): Promise<void> } {
  let refreshing: Promise<unknown> | undefined
  const timer = setInterval(() => {
    refreshing ??= refreshWhenDue(services)
      .catch((error) => services.log.warn('growth figures wait for the database', describeError(error)))
      .finally(() => {
        refreshing = undefined
      })
  }, LOOK_EVERY)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await refreshing
    },
  }
}
