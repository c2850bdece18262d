import type { HealthStatus } from '@limber/contract/tech/health/health.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import type { ProbeReading } from '#platform/telemetry/health.ts'

export interface StateRow extends Omit<Row<'health_states'>, 'facts'> {
  facts: { label: string; value: string }[]
}

/** Saves the latest state with its start, and one sample. */
export async function saveReadings(db: Db, readings: readonly ProbeReading[], now: Date): Promise<void> {
  const rows = readings.map(({ name, status, summary, facts, latency }) => ({
    probe: name,
    status,
    summary,
    facts,
    latency,
  }))
  await sql`
    with found as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r(probe text, status text, summary text, facts jsonb, latency float8)
    ), kept as (
      insert into health_states as s (probe, status, summary, facts, latency, since, checked_at, last_error, last_error_at)
      select probe, status, summary, facts, latency, ${now}, ${now},
        case when status in ('warning', 'down') then summary end, case when status in ('warning', 'down') then ${now}::timestamptz end
      from found
      on conflict (probe) do update set status = excluded.status, summary = excluded.summary, facts = excluded.facts,
        latency = excluded.latency, checked_at = excluded.checked_at,
        since = case when s.status = excluded.status then s.since else excluded.since end,
        last_error = coalesce(excluded.last_error, s.last_error),
        last_error_at = coalesce(excluded.last_error_at, s.last_error_at)
    )
    insert into health_samples (probe, at, status, latency) select probe, ${now}, status, latency from found
    on conflict (probe, at) do nothing`.execute(db)
}

export async function findStates(db: Db): Promise<StateRow[]> {
  const { rows } = await sql<StateRow>`
    select probe, status, summary, facts, latency, since, checked_at, last_error, last_error_at from health_states`.execute(
    db,
  )
  return rows
}

export async function findSamples(db: Db, from: Date) {
  const { rows } = await sql<{ probe: string; at: Date; status: HealthStatus }>`
    select probe, at, status from health_samples where at >= ${from} order by at`.execute(db)
  return Map.groupBy(rows, ({ probe }) => probe)
}

/** Deletes old samples, and the states of probes that no longer exist. */
export async function deleteOldSamples(db: Db, before: Date, known: readonly string[]): Promise<void> {
  await sql`delete from health_samples where at < ${before}`.execute(db)
  await sql`delete from health_states where probe <> all(${known})`.execute(db)
}
