import { companyDay } from '@limber/contract/kit/company.ts'
import { DAY, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { measureCity } from './measure-city.ts'
import { findUnmarked, insertMark } from './task.queries.ts'

const BATCH_SIZE = 200

/** Measures the cities of tasks that are 30, 60 or 90 days old, as of the day each mark was due. */
export async function markTasks(db: Db, now: Date): Promise<number> {
  let marks = 0
  for (;;) {
    const due = await findUnmarked(db, now, BATCH_SIZE)
    for (const { id, city_name, created_at, after_days } of due) {
      const day = companyDay(shift(created_at, after_days * DAY))
      await insertMark(db, id, after_days, await measureCity(db, city_name, day), now)
    }
    marks += due.length
    if (due.length < BATCH_SIZE) return marks
  }
}
