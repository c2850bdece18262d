import { HOUR, MINUTE, SECOND } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#platform/services.ts'
import type { EventDelta } from '#platform/telemetry/event-store.ts'
import { describeError } from '#platform/telemetry/log.ts'
import { takeDeltas } from '#platform/telemetry/take-events.ts'
import { companyTime, dayStart, type LocalTime } from '../dashboard/local-time.rules.ts'
import { FIVE, floorTo } from '../dashboard/window.rules.ts'
import { type Dictionary, makeDictionary } from '../events/event-names.queries.ts'
import { MINUTES_KEPT } from '../events/retention.rules.ts'
import { ALL_ACTIONS, Cells, DAY_TIER, FIVE_TIER, HOUR_TIER, MINUTE_TIER } from './cell.rules.ts'
import { rebuildRollups } from './rebuild-rollups.ts'
import {
  asRoller,
  clearDays,
  firstHour,
  hasDeltas,
  mergeCells,
  putState,
  readState,
  sealDays,
  sealFives,
  tellDashboards,
} from './rollup.queries.ts'

const BATCHES = 100
const TELL_EVERY = 3 * SECOND
/** With the time in which calls are gathered, figures are at most some four seconds old. */
const ROLL_EVERY = 2 * SECOND

/** Up to where days, and five minutes each, have rows of their own. */
interface Sealed {
  daysUntil: number
  fivesUntil: number
}

/** Adds the events of a batch to the cells they fall into; to their day and five minutes only where these have rows already. */
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
      if (at < sealed.fivesUntil) cells.of(FIVE_TIER, floorTo(at, FIVE), action).add(path, user, time, failed)
      if (at < sealed.daysUntil) cells.of(DAY_TIER, dayStart(local, at), action).add(path, user, time, failed)
    }
  }
}

// The dashboard's own calls are events too; if they woke it, it would ask again for ever.
const isOfInterest = (delta: EventDelta) =>
  delta.names.some((name) => name.startsWith('/') && !name.startsWith('/api/analytics/'))

type Needs = Pick<Services, 'db' | 'clock'>

/** Rolls up what was committed. Each batch counts once: it is taken away in the transaction that adds it up. */
export function makeRoller({ db, clock }: Needs, local: LocalTime = companyTime) {
  let dictionary = makeDictionary()
  let toldAt = Number.NEGATIVE_INFINITY
  let hasNews = false
  let isReady = false
  let sealedDay = Number.NaN

  async function rollOnce(): Promise<number> {
    try {
      const taken = await asRoller(db, async (tx) => {
        const sealed = await catchUp(tx, clock.now().getTime())
        const bodies = await takeDeltas(tx, BATCHES)
        const cells = new Cells()
        for (const body of bodies) {
          const delta = JSON.parse(body) as EventDelta
          hasNews ||= isOfInterest(delta)
          await addDelta(tx, delta, cells, { dictionary, local, sealed })
        }
        await mergeCells(tx, cells)
        if (hasNews && performance.now() - toldAt >= TELL_EVERY) {
          toldAt = performance.now()
          hasNews = false
          await tellDashboards(tx)
        }
        return bodies.length
      })
      return taken ?? 0
    } catch (error) {
      // Names that were added are gone with the transaction.
      dictionary = makeDictionary()
      throw error
    }
  }

  /** Makes the rows of what has ended: local days, all of them when the zone was changed, and five minutes each. */
  async function catchUp(tx: Db, now: number): Promise<Sealed> {
    const state = await readState(tx)
    const daysUntil = await catchUpDays(tx, state, dayStart(local, now))
    const known = state?.fives_until?.getTime() ?? Number.NEGATIVE_INFINITY
    const fivesUntil = floorTo(now, FIVE)
    if (known >= fivesUntil) return { daysUntil, fivesUntil: known }
    await sealFives(tx, Math.max(known, fivesUntil - MINUTES_KEPT), fivesUntil)
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
    /** Rolls up everything that waits. */
    async roll(): Promise<void> {
      // Events from before there were rollups.
      if (!isReady && !(await readState(db))) {
        await rebuildRollups({ db, clock }, local)
        hasNews = true
      }
      isReady = true
      const today = dayStart(local, clock.now().getTime())
      if (today === sealedDay && !hasNews && !(await hasDeltas(db))) return
      while ((await rollOnce()) === BATCHES) {
        // More may wait.
      }
      sealedDay = today
    },
  }
}

/** Keeps the figures current, in every process; the one that gets the lock does the work. */
export function keepRolling(services: Services): { close(): Promise<void> } {
  const roller = makeRoller(services)
  let rolling: Promise<void> | undefined
  const timer = setInterval(() => {
    rolling ??= roller
      .roll()
      .catch((error) => services.log.warn('figures wait for the database', describeError(error)))
      .finally(() => {
        rolling = undefined
      })
  }, ROLL_EVERY)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await rolling
    },
  }
}
