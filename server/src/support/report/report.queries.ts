import type { ReportGroup, TicketChannel } from '@limber/contract/support/report/figure.ts'
import type { TicketKind } from '@limber/contract/support/tickets/ticket.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { figureTickets, type Span } from './figure.queries.ts'
import type { GroupRow } from './report.rules.ts'

export interface ReportFilter {
  channel: TicketChannel | ''
  kind: TicketKind | 'none' | ''
  tag: number | ''
  assignee: number | 'none' | ''
}

/** Days with the moments at which they begin and end. */
export interface Part {
  key: string
  from: Date
  to: Date
}

const figures = ['opened', 'replied', 'closed', 'kept', 'missed', 'good', 'bad'] as const

/** Of ticket `t`, and of its times `x` if there is a channel. */
export const reportConditions = ({ channel, kind, tag, assignee }: ReportFilter) =>
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

const keys: Record<Exclude<ReportGroup, 'week'>, RawBuilder<unknown>> = {
  agent: sql`coalesce(t.assignee_id::text, 'none')`,
  channel: sql`x.channel`,
  kind: sql`coalesce(t.kind, 'none')`,
  tag: sql`g.id::text`,
}

// A tag that a job is replacing counts as its replacement.
const tagJoin = sql`cross join lateral (
  select distinct coalesce(o.replaced_by_id, o.id) as id from ticket_tags o where o.id = any(t.tags) and (o.removed_at is null or o.replaced_by_id is not null)) g`

/**
 * How many tickets each figure counts in a range: all together (the key is null) and by a property of the tickets or by
 * the part of the range. Tickets are read once for both, except that tags and parts can count one several times.
 */
export async function findFigures(
  db: Db,
  whole: Part,
  parts: readonly Part[],
  filter: ReportFilter,
  by: ReportGroup,
): Promise<GroupRow[]> {
  const isOnce = by !== 'tag' && by !== 'week'
  const all = isOnce ? [] : await countFigures(db, [whole], filter, { key: sql`null::text`, groups: sql`1, 2` })
  if (by === 'week')
    return [...all, ...(await countFigures(db, parts, filter, { key: sql`part.key`, groups: sql`1, 2` }))]
  const groups = isOnce ? sql`grouping sets ((1, 2), (2))` : sql`1, 2`
  return [...all, ...(await countFigures(db, [whole], filter, { key: keys[by], groups, by }))]
}

interface Grouping {
  key: RawBuilder<unknown>
  groups: RawBuilder<unknown>
  by?: ReportGroup
}

async function countFigures(
  db: Db,
  parts: readonly Part[],
  filter: ReportFilter,
  { key, groups, by }: Grouping,
): Promise<GroupRow[]> {
  const span: Span = { from: sql`part.from_at`, to: sql`part.to_at` }
  // Only channels need them: the figures have read the times already.
  const times = by === 'channel' || filter.channel ? sql`join ticket_times x on x.ticket_id = t.id` : sql``
  const all = sql.join(
    figures.map((figure) => sql`select ${figure}::text as figure, f.* from (${figureTickets[figure](span)}) f`),
    sql` union all `,
  )
  const { rows } = await sql<GroupRow>`
    select key, figure, count(*)::int as tickets,
      percentile_cont(0.5) within group (order by minutes) as median, percentile_cont(0.9) within group (order by minutes) as p90
    from (
      select ${key} as key, f.figure, f.minutes
      from unnest(${parts.map(({ key: name }) => name)}::text[], ${parts.map(({ from }) => from)}::timestamptz[],
        ${parts.map(({ to }) => to)}::timestamptz[]) part (key, from_at, to_at)
      cross join lateral (${all}) f
      join tickets t on t.id = f.ticket_id ${times} ${by === 'tag' ? tagJoin : sql``}
      where ${reportConditions(filter)}
    ) found group by ${groups}`.execute(db)
  return rows
}

/** Tickets that are not closed, by parts of time in which they were opened. */
export async function findBacklog(db: Db, parts: readonly Part[], filter: ReportFilter) {
  const span: Span = { from: sql`part.from_at`, to: sql`part.to_at` }
  const { rows } = await sql<{ key: string; tickets: number }>`
    select part.key, count(*)::int as tickets
    from unnest(${parts.map(({ key }) => key)}::text[], ${parts.map(({ from }) => from)}::timestamptz[],
      ${parts.map(({ to }) => to)}::timestamptz[]) part (key, from_at, to_at)
    cross join lateral (${figureTickets.backlog(span)}) f
    join tickets t on t.id = f.ticket_id join ticket_times x on x.ticket_id = t.id
    where ${reportConditions(filter)} group by 1`.execute(db)
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
