import { sql } from 'kysely'
import { DAY, MINUTE, SECOND, shift } from '../clock.ts'
import type { Row } from '../db/db.ts'
import { claimed, isFree, LEASE, released } from '../jobs/lease.ts'
import { LIVE_CHANNEL, liveText } from '../live/notify.ts'
import { withoutSecrets } from '../security/scrub.ts'
import type { Services } from '../services.ts'
import { describeError } from '../telemetry/log.ts'
import { measured } from '../telemetry/telemetry.ts'
import { UndeliverableError } from './undeliverable.ts'

/** Delivers one message. Throws on failure, and `UndeliverableError` when a retry is pointless. */
export type Deliver = (payload: unknown, key: string) => Promise<{ outsideId?: string }>
export type Channels = Partial<Record<string, Deliver>>

/** Asks to retry later: the service says when, or another process is working on it. Does not count as a failed try. */
export class RetryLaterError extends Error {
  /** Milliseconds. */
  readonly wait: number
  constructor(message: string, wait: number) {
    super(message)
    this.wait = wait
  }
}

/** Nothing is set up yet that could deliver it. It waits for as long as that takes. */
export class NotConnectedError extends RetryLaterError {
  constructor() {
    super(NOT_CONNECTED, MINUTE)
  }
}

const NOT_CONNECTED = 'Nothing is set up that could deliver it.'

/**
 * Two kinds of tries do not count toward the limit: those before the last manual retry (`tries_before`), and those that
 * were asked to wait (`waits`, the first one at `waiting_since`).
 */
type Due = Pick<
  Row<'outbox'>,
  'id' | 'channel' | 'key' | 'payload' | 'tries' | 'tries_before' | 'waits' | 'waiting_since' | 'traceparent'
>

// A hanging delivery times out before its lease expires, so that no other courier delivers it in parallel.
const DELIVERY_TIMEOUT = 90 * SECOND
const MAX_TRIES = 10
// A message that is always asked to wait fails after this time.
const MAX_WAIT = DAY
const AT_ONCE = 10
const ANNOUNCE_EVERY = 2 * SECOND

function withTimeout<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('No response in time.')), DELIVERY_TIMEOUT)
  timer.unref()
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

/** Makes messages due that waited for a service to be set up. */
export const wakeUnconnected = ({ db, clock }: Pick<Services, 'db' | 'clock'>, channel: string) =>
  db
    .updateTable('outbox')
    .set({ next_try_at: clock.now() })
    .where('channel', '=', channel)
    .where('state', '=', 'waiting')
    .where('last_error', '=', NOT_CONNECTED)
    .execute()

/** Delivers outbox messages at least once, with retries and backoff. Any number of processes can run one. */
export function makeOutboxCourier(
  services: Pick<Services, 'db' | 'clock' | 'log' | 'keyring' | 'telemetry' | 'tracer'>,
  channels: Channels,
) {
  const { db, clock, log, keyring } = services
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  /** Makes a running round look for new messages. */
  let woken = Promise.withResolvers<void>()
  let isClosed = false
  let announcedAt = Number.NEGATIVE_INFINITY

  async function claim(limit: number): Promise<Due[]> {
    const now = clock.now()
    // Messages of other channels wait for a process that has them, or for the settings.
    const connected = Object.keys(channels)
    const { rows } = await sql<Due>`
      update outbox set tries = tries + 1, last_try_at = ${now}, leased_until = ${claimed.leased_until},
        next_try_at = ${shift(now, LEASE)}
      where id in (
        select id from outbox where state = 'waiting' and next_try_at <= ${now} and channel = any(${connected})
          and ${isFree}
        order by next_try_at limit ${limit} for update skip locked)
      returning id, channel, key, payload, tries, tries_before, waits, waiting_since, traceparent`.execute(db)
    return rows
  }

  async function deliver(due: Due) {
    const carry = channels[due.channel]
    try {
      if (!carry) throw new UndeliverableError(`No service is connected for ${due.channel}.`)
      const send = () => withTimeout(carry(JSON.parse(keyring.open('outbox', due.payload)), due.key))
      const { outsideId } = await measured(services, 'delivery', due.channel, send, due.traceparent)
      await db
        .updateTable('outbox')
        .set({ state: 'sent', sent_at: clock.now(), last_error: null, outside_id: outsideId ?? null, ...released })
        .where('id', '=', due.id)
        .execute()
    } catch (error) {
      await fail(due, error)
    }
  }

  async function fail(due: Due, error: unknown) {
    const now = clock.now()
    const tries = due.tries - due.tries_before - due.waits
    const isEarly = error instanceof RetryLaterError
    const since = due.waiting_since ?? now
    const isWaitOver = now >= shift(since, MAX_WAIT) && !(error instanceof NotConnectedError)
    const isOver = isEarly ? isWaitOver : tries >= MAX_TRIES
    const isDead = error instanceof UndeliverableError || isOver
    // An external server's error may quote the recipient or the content.
    const reason = withoutSecrets(String(describeError(error).reason ?? 'failed')).slice(0, 500)
    const usual = Math.min(2 ** tries * 5 * SECOND, 60 * MINUTE)
    const wait = isEarly ? error.wait : usual
    const level = error instanceof NotConnectedError ? 'debug' : 'warn'
    log[level](isDead ? 'delivery failed permanently' : 'delivery failed, will retry', {
      channel: due.channel,
      tries: due.tries,
      reason,
    })
    await db
      .updateTable('outbox')
      .set({
        state: isDead ? 'dead' : 'waiting',
        last_error: reason,
        next_try_at: shift(now, wait),
        ...released,
        ...(isEarly && { waits: due.waits + 1, waiting_since: since }),
      })
      .where('id', '=', due.id)
      // A message discarded during delivery must not be retried. Its state is compared in a way that no index fits: while
      // statistics know of no waiting messages, PostgreSQL would otherwise read all of them to find this one.
      .where('state', 'not in', ['sent', 'dead', 'discarded'])
      .execute()
  }

  // Tells open lists to refetch.
  async function announce() {
    announcedAt = performance.now()
    await sql`select pg_notify(${LIVE_CHANNEL}, ${liveText('integrations')})`.execute(db)
  }

  /** Delivers until nothing is due. A slow delivery does not hold up what becomes due in the meantime. */
  async function drain() {
    const inFlight = new Set<Promise<void>>()
    let isUnannounced = false
    while (!isClosed) {
      woken = Promise.withResolvers()
      const room = AT_ONCE - inFlight.size
      const due = room > 0 ? await claim(room) : []
      for (const each of due) {
        const delivery = deliver(each).finally(() => inFlight.delete(delivery))
        inFlight.add(delivery)
      }
      if (inFlight.size === 0) break
      await Promise.race([Promise.all(inFlight), woken.promise])
      isUnannounced = performance.now() - announcedAt < ANNOUNCE_EVERY
      if (!isUnannounced) await announce()
    }
    if (isUnannounced) await announce()
  }

  /** Delivers everything that is due. While a round is running, the call waits for another round after it. */
  function run(): Promise<void> {
    if (isClosed) return Promise.resolve()
    if (running) {
      woken.resolve()
      next ??= running.then(() => {
        next = undefined
        return run()
      })
      return next
    }
    running = drain()
      .catch((error) => log.warn('outbox is waiting for the database', describeError(error)))
      .finally(() => {
        running = undefined
      })
    return running
  }

  const timer = setInterval(() => void run(), 5 * SECOND)
  timer.unref()
  return {
    run,
    async close() {
      isClosed = true
      clearInterval(timer)
      // Running deliveries may finish; hanging ones are left to their lease.
      await Promise.race([running, new Promise((done) => setTimeout(done, 5 * SECOND).unref())])
    },
  }
}
