import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { DAY, SECOND } from './clock.ts'
import { copyRows } from './copy.ts'
import { describeError, type Log } from './log.ts'

/** One use of the product, as the analytics dashboard counts it. */
export interface UsageEvent {
  at: Date
  source: 'staff' | 'customer'
  userId?: number | undefined
  workerId?: number | undefined
  actionType: string
  outcome: string
  method: string
  url: string
  path: string
  status: number
  ms: number
  address?: string | undefined
}

export interface EventRecorder {
  /** Notes an event; it is written with its batch. */
  record(event: UsageEvent): void
  /** Writes what is waiting. */
  flush(): Promise<void>
  close(): Promise<void>
}

const BATCH = 500
const MOST_WAITING = 50_000
const COLUMNS = [
  'id',
  'created_at',
  'source',
  'user_id',
  'worker_id',
  'action_type',
  'event_outcome',
  'method',
  'url',
  'path',
  'response_status',
  'response_time',
  'ip_address',
] as const

/** Writes events in batches with COPY, so that recording a call costs the call nothing. */
export function makeEventRecorder(pool: pg.Pool, log: Log): EventRecorder {
  let waiting: UsageEvent[] = []
  let writing: Promise<void> | undefined
  const days = new Set<string>()

  async function write() {
    const batch = waiting
    waiting = []
    try {
      await writeEvents(pool, batch, days)
    } catch (error) {
      waiting = [...batch, ...waiting].slice(-MOST_WAITING)
      log.warn('events wait for the database', { count: waiting.length, ...describeError(error) })
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
  const timer = setInterval(() => void flush(), SECOND)
  timer.unref()
  return {
    record(event) {
      if (waiting.length >= MOST_WAITING) return
      waiting.push(event)
      if (waiting.length >= BATCH && !writing) void flush()
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

async function writeEvents(pool: pg.Pool, batch: readonly UsageEvent[], days: Set<string>) {
  const client = await pool.connect()
  let problem: Error | undefined
  try {
    await ensureDays(client, batch, days)
    await copyRows(
      client,
      'events',
      COLUMNS,
      batch.map((event) => [
        randomUUID(),
        event.at,
        event.source,
        event.userId,
        event.workerId,
        event.actionType,
        event.outcome,
        event.method,
        event.url.slice(0, 500),
        event.path,
        event.status,
        Math.round(event.ms * 100) / 100,
        event.address,
      ]),
    )
  } catch (error) {
    problem = error as Error
    throw error
  } finally {
    client.release(problem)
  }
}

/** Makes the partitions that a batch falls into; each day is asked for once per process. */
async function ensureDays(client: pg.ClientBase, batch: readonly UsageEvent[], days: Set<string>) {
  for (const day of new Set(batch.map((event) => event.at.toISOString().slice(0, 10)))) {
    if (days.has(day)) continue
    await client.query('select ensure_event_partition($1::date)', [day])
    days.add(day)
  }
}

/** Makes the partitions of the coming days ahead of time. */
export async function prepareEventDays(pool: pg.Pool, from: Date, count: number) {
  for (let i = 0; i < count; i++) {
    await pool.query('select ensure_event_partition($1::date)', [
      new Date(from.getTime() + i * DAY).toISOString().slice(0, 10),
    ])
  }
}
