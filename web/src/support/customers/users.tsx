import { exportUsers } from '@limber/contract/support/customers/customer.ts'
import { useRef } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { PageHead } from '#ui/layout/page-head.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { useRowNavigation } from '#ui/table/row-navigation.ts'
import { userQuery, usersKey, userTicketsKey } from './user.api.ts'
import { UserDetailView } from './user-detail.tsx'
import styles from './user-list.module.css'
import { UserList } from './user-list.tsx'
import { UserSearch } from './user-search.ts'

/** The list of customers, or one of them on a page of their own. Used in Support and in the Managing Admin Dashboard. */
export function Users({ title }: { title: 'User Overview' | 'User directory' }) {
  useLiveRefresh('customers', usersKey)
  const [search, change] = useSearchState(UserSearch)
  const list = useRef<HTMLElement>(null)
  useRowNavigation(list)
  // The overview also counts tickets.
  useLiveRefresh('tickets', userTicketsKey, userQuery(search.user).queryKey)
  if (search.user)
    return <UserDetailView key={search.user} id={search.user} from={title} search={search} onChange={change} />
  return (
    <>
      <PageHead
        title={title}
        actions={<ExportButton call={exportUsers} query={{ search: search.q, status: search.status }} />}
        isOneLine
      >
        <span>Select a user to view details</span>: account, activity, rewards, payments and bookings.
      </PageHead>
      <section className={styles.list} aria-label="Users" ref={list}>
        <UserList search={search} onChange={change} />
      </section>
    </>
  )
}
