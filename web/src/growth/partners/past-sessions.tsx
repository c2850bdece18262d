import { exportPastSessions, type PartnerSession } from '@limber/contract/growth/partners/partner.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { ExportButton } from '#ui/table/export-button.tsx'
import { PlainTable } from '#ui/table/plain-table.tsx'
import { pastQuery } from './partner.api.ts'
import type { ChangeSearch, PartnerSearch } from './partner-search.ts'
import styles from './partners.module.css'
import { SessionTable } from './session-table.tsx'

/** The participants of a session by slot. */
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

interface Props {
  search: PartnerSearch
  change: ChangeSearch
  onWrite: (session: PartnerSession) => void
}

/** On-site sessions that took place, newest first. */
export default function PastSessions({ search, change, onWrite }: Props) {
  const [shown, setShown] = useState<PartnerSession>()
  const query = useQuery(pastQuery({ kind: search.tab, page: String(search.past) }))
  const stretcher = ({ assignedStretcher }: PartnerSession) => (
    <span className={styles.person}>{assignedStretcher ?? 'Unassigned'}</span>
  )
  const participants = (session: PartnerSession) =>
    session.participants.length === 0 ? (
      'None'
    ) : (
      <Button size="compact-xs" variant="default" onClick={() => setShown(session)}>
        View {session.participants.length}
      </Button>
    )
  const close = () => change({ view: '', past: 1 })
  const foot = (
    <>
      <span className={styles.first}>
        <ExportButton
          call={exportPastSessions}
          query={{ kind: search.tab }}
          total={query.data?.pagination.totalItems}
        />
      </span>
      <Button variant="default" onClick={close}>
        Close
      </Button>
    </>
  )
  return (
    <>
      <Dialog isOpen onClose={close} title="Past Sessions" size={1080} foot={foot}>
        <SessionTable
          label="Past Sessions"
          query={query}
          none="No past sessions found"
          page={search.past}
          onPage={(next, how) => change({ past: next }, how)}
          onOpen={(partner) => change({ partner, view: '', past: 1 })}
          onWrite={onWrite}
          more={[
            { title: 'Assigned Stretcher', cell: stretcher },
            { title: 'Participants', cell: participants },
          ]}
        />
      </Dialog>
      {shown && <Participants session={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
