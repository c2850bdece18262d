import { SUMMARY_DAYS, type TeamSummary } from '@limber/contract/growth/team.ts'
import { useQuery } from '@tanstack/react-query'
import { whole } from '#ui/counted.ts'
import { momentText } from '#ui/moment-text.ts'
import { QueryView } from '#ui/query-view.tsx'
import { SectionCard } from '#ui/section-card.tsx'
import { StatStrip } from '#ui/stat-strip.tsx'
import { percent } from '../words.ts'
import { summaryQuery } from './team.api.ts'
import styles from './team.module.css'

const statsOf = ({ conversionRate, avgResponseTime, campaigns, recentWin, recentWinAt }: TeamSummary) => [
  { id: 'rate', label: 'Team conversion rate', value: percent(conversionRate), note: `last ${SUMMARY_DAYS} days` },
  {
    id: 'response',
    label: 'Avg lead response time',
    value: avgResponseTime === null ? '--' : whole(Math.round(avgResponseTime)),
    ...(avgResponseTime === null ? {} : { unit: 'minutes' }),
    note: `last ${SUMMARY_DAYS} days`,
  },
  { id: 'campaigns', label: 'Campaigns managed', value: whole(campaigns) },
  {
    id: 'win',
    label: 'Recent win',
    value: recentWin ? <span className={styles.win}>{recentWin}</span> : '--',
    ...(recentWinAt ? { note: momentText(recentWinAt, 'day') } : {}),
  },
]

/** Analytics Summary: how the team does. */
export function TeamSummaryCard() {
  const query = useQuery(summaryQuery)
  return (
    <SectionCard title="Analytics Summary">
      <QueryView query={query}>
        {(summary) => <StatStrip label="Figures of the team" stats={statsOf(summary)} />}
      </QueryView>
    </SectionCard>
  )
}
