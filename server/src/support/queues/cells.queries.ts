import type { ViewQueue } from '@limber/contract/support/queues/queue.ts'
import { TicketKind, TicketPriority, type TicketStatus } from '@limber/contract/support/tickets/ticket.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

/** A filter without a search. */
export interface CellFilter {
  status: TicketStatus | ''
  priority: TicketPriority | ''
  assignee: number | 'none' | ''
  kind: TicketKind | 'none' | ''
  tag: number | ''
  /** Of `waiting`, the longest wait is first. */
  queue: Exclude<ViewQueue, 'mine'> | { mine: number } | ''
}

/** In which states the tickets of a filter can be. Every queue holds tickets that are not closed. */
const statesOf = (filter: Record<'queue' | 'status', RawBuilder<unknown>>) => sql`
  case when ${filter.status}::text is not null then array[${filter.status}::text]
    when ${filter.queue}::text is not null then array['open', 'in_progress'] else array['open', 'in_progress', 'closed'] end`

/** A filter as SQL values that are null where it is open. */
type SqlFilter = Record<'queue' | 'status' | 'priority' | 'kind' | 'tag' | 'assignee' | 'me', RawBuilder<unknown>>

/** Whose tickets a filter finds: null for everyone's, `-` for unassigned ones. */
const whoseOf = ({ queue, assignee, me }: SqlFilter) => sql`
  case when ${queue}::text = 'mine' or ${assignee}::text = 'me' then ${me}::text
    when ${queue}::text = 'unassigned' or ${assignee}::text = 'none' then '-' else ${assignee}::text end`

/** The tag, the states and the assignee that select the cells of a filter. */
export const cellsOf = (filter: SqlFilter) =>
  sql`coalesce(${filter.tag}::bigint, 0) as tag, unnest(${statesOf(filter)}) as state, ${whoseOf(filter)} as whose`

const between = (parts: readonly RawBuilder<unknown>[]) => sql`
  scope like 'cell %' and scope ~>=~ concat('cell ', ${sql.join(parts, sql`, ' ', `)}, ' ')
    and scope ~<~ concat('cell ', ${sql.join(parts, sql`, ' ', `)}, '!')`

const [tag, state] = [sql`wanted.tag`, sql`wanted.state`]

/**
 * The maintained counts of tickets by everything that a view can filter by, once for each assignee and once for everyone. A
 * filter is a sum of them, so its count is exact and does not read the tickets. `wanted` selects from `cellsOf`: most
 * counts are of closed tickets or of other assignees.
 */
export const ticketCells = (wanted: RawBuilder<unknown>) => sql`
  select wanted.tag, wanted.state as status, wanted.whose, k.priority, k.kind, p[7] = 'waiting' as is_waiting,
    p[8] = 'snoozed' as is_snoozed, p[9] = 'soon' as is_due_soon, k.n
  from (select distinct tag, state, whose from (${wanted}) each) wanted
  cross join lateral (
    select p, p[5] as priority, p[6] as kind, (counts ->> 'n')::bigint as n
    from (select scope, counts from kept_counts where wanted.whose is null and ${between([sql`'*'`, tag, state])} offset 0) c
    cross join lateral string_to_array(scope, ' ') p
    union all select p, p[4], p[5], n
    from unnest(${TicketPriority.options}::text[]) priority, unnest(${[...TicketKind.options, '-']}::text[]) kind
    cross join lateral (select scope, (counts ->> 'n')::bigint as n from kept_counts
      where wanted.whose is not null and ${between([tag, state, sql`priority`, sql`kind`, sql`wanted.whose`])} offset 0) c
    cross join lateral string_to_array(scope, ' ') p) k
  where k.n <> 0`

/** Whether cell `c` belongs to a filter. */
export const inCell = (filter: SqlFilter) => sql`
  c.tag = coalesce(${filter.tag}::bigint, 0) and c.whose is not distinct from ${whoseOf(filter)}
  and (${filter.status}::text is null or c.status = ${filter.status})
  and (${filter.priority}::text is null or c.priority = ${filter.priority})
  and (${filter.kind}::text is null or c.kind = ${filter.kind})
  and (${filter.assignee}::text is null
    or c.whose = case ${filter.assignee} when 'me' then ${filter.me}::text when 'none' then '-' else ${filter.assignee} end)
  and case ${filter.queue}::text
    when 'mine' then c.whose = ${filter.me}::text and c.status <> 'closed' and not c.is_snoozed
    when 'unassigned' then c.whose = '-' and c.status <> 'closed' and not c.is_snoozed
    when 'breaching' then c.is_due_soon
    when 'waiting' then c.is_waiting and not c.is_snoozed
    when 'high' then c.priority = 'high' and c.status <> 'closed' and not c.is_snoozed
    when 'snoozed' then c.is_snoozed
    else true end`

/** How many tickets match a filter without a search. */
export async function countCells(db: Db, filter: CellFilter): Promise<number> {
  const { queue, status, priority, kind, tag, assignee } = filter
  const text = (value: string | number | null) => sql`${value === '' || value === null ? null : String(value)}::text`
  const where: SqlFilter = {
    queue: text(typeof queue === 'object' ? 'mine' : queue),
    status: text(status),
    priority: text(priority),
    kind: text(kind === 'none' ? '-' : kind),
    tag: sql`${tag === '' ? null : tag}::bigint`,
    assignee: text(assignee),
    me: text(typeof queue === 'object' ? queue.mine : null),
  }
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(c.n), 0)::bigint as count
    from (${ticketCells(sql`select ${cellsOf(where)}`)}) c where ${inCell(where)}`.execute(db)
  return rows[0]?.count ?? 0
}
