import { companyDay } from '@limber/contract/kit/company.ts'
import type { Services } from '#platform/services.ts'
import { refreshFigures } from './keep-figures.ts'
import { readSignature, readState } from './refresh.queries.ts'

export interface Standing {
  day: string
  refreshedAt: Date
}

/** Until when the figures are known to hold: until now, when nothing was written since they were computed. */
export async function knownUntil({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<Date | null> {
  const state = await readState(db)
  if (!state) return null
  const isCurrent = state.day === companyDay(clock.now()) && state.signature === (await readSignature(db))
  return isCurrent ? clock.now() : state.refreshed_at
}

/** As of when the figures stand. A company whose figures were never computed gets them now. */
export async function currentFigures({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<Standing> {
  let state = await readState(db)
  if (!state) {
    await refreshFigures({ db, clock })
    state = await readState(db)
  }
  // Another process is at its first refresh: the tables are still empty, and so are the figures.
  const { day, refreshed_at } = state ?? { day: companyDay(clock.now()), refreshed_at: clock.now() }
  return { day, refreshedAt: refreshed_at }
}
