import { companyDay } from '@limber/contract/kit/company.ts'
import { SECOND, stopwatch } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#platform/services.ts'
import { describeError } from '#platform/telemetry/log.ts'
import { fillPartners } from '../partners/partner-refresh.queries.ts'
import { fillReferrals } from '../referrals/referral-refresh.queries.ts'
import { fillOutliers } from './fill-outliers.ts'
import { fillFromRows, notifyScreens, putState, readSignature, readState, withRefreshLock } from './refresh.queries.ts'

const CHECK_INTERVAL = 5 * SECOND
/** Wait 50 times as long as the last refresh took: small companies get figures within seconds, large ones within minutes. */
const PAUSE_FACTOR = 50

/** Calculates all figures from the rows, in the caller's transaction. */
export async function fillFigures(db: Db, now: Date, signature: string) {
  const elapsed = stopwatch()
  const day = companyDay(now)
  await fillFromRows(db, day)
  await fillOutliers(db)
  await fillReferrals(db)
  await fillPartners(db, day)
  await putState(db, { day, refreshed_at: now, took_ms: Math.ceil(elapsed()), signature })
}

/** Refreshes the figures now; false when another process already does. */
export async function refreshFigures({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<boolean> {
  const signature = await readSignature(db)
  const done = await withRefreshLock(db, async (tx) => {
    await fillFigures(tx, clock.now(), signature)
    await notifyScreens(tx)
    return true
  })
  return done ?? false
}

/** Refreshes when data changed or a new day started, and enough time has passed since the last refresh. */
export async function refreshWhenDue(services: Pick<Services, 'db' | 'clock'>): Promise<boolean> {
  const now = services.clock.now()
  const state = await readState(services.db)
  if (state) {
    const hasPaused = now.getTime() - state.refreshed_at.getTime() >= state.took_ms * PAUSE_FACTOR
    if (!hasPaused) return false
    if (state.day === companyDay(now) && state.signature === (await readSignature(services.db))) return false
  }
  return refreshFigures(services)
}

/** Keeps the figures up to date. Every process runs this; the one that gets the lock does the work. */
export function startFigureRefresh(services: Services): { close(): Promise<void> } {
  let refreshing: Promise<unknown> | undefined
  const timer = setInterval(() => {
    refreshing ??= refreshWhenDue(services)
      .catch((error) => services.log.warn('growth figures not refreshed, will retry', describeError(error)))
      .finally(() => {
        refreshing = undefined
      })
  }, CHECK_INTERVAL)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await refreshing
    },
  }
}
