import type pg from 'pg'
import { copyRows } from '../db/copy.ts'
import { sqlState } from '../db/db.ts'

/** One usage event, as the analytics dashboard counts it. */
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
  requestId?: string | undefined
  /** The error of a failed call, without secrets. */
  failure?: Failure | undefined
}

export interface Failure {
  code?: string | undefined
  text: string
  /** The kind of error and its source location; never its message. */
  cause?: string | undefined
}

export interface StoredEvent extends UsageEvent {
  /** A UUID. */
  id: string
}

/**
 * What a batch adds to the figures, column by column. `action` and `path` are indexes into `names`. In `user`, customers
 * are positive ids, workers negative ones, and anonymous callers 0. `time` is in hundredths of a millisecond.
 */
export interface EventDelta {
  names: string[]
  at: number[]
  action: number[]
  path: number[]
  user: number[]
  time: number[]
  failed: number[]
}

const EVENT_COLUMNS = [
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

const FAILURE_COLUMNS = [
  'event_id',
  'at',
  'source',
  'user_id',
  'worker_id',
  'method',
  'url',
  'path',
  'status',
  'ms',
  'address',
  'request_id',
  'code',
  'text',
  'cause',
] as const

const UNIQUE_VIOLATION = '23505'
const MAX_URL_LENGTH = 500

// Response times are stored in hundredths of a millisecond.
const hundredths = (ms: number) => Math.round(ms * 100)

const eventRow = (event: StoredEvent) => [
  event.id,
  event.at,
  event.source,
  event.userId,
  event.workerId,
  event.actionType,
  event.outcome,
  event.method,
  event.url.slice(0, MAX_URL_LENGTH),
  event.path,
  event.status,
  hundredths(event.ms) / 100,
  event.address,
]

// A query string may contain anything, so the error log leaves it out.
const failureRow = (event: StoredEvent) => [
  event.id,
  event.at,
  event.source,
  event.userId,
  event.workerId,
  event.method,
  event.url.split('?')[0]?.slice(0, MAX_URL_LENGTH),
  event.path,
  event.status,
  hundredths(event.ms) / 100,
  event.address,
  event.requestId,
  event.failure?.code,
  event.failure?.text.slice(0, MAX_URL_LENGTH),
  event.failure?.cause,
]

const hasFailed = (event: StoredEvent) => event.outcome === 'failure'

const personOf = ({ userId, workerId }: UsageEvent) => userId ?? (workerId === undefined ? 0 : -workerId)

function deltaOf(events: readonly StoredEvent[]): EventDelta {
  const indexes = new Map<string, number>()
  const delta: EventDelta = { names: [], at: [], action: [], path: [], user: [], time: [], failed: [] }
  const indexOf = (name: string) => {
    const known = indexes.get(name)
    if (known !== undefined) return known
    indexes.set(name, delta.names.length)
    return delta.names.push(name) - 1
  }
  for (const event of events) {
    delta.at.push(event.at.getTime())
    delta.action.push(indexOf(event.actionType))
    delta.path.push(indexOf(event.path))
    delta.user.push(personOf(event))
    delta.time.push(hundredths(event.ms))
    delta.failed.push(hasFailed(event) ? 1 : 0)
  }
  return delta
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** Creates the partitions of a batch; `days` remembers those that this process has created. */
async function ensureDays(client: pg.ClientBase, batch: readonly UsageEvent[], days: Set<string>) {
  for (const day of new Set(batch.map((event) => dayOf(event.at)))) {
    if (days.has(day)) continue
    await client.query('select ensure_event_partition($1::date)', [day])
    days.add(day)
  }
}

/** Writes batches of events. */
export function makeEventStore(pool: pg.Pool) {
  const days = new Set<string>()

  /** Writes new events and their figures in one transaction; returns how many were new. */
  async function insert(events: readonly StoredEvent[], known: ReadonlySet<string>): Promise<number> {
    const fresh = known.size === 0 ? events : events.filter((event) => !known.has(event.id))
    if (fresh.length === 0) return 0
    const client = await pool.connect()
    let problem: Error | undefined
    try {
      await ensureDays(client, fresh, days)
      await client.query('begin')
      await copyRows(client, 'events', EVENT_COLUMNS, fresh.map(eventRow))
      const failed = fresh.filter(hasFailed)
      if (failed.length > 0) await copyRows(client, 'event_failures', FAILURE_COLUMNS, failed.map(failureRow))
      await client.query('insert into event_deltas (body) values ($1)', [JSON.stringify(deltaOf(fresh))])
      await client.query('commit')
      return fresh.length
    } catch (error) {
      problem = error as Error
      // A partition may have been dropped in the meantime.
      days.clear()
      await client.query('rollback').catch(() => {})
      if (sqlState(error) === UNIQUE_VIOLATION) problem = undefined
      throw error
    } finally {
      client.release(problem)
    }
  }

  return {
    /**
     * Writes events that are not stored yet; ids within a batch are unique. The unique index finds duplicates of the same
     * day. Late events are looked up in all days since `since`, because a retry may carry another day.
     */
    async write(
      events: readonly StoredEvent[],
      { late = [], since }: { late?: readonly StoredEvent[]; since?: Date } = {},
    ): Promise<{ written: number }> {
      let known = late.length > 0 ? await findKnown(pool, late, since) : new Set<string>()
      for (let attempt = 1; ; attempt++) {
        try {
          return { written: await insert(events, known) }
        } catch (error) {
          // Another request just wrote some of them.
          if (sqlState(error) !== UNIQUE_VIOLATION || attempt === 4) throw error
          known = await findKnown(pool, events)
        }
      }
    },
  }
}

export type EventStore = ReturnType<typeof makeEventStore>

async function findKnown(pool: pg.Pool, events: readonly StoredEvent[], since?: Date): Promise<Set<string>> {
  const ids = events.map((event) => event.id)
  const { rows } = await pool.query<{ id: string }>(
    'select id from events where id = any($1::uuid[]) and created_at >= $2',
    [ids, since ?? '-infinity'],
  )
  return new Set(rows.map((row) => row.id))
}
