import { sql } from 'kysely'
import type { Db } from './db.ts'

/**
 * The counts of a scope, such as tickets by status. Triggers update them with every write, so they are exact and cheap at
 * any size. Keys that were never counted are missing.
 */
export const countsOf = (scope: string) => sql<Record<string, number>>`(
  select coalesce(jsonb_object_agg(s.key, s.n), '{}') from (
    select c.key, sum(c.value::bigint) as n from kept_counts k, jsonb_each_text(k.counts) c
    where k.scope = ${scope} group by c.key) s)`

export async function readCounts(db: Db, scope: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ counts: Record<string, number> }>`select ${countsOf(scope)} as counts`.execute(db)
  return rows[0]?.counts ?? {}
}
