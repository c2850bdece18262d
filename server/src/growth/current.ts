import { companyDay } from '@limber/contract/kit/company.ts'
import type { Services } from '#platform/services.ts'
import { refreshFigures } from './keep-figures.ts'
import { readState } from './refresh.queries.ts'

export interface Standing {
  day: string
  refreshedAt: Date
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
