import type { PartnerSession, PartnerSessions } from '@limber/contract/growth/partners/partner.ts'
import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { dayText } from '#ui/format/day-text.ts'
import { figure } from '#ui/table/plain-table.tsx'
import type { TurnPage } from '#ui/table/use-last-page.ts'
import { PagedRows } from './paged-rows.tsx'
import styles from './partners.module.css'

interface Column {
  title: string
  cell: (session: PartnerSession) => ReactNode
}

interface Props {
  label: string
  query: UseQueryResult<PartnerSessions>
  /** Shown when the table is empty. */
  none: string
  page: number
  onPage: TurnPage
  /** Opens the dialog of a partner. */
  onOpen: (partner: number) => void
  /** Starts an email to the contact of a session. */
  onWrite: (session: PartnerSession) => void
  /** The columns after business, date, time, location, slot length and contact. */
  more?: readonly Column[]
}

const common: readonly Column[] = [
  { title: 'Date', cell: ({ date }) => dayText(date) },
  { title: 'Time', cell: ({ time }) => time },
  { title: 'Location', cell: ({ location }) => <span className={styles.location}>{location ?? '--'}</span> },
  { title: 'Slot Length', cell: ({ slotLength }) => (slotLength === null ? '--' : `${slotLength} min`) },
  { title: 'Contact', cell: ({ contact }) => <span className={styles.person}>{contact}</span> },
]

/** On-site sessions with partners, in pages. */
export function SessionTable({ label, query, none, page, onPage, onOpen, onWrite, more = [] }: Props) {
  const columns = [...common, ...more]
  return (
    <PagedRows label={label} query={query} rowsOf={({ sessions }) => sessions} none={none} page={page} onPage={onPage}>
      {(sessions) => (
        <>
          <thead className={styles.wrapped}>
            <tr>
              <th>Business</th>
              {columns.map((column) => (
                <th key={column.title}>{column.title}</th>
              ))}
              <th className={figure}>Actions</th>
            </tr>
          </thead>
          <tbody>
            {sessions.map((session) => (
              <tr key={session.id}>
                <th scope="row">
                  <button type="button" className={styles.name} onClick={() => onOpen(session.businessId)}>
                    {session.business}
                  </button>
                </th>
                {columns.map((column) => (
                  <td key={column.title}>{column.cell(session)}</td>
                ))}
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
        </>
      )}
    </PagedRows>
  )
}
