import type pg from 'pg'
import { copyRows } from '../db/copy.ts'
import { sqlState } from '../db/db.ts'

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
  requestId?: string | undefined
  /** What a failed call said, without anything secret. */
  failure?: Failure | undefined
}

export interface Failure {
  code?: string | undefined
  text: string
  /** The kind of error and its place in the source; never its message. */
  cause?: string | undefined
}

export interface StoredEvent extends UsageEvent {
  /** A UUID. */
  id: string
}

/**
 * What a batch adds to the figures, column by column. Names are places in `names`; customers have positive numbers,
 * workers negative ones, nobody 0; times are hundredths of a millisecond.
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

// Response times are kept to the hundredth of a millisecond.
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

// What stands behind the question mark may be anything; the error log does without it.
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
  const places = new Map<string, number>()
  const delta: EventDelta = { names: [], at: [], action: [], path: [], user: [], time: [], failed: [] }
  const place = (name: string) => {
    const known = places.get(name)
    if (known !== undefined) return known
    places.set(name, delta.names.length)
    return delta.names.push(name) - 1
  }
  for (const event of events) {
    delta.at.push(event.at.getTime())
    delta.action.push(place(event.actionType))
    delta.path.push(place(event.path))
    delta.user.push(personOf(event))
    delta.time.push(hundredths(event.ms))
    delta.failed.push(hasFailed(event) ? 1 : 0)
  }
  return delta
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** Makes the partitions that a batch falls into; each day is asked for once per process. */
async function ensureDays(client: pg.ClientBase, batch: readonly UsageEvent[], days: Set<string>) {
  for (const day of new Set(batch.map((event) => dayOf(event.at)))) {
    if (days.has(day)) continue
    await client.query('select ensure_event_partition($1::date)', [day])
    days.add(day)
  }
}

/** Writes batches of events; keeps in mind which days have their partition. */
export function makeEventStore(pool: pg.Pool) {
  const days = new Set<string>()

  /** Writes what is not there yet, with its share of the figures, in one transaction; says how many were new. */
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
      // A day that was dropped meanwhile is asked for again.
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
     * Writes events that are not there yet; ids within one batch differ. The index of its day knows an id that was
     * written before. Those that are late are looked for in all days from `since` on, as they may come for another day.
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
          // Another request has just written some of them.
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
