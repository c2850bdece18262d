import { formatInteger, formatPhone } from '@limber/contract/kit/formats/numbers.ts'
import type { CustomerFilter, UserList as Listed } from '@limber/contract/support/customers/customer.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { NextStep } from '#platform/routing/next-step.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { FailureView } from '#ui/feedback/failure-view.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { pluralizeRows } from '#ui/format/row-count.ts'
import { Highlight } from '#ui/layout/highlight.tsx'
import { MasterRow } from '#ui/layout/master-row.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { useLastPage } from '#ui/table/use-last-page.ts'
import { closedLabels } from './labels.ts'
import { listOf, usersQuery } from './user.api.ts'
import styles from './user-list.module.css'
import type { ChangeSearch, UserSearch } from './user-search.ts'

const statuses: { value: CustomerFilter; label: string }[] = [
  { value: 'all', label: 'All Users' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
  { value: 'blocked', label: 'Blocked' },
]

/** Whether the search is part of this phone number, in any notation. */
const containsPhone = (phone: string, words: string) =>
  /^\+?[\d\s().-]+$/.test(words) && /\d{3}/.test(words) && phone.includes(words.replace(/\D/g, ''))

interface CardProps {
  user: Listed['users'][number]
  isOpen: boolean
  words: string
}

function UserCard({ user, isOpen, words }: CardProps) {
  const { id, name, email, phone, verified, rank, points, status, ended } = user
  return (
    <MasterRow<'/support/users'> search={{ user: id, view: '' }} isOpen={isOpen}>
      <span className={styles.card}>
        <span className={styles.name}>
          <Highlight text={name} part={words} />
        </span>
        <span className={styles.badge}>
          <StatusBadge meaning={verified ? 'green' : 'plain'}>{verified ? 'Verified' : 'Unverified'}</StatusBadge>
        </span>
        <span className={styles.meta}>
          <Highlight text={email} part={words} />
        </span>
        <span className={styles.standing}>
          {ended ? (
            <span>{closedLabels[ended]}</span>
          ) : (
            <>
              {status === 'blocked' && <span className={styles.blocked}>Blocked</span>}
              {rank} · {formatInteger(points)} pts
            </>
          )}
        </span>
        {phone && (
          <span className={styles.phone} data-found={containsPhone(phone, words) || undefined}>
            {formatPhone(phone)}
          </span>
        )}
      </span>
    </MasterRow>
  )
}

/** Customers, newest first, searched by name, email or phone. */
export function UserList({ search, onChange }: { search: UserSearch; onChange: ChangeSearch }) {
  const { q, status, page, user } = search
  const query = useQuery(usersQuery(listOf(search)))
  useLastPage(
    query,
    ({ pagination }) => pagination.pages,
    page,
    (last, how) => onChange({ page: last }, how),
  )
  const isFiltered = q !== '' || status !== 'all'
  const clear = (
    <Button variant="default" onClick={() => onChange({ q: '', status: 'all', page: 1 })}>
      Clear filters
    </Button>
  )
  return (
    <>
      <div className={styles.filters}>
        <SearchField
          label="Search users"
          placeholder="Search users..."
          value={q}
          onFind={(words) => onChange({ q: words, page: 1 }, { replace: true })}
        />
        <NativeSelect
          aria-label="Status"
          data={statuses}
          value={status}
          onChange={(event) => onChange({ status: event.currentTarget.value as CustomerFilter, page: 1 })}
        />
      </div>
      {query.isError ? (
        // After a failed refresh, show the error instead of stale rows.
        <FailureView
          title="Failed to fetch users"
          error={query.error}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      ) : (
        <QueryView
          query={query}
          loading={<ListSkeleton rows={8} hasPicture={false} />}
          isEmpty={({ users }) => users.length === 0}
          empty={
            <EmptyState
              icon={IconUsers}
              title={isFiltered ? 'No users found' : 'No users yet'}
              action={
                isFiltered ? (
                  clear
                ) : (
                  <NextStep to="/worker/import" search={{ kind: 'customers' }} needs="access.manage">
                    Import customers
                  </NextStep>
                )
              }
            >
              {isFiltered
                ? 'Try part of a name, an email or a phone number.'
                : 'Import customers from a file, or let your app send them. Converted leads and hired stretchers appear here, too.'}
            </EmptyState>
          }
        >
          {({ users, pagination }) => (
            <>
              {users.map((one) => (
                <UserCard key={one.id} user={one} isOpen={one.id === user} words={q} />
              ))}
              <div className={styles.foot}>
                <span role="status">{pluralizeRows(pagination, 'user')}</span>
                {pagination.pages > 1 && (
                  <Pager page={page} pages={pagination.pages} onPage={(next) => onChange({ page: next })} />
                )}
              </div>
            </>
          )}
        </QueryView>
      )}
    </>
  )
}
