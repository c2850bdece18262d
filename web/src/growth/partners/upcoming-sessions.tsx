import type { PartnerSession } from '@limber/contract/growth/partner.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { dayText } from '#ui/day-text.ts'
import { Pager } from '#ui/pager.tsx'
import { figure, PlainTable } from '#ui/plain-table.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { SectionCard } from '#ui/section-card.tsx'
import { upcomingQuery } from './partner.api.ts'
import type { ChangeSearch, PartnerSearch } from './partner-search.ts'
import styles from './partners.module.css'

interface Props {
  search: PartnerSearch
  change: ChangeSearch
  onWrite: (session: PartnerSession) => void
}

const TITLE = 'Upcoming On-Site Mini Sessions'

/** What was agreed with partners, the next first; the way to what is over stands beside. */
export function UpcomingSessions({ search: { tab, upcoming }, change, onWrite }: Props) {
  const query = useQuery(upcomingQuery({ kind: tab, page: String(upcoming) }))
  const past = (
    <Button size="xs" variant="default" onClick={() => change({ view: 'past', past: 1 })}>
      View Past Sessions
    </Button>
  )
  return (
    <SectionCard title={TITLE} count={query.data?.pagination.totalItems} actions={past} isFlush>
      <QueryView
        query={query}
        isEmpty={({ sessions }) => sessions.length === 0}
        empty={<p className={styles.none}>No upcoming on-site sessions scheduled</p>}
      >
        {({ sessions, pagination }) => (
          <>
            <PlainTable label={TITLE}>
              <thead>
                <tr>
                  <th>Business</th>
                  <th>Date</th>
                  <th>Time</th>
                  <th>Location</th>
                  <th>Slot Length</th>
                  <th>Contact</th>
                  <th className={figure}>Actions</th>
                </tr>
              </thead>
              <tbody>
                {sessions.map((session) => (
                  <tr key={session.id}>
                    <th scope="row">{session.business}</th>
                    <td>{dayText(session.date)}</td>
                    <td>{session.time}</td>
                    <td>{session.location ?? '--'}</td>
                    <td>{session.slotLength === null ? '--' : `${session.slotLength} min`}</td>
                    <td>{session.contact}</td>
                    <td className={figure}>
                      <Button
                        size="compact-xs"
                        variant="default"
                        aria-label={`Email ${session.contact} about ${dayText(session.date)}`}
                        onClick={() => onWrite(session)}
                      >
                        Email
                      </Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </PlainTable>
            {pagination.totalPages > 1 && (
              <div className={styles.foot}>
                <Pager
                  page={upcoming}
                  pages={pagination.totalPages}
                  onPage={(next) => change({ upcoming: next })}
                  label="Pages of upcoming sessions"
                />
              </div>
            )}
          </>
        )}
      </QueryView>
    </SectionCard>
  )
}
