import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { Backlog, ReportRow, TicketFigure } from '@limber/contract/support/report/figure.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { StatStrip } from '#ui/charts/stat-strip.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { ticketsLink } from './report.api.ts'
import styles from './report.module.css'
import type { ReportSearch } from './report-search.ts'
import { shareText, timeText } from './report-text.ts'

interface CountProps {
  search: ReportSearch
  figure: TicketFigure
  row: Pick<ReportRow, 'key' | 'from' | 'to'>
  children: ReactNode
  /** What is counted, for screen readers. */
  label: string
}

/** A number that opens its tickets. */
export function Count({ search, figure, row, children, label }: CountProps) {
  return (
    <Link {...ticketsLink(search, figure, row)} className={styles.count ?? ''} aria-label={`${label}: open tickets`}>
      {children}
    </Link>
  )
}

/** The figures of the whole range. */
export function Summary({ search, total }: { search: ReportSearch; total: ReportRow }) {
  const { opened, closed, kept, missed, good, bad, firstReply, resolution } = total
  const count = (figure: TicketFigure, label: string, value: ReactNode) => (
    <Count search={search} figure={figure} row={total} label={label}>
      {value}
    </Count>
  )
  const times = (figure: TicketFigure, found: ReportRow['firstReply']) => {
    if (!found) return { value: '--' }
    const within = `90% within ${timeText(found.p90)}`
    return {
      value: count(figure, `Median ${timeText(found.median)}`, timeText(found.median)),
      change: count(figure, within, within),
    }
  }
  const stats = [
    { id: 'opened', label: 'Opened', value: count('opened', `${formatInteger(opened)} opened`, formatInteger(opened)) },
    { id: 'closed', label: 'Closed', value: count('closed', `${formatInteger(closed)} closed`, formatInteger(closed)) },
    { id: 'first', label: 'Median first response', ...times('replied', firstReply) },
    { id: 'resolution', label: 'Median resolution', ...times('closed', resolution) },
    {
      id: 'kept',
      label: 'Promises kept',
      value:
        kept + missed === 0
          ? '--'
          : count('kept', `${shareText(kept, kept + missed)} kept`, shareText(kept, kept + missed)),
      change: missed > 0 && count('missed', `${formatInteger(missed)} missed`, `${formatInteger(missed)} missed`),
    },
    {
      id: 'rated',
      label: 'Satisfaction',
      value:
        good + bad === 0 ? '--' : count('good', `${shareText(good, good + bad)} good`, shareText(good, good + bad)),
      change: bad > 0 && count('bad', `${formatInteger(bad)} bad`, `${formatInteger(bad)} bad`),
    },
  ]
  return <StatStrip label="Figures of the range" stats={stats} />
}

const ageLabels: Record<Backlog['age'], string> = {
  today: 'Opened today',
  week: '1 to 6 days',
  month: '7 to 29 days',
  older: '30 days and more',
}

/** Tickets that are not closed now, by age. They do not depend on the range. */
export function BacklogCard({ search, backlog }: { search: ReportSearch; backlog: readonly Backlog[] }) {
  const greatest = Math.max(1, ...backlog.map(({ tickets }) => tickets))
  return (
    <SectionCard title="Not closed now, by age">
      <ul className={styles.ages}>
        {backlog.map(({ age, from, to, tickets }) => (
          <li key={age}>
            <span>{ageLabels[age]}</span>
            <span className={styles.track} aria-hidden="true">
              <i style={{ width: `${(tickets / greatest) * 100}%` }} />
            </span>
            <Count
              search={search}
              figure="backlog"
              row={{ key: 'all', from, to }}
              label={`${formatInteger(tickets)} ${ageLabels[age]}`}
            >
              {formatInteger(tickets)}
            </Count>
          </li>
        ))}
      </ul>
    </SectionCard>
  )
}
