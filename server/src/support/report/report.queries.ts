import type { ReportGroup } from '@limber/contract/support/report/figure.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { findChanged, findFacts, findTagsNow } from './facts.queries.ts'
import { BLOCK_SIZE, factsOf } from './facts.rules.ts'
import { figureTickets, type Span } from './figure.queries.ts'
import { readBlocks } from './read-blocks.ts'
import type { GroupRow } from './report.rules.ts'
import { makeTally, type Part, type ReportFilter } from './tally.rules.ts'

/**
 * How many tickets each figure counts in consecutive parts of time: all together (the key is null) and by a property of the
 * tickets or by part. Most tickets are read from packed blocks, those that changed since from their rows.
 */
export async function findFigures(
  db: Db,
  parts: readonly Part[],
  filter: ReportFilter,
  by: ReportGroup,
): Promise<GroupRow[]> {
  const tally = makeTally(parts, filter, by, by === 'tag' ? await findTagsNow(db) : new Map())
  const range = { from: parts[0]?.from ?? new Date(0), to: parts.at(-1)?.to ?? new Date(0) }
  // Before the blocks: a ticket that is packed in between is read from its rows.
  const changed = await findChanged(db)
  const offsetsOf = new Map<number, Set<number>>()
  for (const id of changed) {
    const block = Math.floor(id / BLOCK_SIZE)
    const offsets = offsetsOf.get(block) ?? new Set()
    offsetsOf.set(block, offsets.add(id % BLOCK_SIZE))
  }
  for await (const [block, facts] of readBlocks(db, range)) tally.add(facts, offsetsOf.get(block))
  for (let at = 0; at < changed.length; at += BLOCK_SIZE)
    tally.add(factsOf(await findFacts(db, changed.slice(at, at + BLOCK_SIZE))))
  return tally.rows()
}

/** Of ticket `t` with its times `x`. */
const conditions = ({ channel, kind, tag, assignee }: ReportFilter) =>
  sql.join(
    [
      sql`t.merged_into_id is null`,
      ...(channel ? [sql`x.channel = ${channel}`] : []),
      ...(kind ? [kind === 'none' ? sql`t.kind is null` : sql`t.kind = ${kind}`] : []),
      ...(tag ? [sql`t.tags @> array[${tag}::bigint]`] : []),
      ...(assignee ? [assignee === 'none' ? sql`t.assignee_id is null` : sql`t.assignee_id = ${assignee}`] : []),
    ],
    sql` and `,
  )

/** Tickets that are not closed, by parts of time in which they were opened. */
export async function findBacklog(db: Db, parts: readonly Part[], filter: ReportFilter) {
  const span: Span = { from: sql`part.from_at`, to: sql`part.to_at` }
  const { rows } = await sql<{ key: string; tickets: number }>`
    select part.key, count(*)::int as tickets
    from unnest(${parts.map(({ key }) => key)}::text[], ${parts.map(({ from }) => from)}::timestamptz[],
      ${parts.map(({ to }) => to)}::timestamptz[]) part (key, from_at, to_at)
    cross join lateral (${figureTickets.backlog(span)}) f
    join tickets t on t.id = f.ticket_id join ticket_times x on x.ticket_id = t.id
    where ${conditions(filter)} group by 1`.execute(db)
  return new Map(rows.map(({ key, tickets }) => [key, tickets]))
}

/** Names of workers or tags by id. */
export async function findNames(
  db: Db,
  of: 'workers' | 'ticket_tags',
  ids: readonly number[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from ${sql.table(of)} where id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [String(id), name]))
}
