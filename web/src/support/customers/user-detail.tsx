import type { UserDetail } from '@limber/contract/support/customers/user.ts'
import type { TimelineGroup } from '@limber/contract/support/timeline/timeline.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useEffect, useEffectEvent } from 'react'
import { useCan } from '#platform/session/session.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'
import { TabBar, type TabEntry, TabPanel } from '#ui/layout/tab-bar.tsx'
import styles from './person.module.css'
import { PersonCrumb, PersonHead } from './person-head.tsx'
import { PersonStrip } from './person-strip.tsx'
import { PersonFacts } from './tabs/person-facts.tsx'
import {
  userAnalyticsQuery,
  userBookingsQuery,
  userQuery,
  userRewardsQuery,
  userTicketsQuery,
  userTransactionsQuery,
} from './user.api.ts'
import type { ChangeSearch, UserSearch, UserTab } from './user-search.ts'

// Loaded on demand: these are not visible at first.
const Timeline = lazy(() => import('../timeline/timeline.tsx'))
const TicketsTab = lazy(() => import('./tabs/tickets-tab.tsx'))
const RewardsTab = lazy(() => import('./tabs/rewards-tab.tsx'))
const TransactionsTab = lazy(() => import('./tabs/transactions-tab.tsx'))
const BookingsTab = lazy(() => import('./tabs/bookings-tab.tsx'))
const AnalyticsTab = lazy(() => import('./tabs/analytics-tab.tsx'))
const PersonLayers = lazy(() => import('./person-layers.tsx'))

interface Content {
  Table: ComponentType<{ id: number }>
  group: TimelineGroup
}

/** Each tab but the first is the timeline with one filter, below its table. */
const contents: Record<Exclude<UserTab, 'overview'>, Content> = {
  tickets: { Table: TicketsTab, group: 'tickets' },
  rewards: { Table: RewardsTab, group: 'credits' },
  transactions: { Table: TransactionsTab, group: 'payments' },
  bookings: { Table: BookingsTab, group: 'bookings' },
  analytics: { Table: AnalyticsTab, group: 'account' },
}

/** Banners for erased and merged accounts. The head says why an account is blocked. */
function Notices({ account, merged }: { account: UserDetail['accountStatus']; merged: number }) {
  return (
    <>
      {account.isErased && (
        <Banner>This customer was erased on request. Bookings and payments are kept without a name.</Banner>
      )}
      {merged > 0 && account.mergedInto === null && (
        <Banner>Account {merged} was a duplicate of this one. Its records are here.</Banner>
      )}
    </>
  )
}

interface Props {
  id: number
  /** The list that the customer was chosen from. */
  from: string
  search: UserSearch
  onChange: ChangeSearch
}

const timelineLoading = <BlockSkeleton height={480} />

function Detail({ user, from, search, onChange }: Omit<Props, 'id'> & { user: UserDetail }) {
  const { personalInfo, accountStatus } = user
  const { id } = personalInfo
  const isClosed = accountStatus.isErased || accountStatus.mergedInto !== null
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
    { tab: 'bookings', title: 'Bookings', count: user.activity.bookings.total },
    { tab: 'analytics', title: 'Analytics' },
  ]
  const tab = entries.some((entry) => entry.tab === search.tab) ? search.tab : 'overview'
  const content = tab === 'overview' ? undefined : contents[tab]
  return (
    <div className={styles.page} data-gives-way={tab === 'overview' || undefined}>
      <PersonCrumb user={user} from={from} search={search} onChange={onChange} />
      <PersonHead user={user} onOpen={(view) => onChange({ view })} />
      <Notices account={accountStatus} merged={search.merged} />
      <PersonStrip user={user} onTab={(next) => onChange({ tab: next }, { replace: true })} />
      <div>
        <TabBar
          id="user"
          label={`About ${personalInfo.name}`}
          tab={tab}
          entries={entries}
          onOpen={(next) => onChange({ tab: next }, { replace: true })}
        />
        <TabPanel id="user" tab={tab}>
          {content ? (
            <div className={styles.stack}>
              <Suspense fallback={<BlockSkeleton height={240} />}>
                <content.Table id={id} />
              </Suspense>
              <Suspense fallback={timelineLoading}>
                <Timeline key={tab} id={id} group={content.group} isClosed={isClosed} />
              </Suspense>
            </div>
          ) : (
            <div className={styles.two}>
              <Suspense fallback={timelineLoading}>
                <Timeline id={id} isClosed={isClosed} />
              </Suspense>
              <PersonFacts user={user} />
            </div>
          )}
        </TabPanel>
      </div>
      <Suspense>
        {search.view !== '' && (
          <PersonLayers
            user={user}
            view={search.view}
            amount={search.amount}
            isClosed={isClosed}
            onClose={() => onChange({ view: '', amount: 0 })}
          />
        )}
      </Suspense>
    </div>
  )
}

const loading = (
  <div className={styles.page}>
    <BlockSkeleton height={44} />
    <BlockSkeleton height={72} />
    <BlockSkeleton height={36} />
    <div className={styles.two}>
      <BlockSkeleton height={480} />
      <BlockSkeleton height={320} />
    </div>
  </div>
)

export function UserDetailView({ id, search, onChange, from }: Props) {
  const query = useQuery(userQuery(id))
  const mergedInto = query.data?.accountStatus.mergedInto ?? null
  // The records of a duplicate are on the page of the remaining account.
  const redirect = useEffectEvent((to: number) => onChange({ user: to, merged: id }, { replace: true }))
  useEffect(() => {
    if (mergedInto !== null) redirect(mergedInto)
  }, [mergedInto])
  return (
    <QueryView query={query} loading={loading} failure="Failed to fetch user details">
      {(user) => <Detail user={user} search={search} onChange={onChange} from={from} />}
    </QueryView>
  )
}
