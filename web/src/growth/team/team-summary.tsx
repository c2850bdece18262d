import { type FigureName, type RatioName, SUMMARY_DAYS } from '@limber/contract/growth/overview/figure.ts'
import type { TeamSummary } from '@limber/contract/growth/team/team.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { RecordLink } from '#platform/routing/record-link.tsx'
import { type Stat, StatStrip } from '#ui/charts/stat-strip.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { momentText } from '#ui/format/moment-text.ts'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { percent } from '../labels.ts'
import { summaryQuery } from './team.api.ts'
import styles from './team.module.css'

function Win({ summary: { recentWin, recentWinLead } }: { summary: TeamSummary }) {
  if (recentWin === null || recentWinLead === null) return '--'
  return (
    <RecordLink to="/growth/conversion" search={{ lead: recentWinLead }} needs="growth.tab" className={styles.win}>
      {recentWin}
    </RecordLink>
  )
}

type Open = (figure: FigureName | RatioName) => void

const statsOf = (summary: TeamSummary, open: Open): Stat[] => [
  {
    id: 'rate',
    label: 'Team conversion rate',
    value: percent(summary.conversionRate),
    note: `last ${SUMMARY_DAYS} days`,
    onOpen: () => open('teamConversionRate'),
  },
  {
    id: 'response',
    label: 'Avg lead response time',
    value: summary.avgResponseTime === null ? '--' : formatInteger(Math.round(summary.avgResponseTime)),
    ...(summary.avgResponseTime === null ? {} : { unit: 'minutes' }),
    note: `last ${SUMMARY_DAYS} days`,
    onOpen: () => open('leadResponse'),
  },
  {
    id: 'campaigns',
    label: 'Campaigns managed',
    value: formatInteger(summary.campaigns),
    onOpen: () => open('managedCampaigns'),
  },
  {
    id: 'win',
    label: 'Recent win',
    value: <Win summary={summary} />,
    ...(summary.recentWinAt ? { note: momentText(summary.recentWinAt, 'day') } : {}),
  },
]

/** Analytics Summary: the results of the team. */
export function TeamSummaryCard({ onOpen }: { onOpen: Open }) {
  const query = useQuery(summaryQuery)
  return (
    <SectionCard title="Analytics Summary">
      <QueryView query={query}>
        {(summary) => <StatStrip label="Team figures" stats={statsOf(summary, onOpen)} />}
      </QueryView>
    </SectionCard>
  )
}
