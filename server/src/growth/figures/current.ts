import { companyDay } from '@limber/contract/kit/company.ts'
import type { Services } from '#platform/services.ts'
import { readSignature, readState } from './refresh.queries.ts'
import { refreshFigures } from './refresh-figures.ts'

export interface FiguresAsOf {
  day: string
  refreshedAt: Date
}

/** How recent the figures are: now, unless data changed since the last refresh. */
export async function findFiguresTime({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<Date | null> {
  const state = await readState(db)
  if (!state) return null
  const isCurrent = state.day === companyDay(clock.now()) && state.signature === (await readSignature(db))
  return isCurrent ? clock.now() : state.refreshed_at
}

/** The day and time of the current figures. Calculates them first if that never happened. */
export async function ensureFigures({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<FiguresAsOf> {
  let state = await readState(db)
  if (!state) {
    await refreshFigures({ db, clock })
    state = await readState(db)
  }
  // Another process runs the first refresh: the tables are still empty, and so are the figures.
  const { day, refreshed_at } = state ?? { day: companyDay(clock.now()), refreshed_at: clock.now() }
  return { day, refreshedAt: refreshed_at }
}
