import { exportReferrals, type Referral, suspicions } from '@limber/contract/growth/referrals/referral.ts'
import { NativeSelect } from '@mantine/core'
import { IconUsersPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useSearchState } from '#platform/routing/search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { TabBar, TabPanel } from '#ui/layout/tab-bar.tsx'
import { type Column, DataTable, type TablePage } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { FilterRow } from '#ui/table/filter-row.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { dollars } from '../labels.ts'
import { decisionLabels, kindLabels, reasonLabels } from './labels.ts'
import { peopleQuery } from './referral.api.ts'
import { ReferralSearch } from './referral-search.ts'
import styles from './referrals.module.css'

const ReferralDialog = lazy(() => import('./referral-dialog.tsx'))

const reviewOf = { participants: '', review: 'open', approved: 'approved', rejected: 'rejected' } as const

const columns: Column<Referral>[] = [
  { key: 'name', title: 'Name', isTitle: true, wraps: true, cell: ({ name }) => name },
  { key: 'referrer', title: 'Referred by', wraps: true, cell: ({ referrer }) => referrer.name },
  { key: 'kind', title: 'Type', cell: ({ kind }) => kindLabels[kind] },
  { key: 'joined', title: 'Joined', cell: ({ joinedAt }) => <Moment at={joinedAt} form="day" /> },
  {
    key: 'state',
    title: 'Status',
    cell: ({ state }) => (
      <StatusDot meaning={state === 'converted' ? 'green' : 'amber'}>
        {state === 'converted' ? 'Converted' : 'Pending'}
      </StatusDot>
    ),
  },
  { key: 'earnings', title: 'Earnings', isRight: true, cell: ({ earnings }) => dollars(earnings) },
  {
    key: 'review',
    title: 'Review',
    cell: ({ reasons, review }) =>
      review ? (
        <StatusDot meaning={review.decision === 'approved' ? 'green' : 'red'}>
          {decisionLabels[review.decision]}
        </StatusDot>
      ) : (
        <span className={styles.reasons}>
          {reasons.map((reason) => (
            <span key={reason} title={suspicions[reason]}>
              <StatusDot meaning="amber">{reasonLabels[reason]}</StatusDot>
            </span>
          ))}
        </span>
      ),
  },
]

const emptyTitles: Record<ReferralSearch['view'], string> = {
  participants: 'No referrals yet',
  review: 'No referrals to review',
  approved: 'No approved referrals yet',
  rejected: 'No rejected referrals yet',
}

/** All referrals, and the queue of those to review. */
export default function ReferralPeople({ toReview }: { toReview: number | undefined }) {
  const [search, change] = useSearchState(ReferralSearch)
  const table = useTableState('referrals', { limit: 10 })
  const { q, kind, state, view } = search
  const query = useQuery({
    ...peopleQuery({
      page: String(table.page),
      limit: String(table.limit),
      search: q,
      kind,
      state,
      review: reviewOf[view],
    }),
    select: ({ referrals, pagination }): TablePage<Referral> => ({
      rows: referrals,
      totalItems: pagination.totalItems,
      isMore: pagination.isMore,
    }),
  })
  const filter = (part: Partial<ReferralSearch>) => change({ ...part, page: 1 }, { replace: true })
  const isFiltered = q !== '' || kind !== '' || state !== ''
  return (
    <>
      <TabBar
        id="referrals"
        label="Referrals"
        tab={view}
        entries={[
          { tab: 'participants', title: 'Participants' },
          { tab: 'review', title: 'To review', count: toReview },
          { tab: 'approved', title: 'Approved' },
          { tab: 'rejected', title: 'Rejected' },
        ]}
        onOpen={(next) => change({ view: next, page: 1 })}
      />
      <TabPanel id="referrals" tab={view}>
        <SectionCard isFlush>
          <FilterRow>
            <SearchField
              label="Search participants"
              placeholder="Search participants..."
              value={q}
              onFind={(words) => filter({ q: words })}
            />
            <NativeSelect
              aria-label="Referred by"
              data={[
                { value: '', label: 'By anyone' },
                { value: 'user', label: 'By users' },
                { value: 'stretcher', label: 'By stretchers' },
                { value: 'worker', label: 'By workers' },
              ]}
              value={kind}
              onChange={(event) => filter({ kind: event.currentTarget.value as ReferralSearch['kind'] })}
            />
            <NativeSelect
              aria-label="Status"
              data={[
                { value: '', label: 'Any status' },
                { value: 'pending', label: 'Pending' },
                { value: 'converted', label: 'Converted' },
              ]}
              value={state}
              onChange={(event) => filter({ state: event.currentTarget.value as ReferralSearch['state'] })}
            />
            <ExportButton
              call={exportReferrals}
              query={{ search: q, kind, state, review: reviewOf[view] }}
              total={query.data?.isMore ? undefined : query.data?.totalItems}
            />
          </FilterRow>
          <DataTable
            label="Participants"
            query={query}
            columns={columns}
            keyOf={({ userId }) => userId}
            state={table}
            onOpen={({ userId }) => change({ referral: userId })}
            openKey={search.referral || null}
            empty={
              <EmptyState icon={IconUsersPlus} title={isFiltered ? 'No referrals found' : emptyTitles[view]}>
                {isFiltered
                  ? 'Try another search or clear the filters.'
                  : 'Referrals appear here when referred customers join.'}
              </EmptyState>
            }
          />
        </SectionCard>
      </TabPanel>
      {search.referral > 0 && (
        <Suspense>
          <ReferralDialog key={search.referral} id={search.referral} onClose={() => change({ referral: 0 })} />
        </Suspense>
      )}
    </>
  )
}
