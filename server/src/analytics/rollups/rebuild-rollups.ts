import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { HOUR, MINUTE } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#platform/services.ts'
import { forgetDeltas } from '#platform/telemetry/take-events.ts'
import { companyTime, dayStart, type LocalTime } from '../dashboard/local-time.rules.ts'
import { FIVE, floorTo } from '../dashboard/window.rules.ts'
import { type Dictionary, makeDictionary } from '../events/event-names.queries.ts'
import { MINUTES_KEPT } from '../events/retention.rules.ts'
import { ALL_ACTIONS, Cells, HOUR_TIER, MINUTE_TIER } from './cell.rules.ts'
import { readRawEvents } from './rebuild.queries.ts'
import {
  addCells,
  asLongRoller,
  clearDays,
  clearHours,
  firstHour,
  listPartitions,
  lockRolling,
  putState,
  sealDays,
  sealFives,
} from './rollup.queries.ts'

/**
 * Computes the rollups of every day whose events are kept from those events; older days keep theirs. It works on one
 * snapshot: batches in it count as rolled up, later ones wait for the roller.
 */
export const rebuildRollups = (
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  local: LocalTime = companyTime,
  tell: (line: string) => void = () => {},
): Promise<{ events: number }> => asLongRoller(db, (tx) => rebuildWithin(tx, clock.now(), local, tell))

/** The same inside a transaction that keeps writers of events out. */
export async function rebuildWithin(
  tx: Db,
  now: Date,
  local: LocalTime = companyTime,
  tell: (line: string) => void = () => {},
): Promise<{ events: number }> {
  const dictionary = makeDictionary()
  let events = 0
  await lockRolling(tx)
  await forgetDeltas(tx)
  for (const { name, from, to } of await listPartitions(tx)) {
    await clearHours(tx, from, to)
    events += await addDay(tx, dictionary, { from, to, minutesFrom: now.getTime() - MINUTES_KEPT })
    tell(`${name}: ${pluralize(events, 'event')} so far`)
  }
  const today = dayStart(local, now.getTime())
  await clearDays(tx)
  const first = await firstHour(tx)
  if (first) await sealDays(tx, local, dayStart(local, first.getTime()), today)
  await putState(tx, local.zone, today)
  const fivesUntil = floorTo(now.getTime(), FIVE)
  await sealFives(tx, fivesUntil - MINUTES_KEPT, fivesUntil)
  return { events }
}

const CELLS_MOST = 1_500

interface Day {
  from: Date
  to: Date
  minutesFrom: number
}

/** Events come in the order of time: cells of some hours are in memory at once, and an hour is written whole. */
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
        if (cells.size > CELLS_MOST) {
          await addCells(tx, cells)
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
  await addCells(tx, cells)
  return events
}
