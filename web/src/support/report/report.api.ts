import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import type { ReportRow, TicketFigure } from '@limber/contract/support/report/figure.ts'
import { readSupportReport } from '@limber/contract/support/report/report.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { now } from '#platform/clock.ts'
import { linkTo } from '#platform/routing/links.ts'
import type { ReportSearch } from './report-search.ts'

/** The live topic `tickets` refreshes it. */
export const reportKey = ['support', 'report']

const RANGE = 29

/** The days of the report: those chosen, or the last 30. */
export function daysOf({ from, to }: Pick<ReportSearch, 'from' | 'to'>) {
  const last = to || companyDay(now())
  return { from: from || addDays(last, -RANGE), to: last }
}

/** The filter as call parameters. */
export const queryOf = (search: ReportSearch) => ({
  ...daysOf(search),
  by: search.by,
  ...(search.channel && { channel: search.channel }),
  ...(search.kind && { kind: search.kind }),
  ...(search.tag > 0 && { tag: String(search.tag) }),
  ...(search.assignee && { assignee: search.assignee }),
})

export const reportQuery = (search: ReportSearch) =>
  queryOptions({
    queryKey: [...reportKey, queryOf(search)],
    queryFn: ({ signal }) => send(readSupportReport, { query: queryOf(search) }, { signal }),
    placeholderData: keepPreviousData,
  })

/** What the rows of a group add to the filter; the total adds nothing. */
function partOf({ by }: ReportSearch, key: string) {
  if (key === 'all' || by === 'week') return {}
  if (by === 'agent') return { assignee: key }
  if (by === 'tag') return { tag: Number(key) }
  return { [by]: key }
}

/** The list of exactly the tickets that a number counts. */
export const ticketsLink = (
  search: ReportSearch,
  figure: TicketFigure,
  { key, from, to }: Pick<ReportRow, 'key' | 'from' | 'to'>,
) =>
  linkTo('/support/tickets', {
    figure,
    from: from || undefined,
    to,
    channel: search.channel || undefined,
    kind: search.kind || undefined,
    tag: search.tag || undefined,
    assignee: search.assignee || undefined,
    ...partOf(search, key),
  })
