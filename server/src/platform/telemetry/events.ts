import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { DAY, SECOND } from '../clock.ts'
import { makeEventStore, type StoredEvent, type UsageEvent } from './event-store.ts'
import { describeError, type Log } from './log.ts'

export interface EventRecorder {
  /** Adds an event to the next batch. */
  record(event: UsageEvent): void
  /** Writes the waiting events. */
  flush(): Promise<void>
  /** How many events are waiting, and why the last batch failed. */
  backlog(): { waiting: number; problem: string | null }
  close(): Promise<void>
}

const BATCH = 500
const FLUSH_EVERY = 1.5 * SECOND
const MAX_WAITING = 50_000

/** Writes events in batches with COPY, so that recording does not slow down calls. */
export function makeEventRecorder(pool: pg.Pool, log: Log): EventRecorder {
  const store = makeEventStore(pool)
  let waiting: StoredEvent[] = []
  let writing: Promise<void> | undefined
  let problem: string | null = null

  async function write() {
    const batch = waiting
    waiting = []
    try {
      await store.write(batch)
      problem = null
    } catch (error) {
      problem = String(describeError(error).reason ?? 'failed')
      waiting = [...batch, ...waiting].slice(-MAX_WAITING)
      log.warn('events are waiting for the database', { count: waiting.length, ...describeError(error) })
    }
  }
  async function flush() {
    await writing
    if (waiting.length === 0) return
    writing = write().finally(() => {
      writing = undefined
    })
    await writing
  }
  const timer = setInterval(() => void flush(), FLUSH_EVERY)
  timer.unref()
  return {
    record(event) {
      if (waiting.length >= MAX_WAITING) return
      // The id is assigned here, so that a batch with a lost commit is recognized when it is retried.
      waiting.push({ ...event, id: randomUUID() })
      if (waiting.length >= BATCH && !writing) void flush()
    },
    flush,
    backlog: () => ({ waiting: waiting.length, problem }),
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

/** Creates the partitions of the next days ahead of time. */
export async function createEventPartitions(pool: pg.Pool, from: Date, count: number) {
  for (let i = 0; i < count; i++) {
    await pool.query('select ensure_event_partition($1::date)', [
      new Date(from.getTime() + i * DAY).toISOString().slice(0, 10),
    ])
  }
}
