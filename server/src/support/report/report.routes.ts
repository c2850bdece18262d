import { companyDay } from '@limber/contract/kit/company.ts'
import { daysBetween } from '@limber/contract/kit/days.ts'
import { formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { type ReportGroup, type TicketChannel, ticketChannelLabels } from '@limber/contract/support/report/figure.ts'
import { MAX_REPORT_DAYS, readSupportReport } from '@limber/contract/support/report/report.ts'
import { type TicketKind, ticketKindLabels } from '@limber/contract/support/tickets/ticket.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { findBacklog, findFigures, findNames } from './report.queries.ts'
import { backlogOf, type Days, rowOf, weeksOf } from './report.rules.ts'
import { spanOf } from './span.ts'
import type { Part } from './tally.rules.ts'

const partOf = (key: string, days: { from: string; to: string }): Part => ({ key, ...spanOf(days) })

/** What a group is called. */
async function labelsOf(
  db: Db,
  by: Exclude<ReportGroup, 'week'>,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const ids = keys.map(Number).filter((id) => id > 0)
  if (by === 'agent') return (await findNames(db, 'workers', ids)).set('none', 'Unassigned')
  if (by === 'tag') return findNames(db, 'ticket_tags', ids)
  const labels = by === 'channel' ? ticketChannelLabels : { ...ticketKindLabels, none: 'No kind' }
  return new Map(Object.entries(labels as Record<TicketChannel | TicketKind | 'none', string>))
}

export const reportRoutes = [
  serve(readSupportReport, async ({ query: { from, to, by, ...filter }, db, now }) => {
    if (from > to || daysBetween(from, to) >= MAX_REPORT_DAYS) throw refuse(readSupportReport, 'range')
    const days: Days = { from, to }
    const weeks = weeksOf(days)
    const parts = weeks.map((week) => partOf(week.from, week))
    const ages = backlogOf(companyDay(now))
    const [figures, open] = await Promise.all([
      findFigures(db, parts, filter, by),
      findBacklog(
        db,
        ages.map((one) => partOf(one.age, one)),
        filter,
      ),
    ])
    const found = Map.groupBy(figures, ({ key }) => key)
    const total = rowOf('all', 'All tickets', days, found.get(null) ?? [])
    found.delete(null)
    const backlog = ages.map((one) => ({ ...one, tickets: open.get(one.age) ?? 0 }))
    if (by === 'week') {
      const rows = weeks.map((week) =>
        rowOf(week.from, formatDayRange(week.from, week.to), week, found.get(week.from) ?? []),
      )
      return { rows, total, backlog }
    }
    const groups = [...found].flatMap(([key, rows]) => (key === null ? [] : [{ key, rows }]))
    const labels = await labelsOf(
      db,
      by,
      groups.map(({ key }) => key),
    )
    const rows = groups.map(({ key, rows: figures }) => rowOf(key, labels.get(key) ?? key, days, figures))
    return { rows: rows.toSorted((a, b) => b.opened - a.opened || a.label.localeCompare(b.label)), total, backlog }
  }),
]
