import { exportUsers } from '@limber/contract/support/customers/customer.ts'
import { IconUserSearch } from '@tabler/icons-react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { MasterDetail } from '#ui/layout/master-detail.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { userQuery, usersKey, userTicketsKey } from './user.api.ts'
import { UserDetailView } from './user-detail.tsx'
import { UserList } from './user-list.tsx'
import { UserSearch } from './user-search.ts'

const nothing = (
  <EmptyState icon={IconUserSearch} title="Select a user to view details">
    Account, activity, rewards, payments and bookings.
  </EmptyState>
)

/** The list of customers, or one of them on a page of their own. Used in Support and in the Managing Admin Dashboard. */
export function Users({ title }: { title: 'User Overview' | 'User directory' }) {
  useLiveRefresh('customers', usersKey)
  const [search, change] = useSearchState(UserSearch)
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
        Find customers, check their activity and manage their accounts.
      </PageHead>
      <MasterDetail
        listName="Users"
        list={<UserList search={search} onChange={change} />}
        detail={null}
        placeholder={nothing}
        onBack={() => change({ user: 0, tab: 'overview', view: '' })}
      />
    </>
  )
}
