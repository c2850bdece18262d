import { codeOf } from '@limber/contract/access/permissions.ts'
import {
  countTimeline,
  listTimeline,
  MAX_TIMELINE_COUNT,
  type TimelineEntry,
  type TimelineGroup,
  timelineGroups,
} from '@limber/contract/support/timeline/timeline.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import type { Log } from '#platform/telemetry/log.ts'
import type { TimelineSource } from '#platform/timeline.ts'
import { customerExists } from '../customers/customer-detail.queries.ts'
import {
  countEntries,
  findEntries,
  type TimelineCursor,
  type TimelinePage,
  type TimelineRow,
} from './timeline.queries.ts'

const sees = ({ needs }: TimelineSource, permissions: ReadonlySet<string>) =>
  needs.every((names) => names.some((name) => permissions.has(codeOf(name))))

function readCursor(text: string | undefined): TimelineCursor | undefined {
  if (text === undefined) return undefined
  const [at = '', kind = '', id = ''] = text.split('~')
  return { at, kind, id: Number(id) }
}

const cursorOf = ({ mark, kind, id }: TimelineRow) => `${mark}~${kind}~${id}`

function present(row: TimelineRow, { kind, group, present: words }: TimelineSource): TimelineEntry {
  return {
    ...{ key: `${kind}-${row.id}`, group, kind, at: row.at.toISOString() },
    ...{ text: '', quote: null, tone: null, amount: null, balance: null, stars: null, link: null },
    ...words(row.data, row.at),
  }
}

const inOrder = (one: TimelineRow, other: TimelineRow) =>
  one.mark !== other.mark
    ? one.mark < other.mark
      ? 1
      : -1
    : one.kind !== other.kind
      ? one.kind < other.kind
        ? 1
        : -1
      : other.id - one.id

/** Reads each source alone, after all of them together failed: what one of them cannot read, the others still can. */
async function findOneByOne(db: Db, id: number, sources: readonly TimelineSource[], page: TimelinePage, log: Log) {
  const found: TimelineRow[] = []
  const failed = new Set<string>()
  let last: unknown
  for (const source of sources) {
    try {
      found.push(...(await findEntries(db, id, [source], page)))
    } catch (error) {
      last = error
      log.error('A source of the timeline failed', { name: source.kind, reason: String(error) })
      failed.add(source.title)
    }
  }
  if (failed.size > 0 && found.length === 0 && new Set(sources.map(({ title }) => title)).size === failed.size)
    throw last
  return { rows: found.toSorted(inOrder).slice(0, page.limit), failed: [...failed] }
}

/** `sources` is a function because the areas that provide them are listed next to this one. */
export const timelineRoutes = (sources: () => readonly TimelineSource[]) => [
  serve(listTimeline, async ({ params: { id }, query, db, worker, services }) => {
    const { group, limit } = query
    const visible = sources().filter(
      (source) => sees(source, worker.permissions) && (group === undefined || source.group === group),
    )
    // One more shows whether there is a next page.
    const page = { ...query, until: query.until, before: readCursor(query.before), limit: limit + 1 }
    const { rows, failed } = await findEntries(db, id, visible, page).then(
      (found) => ({ rows: found, failed: [] }),
      (error) => {
        services.log.error('The timeline failed, and reads each source alone', { reason: String(error) })
        return findOneByOne(db, id, visible, page, services.log)
      },
    )
    if (rows.length === 0 && !(await customerExists(db, id))) throw refuse(listTimeline, 'not_found')
    const byKind = new Map(visible.map((source) => [source.kind, source]))
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    return {
      entries: shown.flatMap((row) => {
        const source = byKind.get(row.kind)
        return source ? [present(row, source)] : []
      }),
      next: last && rows.length > limit ? cursorOf(last) : null,
      failed,
    }
  }),

  serve(countTimeline, async ({ params: { id }, db, worker }) => {
    const visible = sources().filter((source) => sees(source, worker.permissions))
    if (!(await customerExists(db, id))) throw refuse(countTimeline, 'not_found')
    const counts = await countEntries(db, id, visible)
    const groups = new Set<TimelineGroup>(visible.map(({ group }) => group))
    return {
      groups: timelineGroups
        .filter((group) => groups.has(group))
        .map((group) => {
          const count = counts.get(group) ?? 0
          return { group, count: Math.min(count, MAX_TIMELINE_COUNT), isMore: count > MAX_TIMELINE_COUNT }
        }),
    }
  }),
]
