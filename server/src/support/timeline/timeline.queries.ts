import { companyZone } from '@limber/contract/kit/company.ts'
import { MAX_TIMELINE_COUNT, type TimelineGroup } from '@limber/contract/support/timeline/timeline.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { containing } from '#platform/db/like.ts'
import type { TimelineSource } from '#platform/timeline.ts'

/** Where a page starts: after this entry, in descending order of moment, kind and id. */
export interface TimelineCursor {
  at: string
  kind: string
  id: number
}

export interface TimelinePage {
  before: TimelineCursor | undefined
  /** Only entries of this day and earlier. */
  until: string | undefined
  search: string
  exceptTicket?: number | undefined
  limit: number
}

export interface TimelineRow {
  kind: string
  id: number
  at: Date
  /** The moment to the microsecond, for the cursor. */
  mark: string
  data: never
}

/** The kind is the same for all rows of a source, so its comparison with the cursor is decided here. */
function isAfter(kind: string, { at, kind: last, id }: TimelineCursor): RawBuilder<boolean> {
  if (kind === last) return sql`(s.at, s.id) < (${at}::timestamptz, ${id}::bigint)`
  return kind < last ? sql`s.at <= ${at}::timestamptz` : sql`s.at < ${at}::timestamptz`
}

function pageOf(source: TimelineSource, customerId: number, page: TimelinePage) {
  const { before, until, search, exceptTicket, limit } = page
  const conditions = [
    sql`s.at is not null`,
    ...(before ? [isAfter(source.kind, before)] : []),
    ...(until ? [sql`s.at < (${until}::date + 1)::timestamp at time zone ${sql.lit(companyZone())}`] : []),
    ...(search === '' ? [] : [sql`s.words ilike ${containing(search)}`]),
    ...(exceptTicket && source.isOfTickets ? [sql`(s.data ->> 'id')::bigint <> ${exceptTicket}`] : []),
  ]
  return sql`(select ${source.kind}::text collate "C" as kind, s.id::bigint as id, s.at, s.data from (${source.rows(customerId)}) s
    where ${sql.join(conditions, sql` and `)} order by s.at desc, s.id desc limit ${limit})`
}

/** The newest entries of all sources. Each reads at most a page by its own index. */
export async function findEntries(
  db: Db,
  customerId: number,
  sources: readonly TimelineSource[],
  page: TimelinePage,
): Promise<TimelineRow[]> {
  if (sources.length === 0) return []
  const parts = sources.map((source) => pageOf(source, customerId, page))
  const { rows } = await sql<TimelineRow>`
    select u.kind, u.id, u.at, to_char(u.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as mark, u.data
    from (${sql.join(parts, sql` union all `)}) u
    order by u.at desc, u.kind desc, u.id desc limit ${page.limit}`.execute(db)
  return rows
}

/** How many entries each source has, up to a bound. */
export async function countEntries(db: Db, customerId: number, sources: readonly TimelineSource[]) {
  const parts = sources.map(
    ({ group, rows }) => sql`
      select ${group} as grp, count(*)::int as count from (
        select from (${rows(customerId)}) s where s.at is not null limit ${MAX_TIMELINE_COUNT + 1}) n`,
  )
  const { rows } = await sql<{ grp: TimelineGroup; count: number }>`
    select grp, sum(count)::int as count from (${sql.join(parts, sql` union all `)}) u group by grp`.execute(db)
  return new Map(rows.map(({ grp, count }) => [grp, count]))
}
