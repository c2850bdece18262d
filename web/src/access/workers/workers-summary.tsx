import type { WorkerRow } from '@limber/contract/access/workers/worker.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { now } from '#platform/clock.ts'
import { linkTo } from '#platform/routing/links.ts'
import { Moment } from '#ui/format/moment.tsx'
import { MasterSummary, SummaryList } from '#ui/layout/master-summary.tsx'
import { workersQuery } from '../access.api.ts'

const LIMIT = '100'
const SHOWN = 8
const AWAY_MS = 30 * 24 * 60 * 60_000

const row = (worker: WorkerRow) => ({
  id: worker.id,
  name: <Link {...linkTo('/worker/tech/access', { worker: worker.id })}>{worker.name}</Link>,
  value: worker.lastSeenAt ? <Moment at={worker.lastSeenAt} form="relative" /> : 'never',
  note: worker.role ?? 'No role',
})

/** Who is signed in, who has not been for long, and who has not set up access yet. */
export function WorkersSummary() {
  const invited = useQuery(workersQuery({ status: 'invited', limit: LIMIT })).data?.workers
  const active = useQuery(workersQuery({ status: 'active', limit: LIMIT })).data?.workers
  const lastSeen = ({ lastSeenAt }: WorkerRow) => (lastSeenAt ? Date.parse(lastSeenAt) : 0)
  const here = active?.filter(({ openSessions }) => openSessions > 0) ?? []
  const away = active
    ?.filter((one) => one.openSessions === 0 && now().getTime() - lastSeen(one) > AWAY_MS)
    .sort((one, other) => lastSeen(one) - lastSeen(other))
  return (
    <MasterSummary title="Select a worker" hint="to see permissions, sign-in methods and sessions.">
      {invited && active && away && (
        <>
          <SummaryList
            title="Invited, not set up yet"
            rows={invited.slice(0, SHOWN).map((one) => ({
              ...row(one),
              value: <Moment at={one.createdAt} form="relative" />,
              note: one.link === 'expired' ? 'The link has expired.' : (one.role ?? 'No role'),
            }))}
            none="Everyone who was invited has set up access."
          />
          <SummaryList title="Signed in" rows={here.slice(0, SHOWN).map(row)} none="No one is signed in." />
          <SummaryList
            title="Not seen for 30 days"
            rows={away.slice(0, SHOWN).map(row)}
            none="Every active worker signed in within 30 days."
          />
        </>
      )}
    </MasterSummary>
  )
}
