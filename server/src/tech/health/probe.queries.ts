import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

/** The first row of a statement that always returns one. */
async function one<T>(db: Db, statement: ReturnType<typeof sql<T>>): Promise<T> {
  const [row] = (await statement.execute(db)).rows
  if (!row) throw new Error('The database returned no row.')
  return row
}

export const pingDatabase = (db: Db) => one(db, sql<{ one: number }>`select 1 as one`)

export const readDatabase = (db: Db) =>
  one(
    db,
    sql<{ version: string; size: number; used: number; max: number; waiting: number }>`
      select current_setting('server_version') as version, pg_database_size(current_database()) as size,
        (select count(*) from pg_stat_activity where backend_type = 'client backend') as used,
        current_setting('max_connections')::int as max,
        (select count(*) from pg_stat_activity where wait_event_type = 'Lock') as waiting`,
  )

/** The largest tables; partitions count as one table. */
export async function readLargestTables(db: Db, limit: number): Promise<{ name: string; size: number }[]> {
  const { rows } = await sql<{ name: string; size: number }>`
    select coalesce(p.inhparent, c.oid)::regclass::text as name, sum(pg_total_relation_size(c.oid))::bigint as size
    from pg_class c
    left join pg_inherits p on p.inhrelid = c.oid
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
    group by 1 order by 2 desc limit ${limit}`.execute(db)
  return rows
}

/** Due background jobs and the oldest of them. Undefined when no process has run jobs yet. */
export async function readQueue(db: Db, now: Date) {
  const there = await one(db, sql<{ is_there: boolean }>`select to_regclass('pgboss.job') is not null as is_there`)
  if (!there.is_there) return undefined
  return one(
    db,
    sql<{ due: number; active: number; failed: number; oldest: Date | null }>`
      select count(*) filter (where state in ('created', 'retry') and start_after <= ${now}) as due,
        count(*) filter (where state = 'active') as active,
        count(*) filter (where state = 'failed' and completed_on > ${now}::timestamptz - interval '24 hours') as failed,
        min(start_after) filter (where state in ('created', 'retry') and start_after <= ${now}) as oldest
      from pgboss.job`,
  )
}

interface EnabledSchedule {
  title: string
  next_run_at: Date | null
  /** Whether its last run failed. */
  is_failed: boolean
}

export async function findEnabledSchedules(db: Db): Promise<EnabledSchedule[]> {
  const { rows } = await sql<EnabledSchedule>`
    select s.title, s.next_run_at, coalesce(r.state = 'failed', false) as is_failed
    from schedules s
    left join lateral (
      select state from schedule_runs where schedule = s.name and state in ('done', 'failed') order by id desc limit 1
    ) r on true
    where s.is_enabled order by s.title`.execute(db)
  return rows
}

/** Outbox counts. Only connected channels can be overdue. */
export const readOutbox = (db: Db, now: Date, connected: readonly string[]) =>
  one(
    db,
    sql<{ waiting: number; retrying: number; dead: number; oldest: Date | null }>`
      select count(*) filter (where state = 'waiting' and tries <= tries_before) as waiting,
        count(*) filter (where state = 'waiting' and tries > tries_before) as retrying,
        count(*) filter (where state = 'dead') as dead,
        min(next_try_at) filter (where state = 'waiting' and next_try_at <= ${now} and channel = any(${connected})) as oldest
      from outbox where state in ('waiting', 'dead')`,
  )

/** Connected replicas and their lag. */
export async function readReplicas(db: Db) {
  const { rows } = await sql<{ name: string; state: string; bytes: number | null; seconds: number | null }>`
    select coalesce(nullif(application_name, ''), 'replica') as name, state,
      pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_receive_lsn() else pg_current_wal_lsn() end, replay_lsn)::bigint as bytes,
      extract(epoch from replay_lag)::float8 as seconds
    from pg_stat_replication order by 1`.execute(db)
  return rows
}

export const readChain = (db: Db) =>
  one(
    db,
    sql<{ sealed_to: number | null; sealed_at: Date | null; waiting: number; oldest: Date | null }>`
      select c.audit_id as sealed_to, c.at as sealed_at, w.waiting, w.oldest
      from (select 1) x
      left join lateral (select audit_id, tx, at from audit_chain order by seq desc limit 1) c on true
      cross join lateral (
        select count(*) as waiting, min(a.at) as oldest from audit_log a
        where (a.tx, a.id) > (coalesce(c.tx, '0'::xid8), coalesce(c.audit_id, 0))) w`,
  )

export const readEventBacklog = (db: Db) =>
  one(
    db,
    sql<{ unrolled: number; unfiled: number }>`
      select (select count(*) from event_deltas) as unrolled,
        (select count(*) from event_failures where group_id is null) as unfiled`,
  )
