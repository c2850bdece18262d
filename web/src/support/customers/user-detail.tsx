import type { UserDetail } from '@limber/contract/support/customers/user.ts'
import { Button } from '@mantine/core'
import { IconNote, IconUserCog } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { prefetchOnHover } from '#platform/api/prefetch-on-hover.ts'
import { useCan } from '#platform/session/session.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { DetailActions, DetailHead, DetailPane } from '#ui/layout/detail-pane.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { TabBar, type TabEntry, TabPanel } from '#ui/layout/tab-bar.tsx'
import { accountMeaning, closedLabels, humanize } from './labels.ts'
import { OverviewTab } from './tabs/overview-tab.tsx'
import {
  userAnalyticsQuery,
  userBookingsQuery,
  userQuery,
  userRewardsQuery,
  userTicketsQuery,
  userTransactionsQuery,
} from './user.api.ts'
import { UserLink } from './user-link.tsx'
import type { ChangeSearch, UserSearch, UserTab } from './user-search.ts'

// Loaded on demand: these are not visible at first.
const TicketsTab = lazy(() => import('./tabs/tickets-tab.tsx'))
const RewardsTab = lazy(() => import('./tabs/rewards-tab.tsx'))
const TransactionsTab = lazy(() => import('./tabs/transactions-tab.tsx'))
const BookingsTab = lazy(() => import('./tabs/bookings-tab.tsx'))
const AnalyticsTab = lazy(() => import('./tabs/analytics-tab.tsx'))
const loadNotes = () => import('./notes-dialog.tsx')
const NotesDialog = lazy(loadNotes)
const loadAccount = () => import('./account/account-dialog.tsx')
const AccountDialog = lazy(loadAccount)

const contents: Record<Exclude<UserTab, 'overview'>, ComponentType<{ id: number }>> = {
  tickets: TicketsTab,
  rewards: RewardsTab,
  transactions: TransactionsTab,
  bookings: BookingsTab,
  analytics: AnalyticsTab,
}

/** Banners for erased, merged and blocked accounts. */
function Notices({ account }: { account: UserDetail['accountStatus'] }) {
  return (
    <>
      {account.isErased && (
        <Banner>This customer was erased on request. Bookings and payments are kept without a name.</Banner>
      )}
      {account.mergedInto !== null && (
        <Banner>
          This account was a duplicate. Its records are now in <UserLink id={account.mergedInto} name="the other one" />
          .
        </Banner>
      )}
      {account.status === 'blocked' && !account.isErased && account.mergedInto === null && (
        <Banner kind="red">Blocked{account.blockedReason && `: ${account.blockedReason}`}</Banner>
      )}
    </>
  )
}

interface Props {
  id: number
  search: UserSearch
  onChange: ChangeSearch
}

function Detail({ user, search, onChange }: Omit<Props, 'id'> & { user: UserDetail }) {
  const { personalInfo, accountStatus } = user
  const { id } = personalInfo
  const ended = accountStatus.isErased ? 'erased' : accountStatus.mergedInto !== null ? 'merged' : undefined
  const maySeeTickets = useCan('users.tickets')
  // Not requested without the permission.
  const tickets = useQuery({ ...userTicketsQuery(id), enabled: maySeeTickets })
  const cache = useQueryClient()
  // Prefetch, so that the other tabs open without a wait.
  useEffect(() => {
    void cache.prefetchQuery(userRewardsQuery(id))
    void cache.prefetchQuery(userTransactionsQuery(id))
    void cache.prefetchQuery(userBookingsQuery(id))
    void cache.prefetchQuery(userAnalyticsQuery(id))
  }, [cache, id])

  const recent = { tab: 'tickets', title: 'Tickets', count: tickets.data?.recentTickets.length } as const
  const entries: TabEntry<UserTab>[] = [
    { tab: 'overview', title: 'Overview' },
    ...(maySeeTickets ? [recent] : []),
    { tab: 'rewards', title: 'Rewards' },
    { tab: 'transactions', title: 'Transactions' },
    { tab: 'bookings', title: 'Bookings' },
    { tab: 'analytics', title: 'Analytics' },
  ]
  const tab = entries.some((entry) => entry.tab === search.tab) ? search.tab : 'overview'
  const Content = tab === 'overview' ? undefined : contents[tab]
  const close = () => onChange({ view: '' })
  return (
    <DetailPane isTight>
      <DetailHead
        title={personalInfo.name}
        badges={
          <>
            {ended ? (
              <StatusBadge meaning="plain">{closedLabels[ended]}</StatusBadge>
            ) : (
              <StatusBadge meaning={accountMeaning[accountStatus.status]}>{humanize(accountStatus.status)}</StatusBadge>
            )}
            <StatusBadge meaning={accountStatus.emailVerified ? 'green' : 'plain'}>
              {accountStatus.emailVerified ? 'Verified' : 'Unverified'}
            </StatusBadge>
          </>
        }
        sub={personalInfo.email}
        actions={
          <DetailActions>
            <Button
              variant="default"
              leftSection={<Icon of={IconNote} />}
              {...prefetchOnHover(loadNotes)}
              onClick={() => onChange({ view: 'notes' })}
            >
              Notes
            </Button>
            <Button
              variant="default"
              leftSection={<Icon of={IconUserCog} />}
              {...prefetchOnHover(loadAccount)}
              onClick={() => onChange({ view: 'account' })}
            >
              Account actions
            </Button>
          </DetailActions>
        }
      />
      <Notices account={accountStatus} />
      <div>
        <TabBar
          id="user"
          label={`About ${personalInfo.name}`}
          tab={tab}
          entries={entries}
          onOpen={(next) => onChange({ tab: next }, { replace: true })}
        />
        <TabPanel id="user" tab={tab}>
          <Suspense fallback={<BlockSkeleton height={240} />}>
            {Content ? <Content id={id} /> : <OverviewTab user={user} />}
          </Suspense>
        </TabPanel>
      </div>
      <Suspense>
        {search.view === 'notes' && (
          <NotesDialog id={id} name={personalInfo.name} isClosed={ended !== undefined} onClose={close} />
        )}
        {search.view === 'account' && <AccountDialog user={user} onClose={close} />}
      </Suspense>
    </DetailPane>
  )
}

const loading = (
  <DetailPane isTight>
    <BlockSkeleton height={44} />
    <BlockSkeleton height={36} />
    <BlockSkeleton height={320} />
  </DetailPane>
)

export function UserDetailView({ id, search, onChange }: Props) {
  const query = useQuery(userQuery(id))
  return (
    <QueryView query={query} loading={loading} failure="Failed to fetch user details">
      {(user) => <Detail user={user} search={search} onChange={onChange} />}
    </QueryView>
  )
}
