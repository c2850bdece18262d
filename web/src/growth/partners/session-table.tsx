import type { PartnerSession, PartnerSessions } from '@limber/contract/growth/partner.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { dayText } from '#ui/day-text.ts'
import { figure } from '#ui/plain-table.tsx'
import type { TurnPage } from '#ui/use-last-page.ts'
import { PagedRows } from './paged-rows.tsx'
import styles from './partners.module.css'

interface Column {
  title: string
  cell: (session: PartnerSession) => ReactNode
  /** Stands at the right edge, as actions do. */
  isLast?: boolean
}

interface Props {
  label: string
  query: UseQueryResult<PartnerSessions>
  /** What stands in place of an empty table. */
  none: string
  page: number
  onPage: TurnPage
  /** Opens the panel of a partner. */
  onOpen: (partner: number) => void
  /** What is said beside business, date, time, place, length and contact. */
  more: readonly Column[]
}

const common: readonly Column[] = [
  { title: 'Date', cell: ({ date }) => dayText(date) },
  { title: 'Time', cell: ({ time }) => time },
  { title: 'Location', cell: ({ location }) => <span className={styles.location}>{location ?? '--'}</span> },
  { title: 'Slot Length', cell: ({ slotLength }) => (slotLength === null ? '--' : `${slotLength} min`) },
  { title: 'Contact', cell: ({ contact }) => contact },
]

const edge = ({ isLast }: Column) => (isLast ? { className: figure } : {})

/** On-site sessions with partners, a page at a time. */
export function SessionTable({ label, query, none, page, onPage, onOpen, more }: Props) {
  const columns = [...common, ...more]
  return (
    <PagedRows label={label} query={query} rowsOf={({ sessions }) => sessions} none={none} page={page} onPage={onPage}>
      {(sessions) => (
        <>
          <thead>
            <tr>
              <th>Business</th>
              {columns.map((column) => (
                <th key={column.title} {...edge(column)}>
                  {column.title}
                </th>
              ))}
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
                  <td key={column.title} {...edge(column)}>
                    {column.cell(session)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </>
      )}
    </PagedRows>
  )
}
