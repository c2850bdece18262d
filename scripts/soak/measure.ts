import { readdirSync, readFileSync } from 'node:fs'
import type { PostgresServer } from '../failover/cluster.ts'

const MB = 1024 * 1024

/** The memory of a process in megabytes. */
export const memoryOf = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Open files and sockets of a process. */
export const handlesOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length

/** Connections of programs to the primary; undefined while there is none. */
export async function connectionsTo(primary: PostgresServer): Promise<number | undefined> {
  const rows = await primary
    .query<{ n: number }>(
      `select count(*)::int - 1 as n from pg_stat_activity where backend_type = 'client backend' and datname = 'limber'`,
    )
    .catch(() => [])
  return rows[0]?.n
}

export interface Tables {
  /** Megabytes that rows take. */
  used: number
  /** Megabytes of tables that hold no row, because it was changed or removed. */
  empty: number
  indexes: number
  /** The tables with the most empty space. */
  worst: string
}

/** How much of the tables is in use. Reads them whole. */
export async function readTables(primary: PostgresServer): Promise<Tables> {
  await primary.query('create extension if not exists pgstattuple', [], 'limber')
  const rows = await primary.query<{ name: string; used: number; empty: number; indexes: number }>(
    `select c.oid::regclass::text as name, (t.tuple_len / ${MB}.0)::float8 as used,
        ((t.table_len - t.tuple_len) / ${MB}.0)::float8 as empty, (pg_indexes_size(c.oid) / ${MB}.0)::float8 as indexes
      from pg_class c, pgstattuple(c.oid) t
      where c.relkind in ('r', 't') and c.relpersistence = 'p' and c.relnamespace <> 'pg_catalog'::regnamespace
      order by empty desc`,
    [],
    'limber',
  )
  const sum = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + pick(row), 0)
  return {
    used: sum(({ used }) => used),
    empty: sum(({ empty }) => empty),
    indexes: sum(({ indexes }) => indexes),
    worst: rows
      .slice(0, 3)
      .map(({ name, empty }) => `${name} ${empty.toFixed(1)}`)
      .join(', '),
  }
}

export interface Sample {
  period: number
  memory: number[]
  handles: number[]
  connections: number | undefined
}

export const mean = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / Math.max(all.length, 1)
