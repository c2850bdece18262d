import { exportLeaderboard } from '@limber/contract/growth/team/team.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { leadSourceLabels } from '@limber/contract/marketing/leads/lead.ts'
import { useQuery } from '@tanstack/react-query'
import { WorkerLink } from '#access/public.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { FigureLink } from '#ui/figures/figure-link.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import type { OpenMember } from './roster.tsx'
import { leaderboardQuery } from './team.api.ts'
import styles from './team.module.css'

const words: Partial<Record<string, string>> = leadSourceLabels
const channelText = (channel: string | null) => (channel === null ? '--' : (words[channel] ?? channel))

export function Leaderboard({ onOpen }: { onOpen: OpenMember }) {
  const query = useQuery(leaderboardQuery)
  return (
    <SectionCard
      title="Attribution & Leaderboard"
      actions={<ExportButton call={exportLeaderboard} total={query.data?.leaderboard.length} />}
      isFlush
    >
      <QueryView
        query={query}
        isEmpty={({ leaderboard }) => leaderboard.length === 0}
        empty={<p className={styles.none}>No leaderboard data available</p>}
      >
        {({ leaderboard }) => (
          <PlainTable label="Attribution & Leaderboard">
            <thead>
              <tr>
                <th>Rank</th>
                <th>Name</th>
                <th className={figure}>Contacted</th>
                <th className={figure}>Converted</th>
                <th>Channel</th>
              </tr>
            </thead>
            <tbody>
              {leaderboard.map((row, place) => (
                <tr key={row.id}>
                  <td>{place + 1}</td>
                  <th scope="row">
                    <WorkerLink id={row.id}>{row.name}</WorkerLink>
                  </th>
                  <td className={figure}>
                    <FigureLink label={`${row.name}, contacted`} onOpen={() => onOpen('contactedLeads', row.id)}>
                      {formatInteger(row.leadsContacted)}
                    </FigureLink>
                  </td>
                  <td className={figure}>
                    <FigureLink label={`${row.name}, converted`} onOpen={() => onOpen('convertedLeads', row.id)}>
                      {formatInteger(row.leadsConverted)}
                    </FigureLink>
                  </td>
                  <td>{channelText(row.topChannel)}</td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
        )}
      </QueryView>
    </SectionCard>
  )
}
