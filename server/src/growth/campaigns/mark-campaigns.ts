import type { CampaignResult } from '@limber/contract/growth/campaigns/result.ts'
import type { TaskFigures } from '@limber/contract/growth/tasks/task.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { readDollars, writeDollars } from '@limber/contract/kit/dollars.ts'
import { type Db, inTransaction } from '#platform/db/db.ts'
import { findPlaceNamed, measurePlace } from '../tasks/measure-city.ts'
import { presentResult } from './result.present.ts'
import { type DueMark, findDueMarks, findResult, findSimilarZones, putMark, setControls } from './result.queries.ts'

const BATCH_SIZE = 200
/** One zone alone moves by chance; more than a few are no longer similar. */
const MAX_CONTROLS = 5

/** The result of a campaign; null for one that was not started for a place. */
export async function findCampaignResult(db: Db, campaignId: number): Promise<CampaignResult | null> {
  const row = await findResult(db, campaignId)
  return row ? presentResult(row) : null
}

const NOTHING: TaskFigures = { users: 0, activeUsers: 0, sessions: 0, revenue: 0 }
const sumOf = (all: readonly TaskFigures[]) =>
  all.reduce(
    (sum, one) => ({
      users: sum.users + one.users,
      activeUsers: sum.activeUsers + one.activeUsers,
      sessions: sum.sessions + one.sessions,
      revenue: writeDollars(readDollars(sum.revenue) + readDollars(one.revenue)),
    }),
    NOTHING,
  )

async function takeMark(db: Db, { campaign_id, after_days, day, city_name, controls }: DueMark) {
  const figures = await measurePlace(db, await findPlaceNamed(db, city_name), day)
  const similar =
    controls ?? (await findSimilarZones(db, { cityName: city_name, users: figures.users, day }, MAX_CONTROLS))
  if (!controls) await setControls(db, campaign_id, similar)
  const measured: TaskFigures[] = []
  for (const zoneId of similar) measured.push(await measurePlace(db, { zoneId }, day))
  await putMark(db, { campaign_id, after_days, day, figures, control: similar.length === 0 ? null : sumOf(measured) })
}

/** Measures the places of campaigns before their start and after 30, 60 and 90 days, once each day is over. */
export async function markCampaigns(db: Db, now: Date): Promise<number> {
  let marks = 0
  for (;;) {
    const due = await findDueMarks(db, companyDay(now), BATCH_SIZE)
    const done = new Set<number>()
    for (const mark of due) {
      // The first mark of a campaign chooses its similar zones; the others are found with them in the next batch.
      if (mark.controls === null && done.has(mark.campaign_id)) continue
      await inTransaction(db, (tx) => takeMark(tx, mark))
      done.add(mark.campaign_id)
      marks += 1
    }
    if (due.length === 0) return marks
  }
}
