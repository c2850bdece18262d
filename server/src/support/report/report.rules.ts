import { weekStartOf } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import type { Backlog, ReportRow, TicketFigure } from '@limber/contract/support/report/figure.ts'

/** What a figure counts in a group of tickets, with times in minutes. */
export interface GroupRow {
  /** Null for all of them. */
  key: string | null
  figure: TicketFigure
  tickets: number
  median: number | null
  p90: number | null
}

export interface Days {
  from: string
  to: string
}

/** The weeks of a range; the first and the last one may be shorter. */
export function weeksOf({ from, to }: Days): Days[] {
  const weeks: Days[] = []
  for (let start = weekStartOf(from); start <= to; start = addDays(start, 7)) {
    const end = addDays(start, 6)
    weeks.push({ from: start < from ? from : start, to: end > to ? to : end })
  }
  return weeks
}

/** The ages of open tickets, as the days on which they were opened. */
export const backlogOf = (today: string): Omit<Backlog, 'tickets'>[] => [
  { age: 'today', from: today, to: today },
  { age: 'week', from: addDays(today, -6), to: addDays(today, -1) },
  { age: 'month', from: addDays(today, -29), to: addDays(today, -7) },
  { age: 'older', from: '', to: addDays(today, -30) },
]

/** One row of the report from the figures of its group. */
export function rowOf(key: string, label: string, days: Days, groups: readonly GroupRow[]): ReportRow {
  const of = (figure: GroupRow['figure']) => groups.find((one) => one.figure === figure)
  const count = (figure: GroupRow['figure']) => of(figure)?.tickets ?? 0
  const times = (figure: GroupRow['figure']) => {
    const { median = null, p90 = null } = of(figure) ?? {}
    return median === null || p90 === null ? null : { median: Math.round(median), p90: Math.round(p90) }
  }
  return {
    key,
    label,
    ...days,
    opened: count('opened'),
    replied: count('replied'),
    closed: count('closed'),
    kept: count('kept'),
    missed: count('missed'),
    good: count('good'),
    bad: count('bad'),
    firstReply: times('replied'),
    resolution: times('closed'),
  }
}
