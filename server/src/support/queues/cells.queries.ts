import type { ViewQueue } from '@limber/contract/support/queues/queue.ts'
import type { TicketKind, TicketPriority, TicketStatus } from '@limber/contract/support/tickets/ticket.ts'
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
export const statesOf = (filter: Record<'queue' | 'status', RawBuilder<unknown>>) => sql`
  case when ${filter.status}::text is not null then array[${filter.status}::text]
    when ${filter.queue}::text is not null then array['open', 'in_progress'] else array['open', 'in_progress', 'closed'] end`

/**
 * The maintained counts of tickets by everything that a view can filter by. A filter is a sum of them, so its count is
 * exact and does not read the tickets. `wanted` selects a tag and a state: most counts are of closed tickets.
 */
export const ticketCells = (wanted: RawBuilder<unknown>) => sql`
  select wanted.tag, wanted.state as status, p[4] as priority, p[5] as kind, p[6] as assignee, p[7] = 'waiting' as is_waiting,
    p[8] = 'snoozed' as is_snoozed, p[9] = 'soon' as is_due_soon, k.n
  from (select distinct tag, state from (${wanted}) each (tag, state)) wanted
  cross join lateral (select scope, (counts ->> 'n')::bigint as n from kept_counts
    where scope like 'cell %' and scope ~>=~ concat('cell ', wanted.tag, ' ', wanted.state, ' ')
      and scope ~<~ concat('cell ', wanted.tag, ' ', wanted.state, '!') offset 0) k
  cross join lateral string_to_array(k.scope, ' ') p
  where k.n <> 0`

/** Whether cell `c` belongs to a filter, given as SQL values that are null where the filter is open. */
export const inCell = (
  filter: Record<'queue' | 'status' | 'priority' | 'kind' | 'assignee' | 'me', RawBuilder<unknown>>,
) => sql`
  (${filter.status}::text is null or c.status = ${filter.status})
  and (${filter.priority}::text is null or c.priority = ${filter.priority})
  and (${filter.kind}::text is null or c.kind = ${filter.kind})
  and (${filter.assignee}::text is null
    or c.assignee = case ${filter.assignee} when 'me' then ${filter.me}::text when 'none' then '-' else ${filter.assignee} end)
  and case ${filter.queue}::text
    when 'mine' then c.assignee = ${filter.me}::text and c.status <> 'closed' and not c.is_snoozed
    when 'unassigned' then c.assignee = '-' and c.status <> 'closed' and not c.is_snoozed
    when 'breaching' then c.is_due_soon
    when 'waiting' then c.is_waiting and not c.is_snoozed
    when 'high' then c.priority = 'high' and c.status <> 'closed' and not c.is_snoozed
    when 'snoozed' then c.is_snoozed
    else true end`

/** How many tickets match a filter without a search. */
export async function countCells(db: Db, filter: CellFilter): Promise<number> {
  const { queue, status, priority, kind, tag, assignee } = filter
  const me = typeof queue === 'object' ? queue.mine : null
  const text = (value: string | number | null) => sql`${value === '' || value === null ? null : String(value)}::text`
  const where = { queue: text(typeof queue === 'object' ? 'mine' : queue), status: text(status) }
  const matches = inCell({
    ...where,
    priority: text(priority),
    kind: text(kind === 'none' ? '-' : kind),
    assignee: text(assignee),
    me: text(me),
  })
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(c.n), 0)::bigint as count
    from (${ticketCells(sql`select ${tag === '' ? 0 : tag}::bigint, unnest(${statesOf(where)})`)}) c
    where ${matches}`.execute(db)
  return rows[0]?.count ?? 0
}
