import type { PartnerSession } from '@limber/contract/growth/partner.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayText } from '#ui/day-text.ts'
import { Dialog } from '#ui/dialog.tsx'
import { Pager } from '#ui/pager.tsx'
import { PlainTable } from '#ui/plain-table.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { pastQuery } from './partner.api.ts'
import type { ChangeSearch, PartnerSearch } from './partner-search.ts'
import styles from './partners.module.css'

/** Who came to a session, slot by slot. */
function Participants({ session, onClose }: { session: PartnerSession; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Session Participants"
      context={`${session.business}, ${dayText(session.date)}`}
      size={640}
    >
      <PlainTable label="Session Participants" isFramed>
        <thead>
          <tr>
            <th>Slot Time</th>
            <th>Name</th>
            <th>Email</th>
            <th>Rating</th>
          </tr>
        </thead>
        <tbody>
          {session.participants.map(({ slotTime, name, email, rating }) => (
            <tr key={slotTime}>
              <td>{slotTime}</td>
              <td>{name}</td>
              <td>{email}</td>
              <td>{rating ?? '--'}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </Dialog>
  )
}

/** On-site sessions that took place, the newest first. */
export default function PastSessions({ search, change }: { search: PartnerSearch; change: ChangeSearch }) {
  const [shown, setShown] = useState<PartnerSession>()
  const query = useQuery(pastQuery({ kind: search.tab, page: String(search.past) }))
  return (
    <>
      <Dialog isOpen onClose={() => change({ view: '', past: 1 })} title="Past Sessions" size={1080}>
        <QueryView
          query={query}
          isEmpty={({ sessions }) => sessions.length === 0}
          empty={<p className={styles.none}>No past sessions found</p>}
        >
          {({ sessions, pagination }) => (
            <>
              <PlainTable label="Past Sessions">
                <thead>
                  <tr>
                    <th>Business</th>
                    <th>Date</th>
                    <th>Time</th>
                    <th>Location</th>
                    <th>Slot Length</th>
                    <th>Contact</th>
                    <th>Assigned Stretcher</th>
                    <th>Participants</th>
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
                      <td>{session.assignedStretcher ?? 'Unassigned'}</td>
                      <td>
                        {session.participants.length === 0 ? (
                          'None'
                        ) : (
                          <Button size="compact-xs" variant="default" onClick={() => setShown(session)}>
                            View {session.participants.length}
                          </Button>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </PlainTable>
              {pagination.totalPages > 1 && (
                <div className={styles.foot}>
                  <Pager
                    page={search.past}
                    pages={pagination.totalPages}
                    onPage={(next) => change({ past: next })}
                    label="Pages of past sessions"
                  />
                </div>
              )}
            </>
          )}
        </QueryView>
      </Dialog>
      {shown && <Participants session={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
