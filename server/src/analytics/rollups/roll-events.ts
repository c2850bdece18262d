import { HOUR, MINUTE, SECOND } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#platform/services.ts'
import type { EventDelta } from '#platform/telemetry/event-store.ts'
import { describeError } from '#platform/telemetry/log.ts'
import { takeDeltas } from '#platform/telemetry/take-events.ts'
import { companyTime, dayStart, type LocalTime } from '../dashboard/local-time.rules.ts'
import { FIVE_MINUTES, floorTo } from '../dashboard/window.rules.ts'
import { type Dictionary, makeDictionary } from '../events/event-names.queries.ts'
import { MINUTE_RETENTION } from '../events/retention.rules.ts'
import { ALL_ACTIONS, Cells, DAY_TIER, FIVE_TIER, HOUR_TIER, MINUTE_TIER } from './cell.rules.ts'
import { rebuildRollups } from './rebuild-rollups.ts'
import {
  clearDays,
  firstHour,
  hasDeltas,
  mergeCells,
  notifyDashboards,
  putState,
  readState,
  sealDays,
  sealFives,
  withRollerLock,
} from './rollup.queries.ts'

const MAX_BATCHES = 100
const NOTIFY_INTERVAL = 3 * SECOND
/** Together with the buffering of calls, figures are at most about four seconds old. */
const ROLL_INTERVAL = 2 * SECOND

/** The end of the sealed days and of the sealed five-minute blocks. Sealed periods have their own rows. */
interface Sealed {
  daysUntil: number
  fivesUntil: number
}

/** Adds a batch to its minutes and hours, and to its day and five-minute block where those are already sealed. */
export async function addDelta(
  db: Db,
  delta: EventDelta,
  cells: Cells,
  { dictionary, local, sealed }: { dictionary: Dictionary; local: LocalTime; sealed: Sealed },
): Promise<void> {
  const { names, users } = dictionary
  const used = (places: readonly number[]) => [...new Set(places)].map((place) => delta.names[place] ?? '')
  await names.ensure(db, 'action', used(delta.action))
  await names.ensure(db, 'path', used(delta.path))
  await users.ensure(db, delta.user)
  const idsOf = (kind: 'action' | 'path') => delta.names.map((name) => names.idOf(kind, name) ?? 0)
  const actionIds = idsOf('action')
  const pathIds = idsOf('path')
  for (const [place, at] of delta.at.entries()) {
    const path = pathIds[delta.path[place] ?? 0] ?? 0
    const user = users.numOf(delta.user[place] ?? 0)
    const time = delta.time[place] ?? 0
    const failed = delta.failed[place] ?? 0
    for (const action of [ALL_ACTIONS, actionIds[delta.action[place] ?? 0] ?? 0]) {
      cells.of(MINUTE_TIER, floorTo(at, MINUTE), action).add(path, user, time, failed)
      cells.of(HOUR_TIER, floorTo(at, HOUR), action).add(path, user, time, failed)
      if (at < sealed.fivesUntil) cells.of(FIVE_TIER, floorTo(at, FIVE_MINUTES), action).add(path, user, time, failed)
      if (at < sealed.daysUntil) cells.of(DAY_TIER, dayStart(local, at), action).add(path, user, time, failed)
    }
  }
}

// The dashboard's own calls are events too. Notifying about them would make it reload forever.
const isRelevant = (delta: EventDelta) =>
  delta.names.some((name) => name.startsWith('/') && !name.startsWith('/api/analytics/'))

type Needs = Pick<Services, 'db' | 'clock'>

/** Rolls up committed batches. Each counts once: the transaction that adds it also deletes it. */
export function makeRoller({ db, clock }: Needs, local: LocalTime = companyTime) {
  let dictionary = makeDictionary()
  let notifiedAt = Number.NEGATIVE_INFINITY
  let hasChanges = false
  let isReady = false
  let sealedDay = Number.NaN

  async function rollOnce(): Promise<number> {
    try {
      const taken = await withRollerLock(db, async (tx) => {
        const sealed = await catchUp(tx, clock.now().getTime())
        const bodies = await takeDeltas(tx, MAX_BATCHES)
        const cells = new Cells()
        for (const body of bodies) {
          const delta = JSON.parse(body) as EventDelta
          hasChanges ||= isRelevant(delta)
          await addDelta(tx, delta, cells, { dictionary, local, sealed })
        }
        await mergeCells(tx, cells)
        if (hasChanges && performance.now() - notifiedAt >= NOTIFY_INTERVAL) {
          notifiedAt = performance.now()
          hasChanges = false
          await notifyDashboards(tx)
        }
        return bodies.length
      })
      return taken ?? 0
    } catch (error) {
      // Names added in the transaction are rolled back.
      dictionary = makeDictionary()
      throw error
    }
  }

  /** Seals what has ended: local days (all of them after a change of the time zone) and five-minute blocks. */
  async function catchUp(tx: Db, now: number): Promise<Sealed> {
    const state = await readState(tx)
    const daysUntil = await catchUpDays(tx, state, dayStart(local, now))
    const known = state?.fives_until?.getTime() ?? Number.NEGATIVE_INFINITY
    const fivesUntil = floorTo(now, FIVE_MINUTES)
    if (known >= fivesUntil) return { daysUntil, fivesUntil: known }
    await sealFives(tx, Math.max(known, fivesUntil - MINUTE_RETENTION), fivesUntil)
    return { daysUntil, fivesUntil }
  }

  async function catchUpDays(tx: Db, state: Awaited<ReturnType<typeof readState>>, today: number): Promise<number> {
    if (state?.zone === local.zone && state.sealed_until.getTime() >= today) return state.sealed_until.getTime()
    const isOtherZone = state !== undefined && state.zone !== local.zone
    if (isOtherZone) await clearDays(tx)
    const from = isOtherZone ? await firstHour(tx) : state?.sealed_until
    if (from) await sealDays(tx, local, dayStart(local, from.getTime()), today)
    await putState(tx, local.zone, today)
    return today
  }

  return {
    /** Rolls up all waiting batches. */
    async roll(): Promise<void> {
      // There are events from before rollups existed.
      if (!isReady && !(await readState(db))) {
        await rebuildRollups({ db, clock }, local)
        hasChanges = true
      }
      isReady = true
      const today = dayStart(local, clock.now().getTime())
      if (today === sealedDay && !hasChanges && !(await hasDeltas(db))) return
      while ((await rollOnce()) === MAX_BATCHES) {
        // More may wait.
      }
      sealedDay = today
    },
  }
}

/** Keeps the figures up to date. Every process runs this; the one that gets the lock does the work. */
export function startRolling(services: Services): { close(): Promise<void> } {
  const roller = makeRoller(services)
  let rolling: Promise<void> | undefined
  const timer = setInterval(() => {
    rolling ??= roller
      .roll()
      .catch((error) => services.log.warn('usage figures not rolled up, will retry', describeError(error)))
      .finally(() => {
        rolling = undefined
      })
  }, ROLL_INTERVAL)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await rolling
    },
  }
}
