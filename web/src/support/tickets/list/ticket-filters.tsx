import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { SearchField } from '#ui/form/search-field.tsx'
import { priorityOptions } from '../priority-labels.ts'
import { ticketWorkersQuery } from '../ticket.api.ts'
import type { ChangeSearch, TicketSearch } from '../ticket-search.ts'
import type { TicketSelection } from './selection.ts'
import styles from './ticket-list.module.css'

const MoreFilters = lazy(() => import('#support/queues/more-filters.tsx'))

const priorities = [
  { value: '', label: 'Any priority' },
  ...priorityOptions.map(({ value, label }) => ({ value, label: `${label} priority` })),
]

interface Props {
  search: TicketSearch
  onChange: ChangeSearch
  selection: TicketSelection
}

export function TicketFilters({ search, onChange, selection }: Props) {
  const { data: workers = [] } = useQuery(ticketWorkersQuery)
  const assignees = [
    { value: '', label: 'Anyone' },
    { value: 'me', label: 'Mine' },
    { value: 'none', label: 'Unassigned' },
    ...workers.map(({ id, name, open }) => ({ value: String(id), label: `${name} (${open})` })),
  ]
  return (
    <div className={styles.filters}>
      <div className={styles.ask}>
        <SearchField
          label="Search tickets..."
          placeholder="Search tickets..."
          value={search.q}
          onFind={(q) => onChange({ q, page: 1 }, { replace: true })}
        />
        {selection.tickets.length > 0 && (
          <Button
            className={styles.select ?? ''}
            variant="default"
            aria-pressed={selection.isSelectMode}
            onClick={selection.isSelectMode ? selection.clear : selection.start}
          >
            {selection.isSelectMode ? 'Done' : 'Select'}
          </Button>
        )}
      </div>
      <div className={styles.choices}>
        <NativeSelect
          aria-label="Assignee"
          data={assignees}
          value={search.assignee}
          onChange={(event) => onChange({ assignee: event.currentTarget.value, page: 1 })}
        />
        <NativeSelect
          aria-label="Priority"
          data={priorities}
          value={search.priority}
          onChange={(event) => onChange({ priority: event.currentTarget.value as TicketSearch['priority'], page: 1 })}
        />
      </div>
      <div className={styles.more}>
        <Suspense>
          <MoreFilters search={search} onChange={onChange} />
        </Suspense>
      </div>
    </div>
  )
}
