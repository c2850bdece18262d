import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND, stopwatch } from '#platform/clock.ts'
import { runWork } from '#platform/db/work.ts'
import { randomToken } from '#platform/security/secrets.ts'
import type { Services } from '#platform/services.ts'
import { describeError } from '#platform/telemetry/log.ts'
import { measured } from '#platform/telemetry/telemetry.ts'
import { GONE, isSuccess, MAX_FAILING, nextAttempt } from './delivery.rules.ts'
import { CONNECTIONS, makePoster, type Poster } from './post-event.ts'
import {
  announceWebhooks,
  type Claimed,
  claimEndpoints,
  type Due,
  findDue,
  noteHealth,
  releaseLease,
  renewLease,
  type Settled,
  saveSettled,
  switchOff,
  waitForHeads,
} from './sender.queries.ts'
import { makeSigner } from './sign-event.ts'

const POLL_EVERY = 2 * SECOND
/** How often a lease is renewed, and changes of the endpoint are noticed. */
const RENEW_EVERY = 1 * SECOND
/** Outcomes of this many milliseconds are written together. */
const SETTLE_EVERY = 20
const ANNOUNCE_EVERY = 2 * SECOND
/** Deliveries in memory per endpoint. */
const AHEAD = 512

type Needs = Pick<Services, 'db' | 'clock' | 'log' | 'keyring' | 'config' | 'live' | 'telemetry' | 'tracer'>

/**
 * Delivers webhooks at least once. Any number of processes can run one: each endpoint belongs to one of them at a time, so
 * a slow endpoint does not delay others, and events of a record stay in order.
 */
export function makeWebhookSender(
  services: Needs,
  { timeout, pollEvery = POLL_EVERY }: { timeout?: number; pollEvery?: number } = {},
) {
  const { db, clock, log, config } = services
  const owner = randomToken(12)
  const sign = makeSigner(services.keyring)
  const poster = makePoster({
    allowPrivate: config.webhooks.allowPrivate,
    needsHttps: config.isHttps,
    ...(timeout !== undefined && { timeout }),
  })
  const pumps = new Map<number, ReturnType<typeof makePump>>()
  let looking: Promise<void> | undefined
  let shouldLookAgain = false
  let isClosed = false

  async function look() {
    for (const id of await claimEndpoints(db, owner, clock.now())) {
      const onEnd = () => pumps.delete(id)
      const pump = makePump({ ...services, owner, sign, poster, onEnd }, id)
      pumps.set(id, pump)
      // An event may have come after the last look.
      void pump.done.then((isOver) => (isOver ? run() : undefined))
    }
  }

  /** Starts what is due. Calls during a run lead to one more run. */
  function run(): Promise<void> {
    for (const pump of pumps.values()) pump.wake()
    if (isClosed) return Promise.resolve()
    shouldLookAgain = looking !== undefined
    looking ??= look()
      .catch((error) => log.warn('webhooks are waiting for the database', describeError(error)))
      .then(() => {
        looking = undefined
        return shouldLookAgain ? run() : undefined
      })
    return looking
  }

  const timer = setInterval(() => void run(), pollEvery)
  timer.unref()
  services.live.onWebhooks(() => void run())
  void run()
  return {
    run,
    async close() {
      isClosed = true
      clearInterval(timer)
      await looking
      const ending = [...pumps.values()].map((pump) => pump.stop())
      // Running requests may finish; hanging ones are left to the lease.
      await Promise.race([Promise.all(ending), new Promise((done) => setTimeout(done, 3 * SECOND).unref())])
      poster.close()
    },
  }
}

type PumpNeeds = Needs & { owner: string; sign: ReturnType<typeof makeSigner>; poster: Poster; onEnd: () => unknown }

/** Delivers for one endpoint until nothing is due. */
function makePump(needs: PumpNeeds, endpointId: number) {
  const { db, clock, log, owner, sign, poster } = needs
  /** Deliveries by record. One record's are sent one after the other. */
  const lanes = new Map<string, Due[]>()
  const ready: string[] = []
  const settled: Settled[] = []
  let inMemory = 0
  let active = 0
  let endpoint: Claimed | undefined
  let isStopped = false
  let isAwake = true
  let wakeUp = () => {}
  let announcedAt = Number.NEGATIVE_INFINITY
  const wake = () => {
    isAwake = true
    wakeUp()
  }

  function startReady() {
    for (let record = ready.shift(); record !== undefined; record = ready.shift()) {
      active += 1
      void deliverLane(record)
      if (active >= CONNECTIONS) return
    }
  }

  async function deliverLane(record: string) {
    const lane = lanes.get(record) ?? []
    for (const due of lane) {
      if (isStopped || !endpoint || !(endpoint.enabled || due.is_test)) break
      const to = endpoint
      const isDelivered = await measured(needs, 'webhook', String(endpointId), () => attempt(due, to))
      // The later ones wait for this one.
      if (!isDelivered) break
    }
    active -= 1
    // The lane stays closed until its outcome is written.
    written.push(record)
    wakeUp()
    startReady()
  }
  const written: string[] = []

  async function attempt(due: Due, { url, secrets }: Claimed): Promise<boolean> {
    const at = clock.now()
    const headers = await sign(due.event_id, at, due.body, secrets).catch((error: unknown) => {
      log.error('a webhook was not signed', describeError(error))
    })
    const { status, durationMs, error, reply } = headers
      ? await poster.post(url, headers, due.body)
      : { status: null, durationMs: 0, error: 'not_signed', reply: null }
    const isDone = isSuccess(status)
    const next = isDone || due.is_test ? undefined : nextAttempt(due.tries + 1, clock.now(), Math.random())
    settled.push({
      id: due.id,
      state: isDone ? 'delivered' : next ? 'waiting' : 'failed',
      next_attempt_at: next ?? null,
      attempt: { at, status, duration_ms: durationMs, error: isDone ? null : error },
      signature: headers?.['webhook-signature'] ?? '',
      reply,
      had_failed: due.tries > 0,
    })
    if (!due.is_test) outcomes.push(isDone ? 'working' : status === GONE ? 'gone' : 'failing')
    wakeUp()
    return isDone
  }
  const outcomes: ('working' | 'failing' | 'gone')[] = []

  /** Writes what has ended, all at once. */
  async function settle() {
    const batch = settled.splice(0)
    const records = written.splice(0)
    const seen = outcomes.splice(0)
    if (batch.length > 0) await saveSettled(db, endpointId, owner, batch, clock.now())
    for (const record of records) {
      inMemory -= lanes.get(record)?.length ?? 0
      lanes.delete(record)
    }
    if (seen.length > 0) await noteOutcomes(seen)
    if (batch.length > 0 && performance.now() - announcedAt > ANNOUNCE_EVERY) await announce()
  }

  let isHealthy = false
  async function noteOutcomes(seen: readonly ('working' | 'failing' | 'gone')[]) {
    const now = clock.now()
    if (seen.includes('gone')) return turnOff('gone')
    const isWorking = seen.includes('working')
    if (isWorking && isHealthy) return
    isHealthy = isWorking
    const since = await noteHealth(db, endpointId, { isWorking, now })
    if (!isWorking && since && now.getTime() - since.getTime() >= MAX_FAILING) await turnOff('failing')
  }

  const turnOff = (reason: 'gone' | 'failing') => {
    if (endpoint) endpoint.enabled = false
    return runWork(needs, { call: 'webhook sender' }, async ({ db: tx, now, audit, publish }) => {
      if (!(await switchOff(tx, endpointId, reason, now))) return
      audit({ action: 'webhook_switched_off', subject: 'webhook', subjectId: endpointId, after: { reason } })
      publish('webhooks')
    })
  }

  async function announce() {
    announcedAt = performance.now()
    await announceWebhooks(db)
  }

  /** Reads more deliveries. */
  async function fetch() {
    const busy = [...lanes.keys()]
    const due = await findDue(db, endpointId, busy, AHEAD - inMemory, clock.now())
    const found = Map.groupBy(due, ({ record }) => record)
    const blocked: number[] = []
    for (const [record, lane] of found) {
      lane.sort((a, b) => a.id - b.id)
      const [first] = lane
      if (!first || first.head !== first.id) {
        if (first) blocked.push(first.head)
        continue
      }
      lanes.set(record, lane)
      inMemory += lane.length
      ready.push(record)
    }
    if (blocked.length > 0) await waitForHeads(db, endpointId, blocked)
  }

  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, RENEW_EVERY)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function pump() {
    let renewed: ReturnType<typeof stopwatch> | undefined
    let looped = stopwatch()
    for (;;) {
      if (settled.length > 0 || written.length > 0) await settle()
      if (isStopped && active === 0 && settled.length === 0) return
      if (!isStopped) {
        if (!renewed || renewed() >= RENEW_EVERY) {
          endpoint = await renewLease(db, endpointId, owner, clock.now())
          // Deleted, or another process took over.
          if (!endpoint) return
          renewed = stopwatch()
        }
        if (inMemory < AHEAD / 2) {
          isAwake = false
          await fetch()
          startReady()
          if (lanes.size === 0 && settled.length === 0 && !isAwake) return
        }
      }
      const hasWork = settled.length > 0 || written.length > 0 || (isAwake && !isStopped && inMemory < AHEAD / 2)
      if (!hasWork) await pause()
      const early = SETTLE_EVERY - looped()
      if (early > 0 && active > 0) await sleep(early)
      looped = stopwatch()
    }
  }

  const end = async () => {
    isStopped = true
    needs.onEnd()
    await releaseLease(db, endpointId, owner)
    await announce()
  }
  const done: Promise<boolean> = pump().then(
    () =>
      end().then(
        () => true,
        () => false,
      ),
    async (error) => {
      log.warn('webhooks are waiting for the database', describeError(error))
      await end().catch(() => {})
      return false
    },
  )
  return {
    done,
    wake,
    stop() {
      isStopped = true
      wakeUp()
      return done
    },
  }
}
