import { exportUpcomingSessions, type PartnerSession } from '@limber/contract/growth/partners/partner.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { upcomingQuery } from './partner.api.ts'
import type { ChangeSearch, PartnerSearch } from './partner-search.ts'
import { SessionTable } from './session-table.tsx'

interface Props {
  search: PartnerSearch
  change: ChangeSearch
  onWrite: (session: PartnerSession) => void
}

const TITLE = 'Upcoming On-Site Mini Sessions'

/** Upcoming sessions with partners, the next one first, with a link to past sessions. */
export function UpcomingSessions({ search: { tab, upcoming }, change, onWrite }: Props) {
  const query = useQuery(upcomingQuery({ kind: tab, page: String(upcoming) }))
  const past = (
    <>
      <ExportButton call={exportUpcomingSessions} query={{ kind: tab }} total={query.data?.pagination.totalItems} />
      <Button size="xs" variant="default" onClick={() => change({ view: 'past', past: 1 })}>
        View Past Sessions
      </Button>
    </>
  )
  return (
    <SectionCard title={TITLE} count={query.data?.pagination.totalItems} actions={past} isFlush>
      <SessionTable
        label={TITLE}
        query={query}
        none="No upcoming on-site sessions scheduled"
        page={upcoming}
        onPage={(next, how) => change({ upcoming: next }, how)}
        onOpen={(partner) => change({ partner })}
        onWrite={onWrite}
      />
    </SectionCard>
  )
}
