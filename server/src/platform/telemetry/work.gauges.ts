import { sql } from 'kysely'
import { SECOND } from '../clock.ts'
import type { Gauges, Reading } from './gauges.ts'

/** Depths stop here, so that a scrape never reads more rows. */
export const MAX_DEPTH = 10_000

const seconds = (now: Date, since: Date | null) => (since ? Math.max(0, (now.getTime() - since.getTime()) / SECOND) : 0)

interface OutboxChannel {
  channel: string
  waiting: number
  oldest: Date | null
}

const outbox: Gauges = {
  name: 'outbox',
  help: {
    limber_outbox_due: `Messages that are due, by channel; at most ${MAX_DEPTH} in all.`,
    limber_outbox_oldest_seconds: 'For how long the oldest due message has been due, by channel.',
    limber_outbox_failed: `Messages that failed for good and wait for a person, by channel; at most ${MAX_DEPTH} in all.`,
  },
  labels: ['channel'],
  async read({ db, clock, channels }) {
    const now = clock.now()
    const [due, dead] = await Promise.all([
      sql<OutboxChannel>`
        select channel, count(*)::int as waiting, min(next_try_at) as oldest from (
          select channel, next_try_at from outbox where state = 'waiting' and next_try_at <= ${now}
          order by next_try_at limit ${sql.lit(MAX_DEPTH)}) d
        group by channel`.execute(db),
      sql<{ channel: string; n: number }>`
        select channel, count(*)::int as n from (
          select channel from outbox where state = 'dead' limit ${sql.lit(MAX_DEPTH)}) d
        group by channel`.execute(db),
    ])
    // Messages of a channel that nobody has set up wait for as long as that takes, which is nobody's fault.
    const known = (channel: string) => channels.has(channel)
    const names = new Set([...channels, ...dead.rows.map(({ channel }) => channel)])
    return [...names].flatMap((channel): Reading[] => {
      const found = due.rows.find((row) => row.channel === channel)
      const failed = dead.rows.find((row) => row.channel === channel)?.n ?? 0
      const labels = { channel }
      return [
        { name: 'limber_outbox_due', labels, value: known(channel) ? (found?.waiting ?? 0) : 0 },
        {
          name: 'limber_outbox_oldest_seconds',
          labels,
          value: known(channel) ? seconds(now, found?.oldest ?? null) : 0,
        },
        { name: 'limber_outbox_failed', labels, value: failed },
      ]
    })
  },
}

/** Depths are kept by the job library, which counts every five seconds. Only the head of each queue is read. */
const jobs: Gauges = {
  name: 'jobs',
  help: {
    limber_jobs_ready: 'Jobs that could start, by queue.',
    limber_jobs_active: 'Jobs that are running, by queue.',
    limber_jobs_failed: 'Jobs that failed for good and are kept, by queue.',
    limber_jobs_oldest_seconds: 'For how long the first job of a queue could have started.',
  },
  labels: ['queue'],
  async read({ db, clock }) {
    const there = await sql<{ is: boolean }>`select to_regclass('pgboss.queue') is not null as is`.execute(db)
    if (!there.rows[0]?.is) return []
    const now = clock.now()
    const { rows } = await sql<{ name: string; ready: number; active: number; failed: number; oldest: Date | null }>`
      select q.name, q.ready_count as ready, q.active_count as active, q.failed_count as failed, j.oldest
      from pgboss.queue q
      left join lateral (
        select greatest(created_on, start_after) as oldest from pgboss.job
        where name = q.name and state < 'active' and not blocked and start_after <= ${now}
        order by priority desc, created_on limit 1) j on true`.execute(db)
    return rows.flatMap(({ name: queue, ready, active, failed, oldest }) => {
      const labels = { queue }
      return [
        { name: 'limber_jobs_ready', labels, value: ready },
        { name: 'limber_jobs_active', labels, value: active },
        { name: 'limber_jobs_failed', labels, value: failed },
        { name: 'limber_jobs_oldest_seconds', labels, value: seconds(now, oldest) },
      ]
    })
  },
}

const schedules: Gauges = {
  name: 'schedules',
  help: { limber_schedule_overdue_seconds: 'For how long the most overdue schedule has been due.' },
  async read({ db, clock }) {
    const { rows } = await sql<{ oldest: Date | null }>`
      select min(next_run_at) as oldest from schedules where is_enabled`.execute(db)
    return [{ name: 'limber_schedule_overdue_seconds', value: seconds(clock.now(), rows[0]?.oldest ?? null) }]
  },
}

const database: Gauges = {
  name: 'database',
  help: {
    limber_database_writable: '1 while the database accepts writes.',
    limber_database_connections: 'Connections of all programs to the database server.',
    limber_database_max_connections: 'Connections that the database server allows.',
    limber_replica_lag_seconds: 'How far the slowest replica is behind.',
  },
  async read({ db, pool }) {
    const [problem, { rows }] = await Promise.all([
      pool.findWriteProblem(SECOND),
      sql<{ used: number; max: number; lag: number | null }>`
        select (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
          current_setting('max_connections')::int as max,
          (select extract(epoch from max(replay_lag))::float8 from pg_stat_replication) as lag`.execute(db),
    ])
    const [row] = rows
    return [
      { name: 'limber_database_writable', value: Number(!problem) },
      { name: 'limber_database_connections', value: row?.used ?? 0 },
      { name: 'limber_database_max_connections', value: row?.max ?? 0 },
      { name: 'limber_replica_lag_seconds', value: row?.lag ?? 0 },
    ]
  },
}

/** Gauges of the platform. */
export const workGauges: readonly Gauges[] = [outbox, jobs, schedules, database]
