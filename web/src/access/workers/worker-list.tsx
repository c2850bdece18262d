import { rolePresets } from '@limber/contract/access/workers/role-presets.ts'
import type { WorkerRow } from '@limber/contract/access/workers/worker.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { NativeSelect } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { cx } from '#ui/layout/class-names.ts'
import { Highlight } from '#ui/layout/highlight.tsx'
import { MasterRow } from '#ui/layout/master-row.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { useLastPage } from '#ui/table/use-last-page.ts'
import { workersQuery } from '../access.api.ts'
import { statusLabels, statusMeaning } from './worker-labels.ts'
import styles from './worker-list.module.css'
import type { WorkerSearch } from './worker-search.ts'

const statuses = [
  { value: '', label: 'Any status' },
  { value: 'active', label: 'Active' },
  { value: 'invited', label: 'Invited' },
  { value: 'disabled', label: 'Disabled' },
]

const roles = [{ value: '', label: 'Any role' }, ...Object.keys(rolePresets)]

interface Props {
  search: WorkerSearch
  onChange: (change: Partial<WorkerSearch>, how?: { replace?: boolean }) => void
}

function Row({ worker, isOpen, searched }: { worker: WorkerRow; isOpen: boolean; searched: string }) {
  const { id, name, email, role, status, openSessions } = worker
  return (
    <MasterRow<'/worker/tech/access'> search={{ worker: id }} isOpen={isOpen}>
      <span className={styles.name}>
        <Highlight text={name} part={searched} />
      </span>
      <span className={cx(styles.meta, styles.end)}>{role ?? 'No role'}</span>
      <span className={styles.meta}>
        <Highlight text={email} part={searched} />
      </span>
      <span className={cx(styles.meta, styles.end)}>
        {openSessions > 0 ? (
          <StatusDot meaning="green">Signed in</StatusDot>
        ) : (
          // Most workers are active, so only the others get a color.
          <StatusDot meaning={status === 'active' ? 'plain' : statusMeaning[status]}>{statusLabels[status]}</StatusDot>
        )}
      </span>
    </MasterRow>
  )
}

/** Workers in the order of their names, searched by name or email. */
export function WorkerList({ search, onChange }: Props) {
  const { q, status, role, page, worker } = search
  const query = useQuery(
    workersQuery({
      page: String(page),
      ...(q ? { search: q } : {}),
      ...(status ? { status } : {}),
      ...(role in rolePresets ? { role } : {}),
    }),
  )
  useLastPage(
    query,
    ({ pagination }) => pagination.totalPages,
    page,
    (last, how) => onChange({ page: last }, how),
  )
  const isFiltered = q !== '' || status !== '' || role !== ''
  return (
    <>
      <div className={styles.filters}>
        <SearchField
          label="Search workers"
          placeholder="Name or email"
          value={q}
          onFind={(text) => onChange({ q: text, page: 1 }, { replace: true })}
        />
        <NativeSelect
          aria-label="Status"
          data={statuses}
          value={status}
          onChange={(event) => onChange({ status: event.currentTarget.value as WorkerSearch['status'], page: 1 })}
        />
        <NativeSelect
          aria-label="Filter by role"
          data={roles}
          value={role in rolePresets ? role : ''}
          onChange={(event) => onChange({ role: event.currentTarget.value, page: 1 })}
        />
      </div>
      <QueryView
        query={query}
        isEmpty={({ workers }) => workers.length === 0}
        empty={
          <EmptyState icon={IconUsers} title={isFiltered ? 'No workers found' : 'No workers yet'}>
            {isFiltered ? 'Try another search, role or status.' : 'Invited workers will appear here.'}
          </EmptyState>
        }
      >
        {({ workers, pagination }) => (
          <>
            {workers.map((one) => (
              <Row key={one.id} worker={one} isOpen={one.id === worker} searched={q} />
            ))}
            <div className={styles.foot}>
              <span role="status">{pluralize(pagination.totalItems, 'worker')}</span>
              {pagination.totalPages > 1 && (
                <Pager page={page} pages={pagination.totalPages} onPage={(next) => onChange({ page: next })} />
              )}
            </div>
          </>
        )}
      </QueryView>
    </>
  )
}
