import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { HOUR, MINUTE } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#platform/services.ts'
import { deleteDeltas } from '#platform/telemetry/take-events.ts'
import { companyTime, dayStart, type LocalTime } from '../dashboard/local-time.rules.ts'
import { FIVE_MINUTES, floorTo } from '../dashboard/window.rules.ts'
import { type Dictionary, makeDictionary } from '../events/event-names.queries.ts'
import { MINUTE_RETENTION } from '../events/retention.rules.ts'
import { ALL_ACTIONS, Cells, HOUR_TIER, MINUTE_TIER } from './cell.rules.ts'
import { readRawEvents } from './rebuild.queries.ts'
import {
  clearDays,
  clearHours,
  firstHour,
  listPartitions,
  lockRollers,
  putState,
  replaceCells,
  sealDays,
  sealFives,
  withExclusiveRollerLock,
} from './rollup.queries.ts'

/**
 * Recalculates the rollups of every day that still has events; older days keep theirs. Works on one snapshot: batches in
 * it count as rolled up, later ones wait for the roller.
 */
export const rebuildRollups = (
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  local: LocalTime = companyTime,
  report: (line: string) => void = () => {},
): Promise<{ events: number }> => withExclusiveRollerLock(db, (tx) => rebuild(tx, clock.now(), local, report))

/** The same within a transaction that locks out event writers. */
export async function rebuildWithin(tx: Db, now: Date): Promise<{ events: number }> {
  await lockRollers(tx)
  return rebuild(tx, now, companyTime, () => {})
}

/** As the only roller. */
async function rebuild(tx: Db, now: Date, local: LocalTime, report: (line: string) => void) {
  const dictionary = makeDictionary()
  let events = 0
  await deleteDeltas(tx)
  for (const { name, from, to } of await listPartitions(tx)) {
    await clearHours(tx, from, to)
    events += await addDay(tx, dictionary, { from, to, minutesFrom: now.getTime() - MINUTE_RETENTION })
    report(`${name}: ${pluralize(events, 'event')} so far`)
  }
  const today = dayStart(local, now.getTime())
  await clearDays(tx)
  const first = await firstHour(tx)
  if (first) await sealDays(tx, local, dayStart(local, first.getTime()), today)
  await putState(tx, local.zone, today)
  const fivesUntil = floorTo(now.getTime(), FIVE_MINUTES)
  await sealFives(tx, fivesUntil - MINUTE_RETENTION, fivesUntil)
  return { events }
}

const MAX_CELLS = 1_500

interface Day {
  from: Date
  to: Date
  minutesFrom: number
}

/** Events are sorted by time: a few hours of cells are in memory at once, and each hour is written in one go. */
async function addDay(tx: Db, { names, users }: Dictionary, { from, to, minutesFrom }: Day): Promise<number> {
  let cells = new Cells()
  let hour = Number.NaN
  let events = 0
  for await (const rows of readRawEvents(tx, from, to)) {
    await names.ensure(tx, 'action', new Set(rows.map((row) => row.action_type)))
    await names.ensure(tx, 'path', new Set(rows.map((row) => row.path)))
    await users.ensure(tx, new Set(rows.map((row) => row.person)))
    for (const { at, action_type, path: name, person, time, failed } of rows) {
      if (Math.floor(at / HOUR) !== hour) {
        if (cells.size > MAX_CELLS) {
          await replaceCells(tx, cells)
          cells = new Cells()
        }
        hour = Math.floor(at / HOUR)
      }
      const path = names.idOf('path', name) ?? 0
      const user = users.numOf(person)
      for (const action of [ALL_ACTIONS, names.idOf('action', action_type) ?? 0]) {
        cells.of(HOUR_TIER, hour * HOUR, action).add(path, user, time, failed)
        if (at >= minutesFrom)
          cells.of(MINUTE_TIER, Math.floor(at / MINUTE) * MINUTE, action).add(path, user, time, failed)
      }
    }
    events += rows.length
  }
  await replaceCells(tx, cells)
  return events
}
