import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { exportCampaigns } from '@limber/contract/marketing/campaigns/campaign.ts'
import { CampaignPhase, campaignPhaseLabels } from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconRefresh, IconSpeakerphone } from '@tabler/icons-react'
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useIntent } from '#platform/routing/intent.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { Can } from '#platform/session/session.tsx'
import { StatStrip } from '#ui/charts/stat-strip.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { FailureView } from '#ui/feedback/failure-view.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { useFigure } from '#ui/figures/use-figure.ts'
import { SearchField } from '#ui/form/search-field.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { useLastPage } from '#ui/table/use-last-page.ts'
import { campaignsKey, campaignsQuery } from './campaign.api.ts'
import { CampaignCard } from './campaign-card.tsx'
import { listFailure } from './campaign-labels.ts'
import { CampaignSearch } from './campaign-search.ts'
import styles from './campaigns.module.css'

const CampaignFigure = lazy(() => import('./campaign-figure.tsx'))
const NewCampaign = lazy(async () => ({ default: (await import('./new-campaign.tsx')).NewCampaign }))
const EditCampaign = lazy(async () => ({ default: (await import('./edit-campaign.tsx')).EditCampaign }))
const CampaignView = lazy(async () => ({ default: (await import('./campaign-detail.tsx')).CampaignView }))

const filters = [
  { value: '', label: 'All Statuses' },
  ...CampaignPhase.options.map((value) => ({ value: value as string, label: campaignPhaseLabels[value] })),
]

/** Campaigns with their budgets, results and state on Meta. */
export default function Campaigns() {
  useLiveRefresh('campaigns', campaignsKey)
  useLiveRefresh('leads', campaignsKey)
  const cache = useQueryClient()
  const [{ q, status, page, campaign, place }, change] = useSearchState(CampaignSearch)
  const [isAdding, setAdding] = useState(false)
  useIntent('new', () => setAdding(true))
  const [editing, setEditing] = useState(0)
  const query = useQuery(
    campaignsQuery({ page: String(page), ...(q ? { search: q } : {}), ...(status ? { status } : {}) }),
  )
  useLastPage(
    query,
    ({ pagination }) => pagination.totalPages,
    page,
    (last, how) => change({ page: last }, how),
  )
  const isReading = useIsFetching({ queryKey: campaignsKey }) > 0
  const reload = () => void cache.invalidateQueries({ queryKey: campaignsKey })
  const stats = query.isError ? undefined : query.data?.stats
  const figure = useFigure()
  const text = (value: number | undefined) =>
    value === undefined ? (query.isError ? '0' : '--') : formatInteger(value)
  const isFiltered = q !== '' || status !== ''
  const add = (
    <Can permission="campaigns.create">
      <Button onClick={() => setAdding(true)}>+ New Campaign</Button>
    </Can>
  )
  return (
    <>
      <PageHead
        title="Campaigns"
        actions={
          <>
            <ExportButton call={exportCampaigns} query={{ search: q, status }} />
            <Button variant="default" leftSection={<Icon of={IconRefresh} />} loading={isReading} onClick={reload}>
              Refresh
            </Button>
            {add}
          </>
        }
      >
        Your ad campaigns, their budgets and the leads they bring in.
      </PageHead>
      <StatStrip
        label="Campaign totals"
        stats={[
          { id: 'active', label: 'Active', value: text(stats?.active), onOpen: () => figure.onOpen('activeCampaigns') },
          {
            id: 'completed',
            label: 'Completed',
            value: text(stats?.completed),
            onOpen: () => figure.onOpen('completedCampaigns'),
          },
          {
            id: 'leads',
            label: 'Total Leads',
            value: text(stats?.total_leads),
            onOpen: () => figure.onOpen('campaignLeads'),
          },
          {
            id: 'conversions',
            label: 'Conversions',
            value: text(stats?.total_conversions),
            onOpen: () => figure.onOpen('campaignConversions'),
          },
        ]}
      />
      <div className={styles.filters}>
        <SearchField
          label="Search campaigns"
          placeholder="Search campaigns…"
          value={q}
          onFind={(words) => change({ q: words, page: 1 }, { replace: true })}
        />
        <NativeSelect
          aria-label="Status"
          data={filters}
          value={status}
          onChange={(event) =>
            change({ status: CampaignPhase.or(CampaignSearch.shape.status).parse(event.currentTarget.value), page: 1 })
          }
        />
      </div>
      {query.isError ? (
        <FailureView
          error={query.error}
          title={listFailure(query.error)}
          onRetry={reload}
          isRetrying={query.isFetching}
        />
      ) : (
        <QueryView
          query={query}
          isEmpty={({ campaigns }) => campaigns.length === 0}
          empty={
            <EmptyState
              icon={IconSpeakerphone}
              title={isFiltered ? 'No campaigns found' : 'No campaigns yet'}
              {...(isFiltered ? {} : { action: add })}
            >
              {isFiltered
                ? 'Try another search or select All Statuses.'
                : 'Campaigns with their budgets and leads will appear here.'}
            </EmptyState>
          }
        >
          {({ campaigns, pagination }) => (
            <>
              <section className={styles.grid} aria-label="Campaigns" aria-busy={query.isPlaceholderData}>
                {campaigns.map((one) => (
                  <CampaignCard
                    key={one.id}
                    campaign={one}
                    words={q}
                    onEdit={() => setEditing(one.id)}
                    onOpen={figure.onOpen}
                  />
                ))}
              </section>
              <div className={styles.pager}>
                <span role="status">{pluralize(pagination.totalItems, 'campaign')}</span>
                {pagination.totalPages > 1 && (
                  <Pager page={page} pages={pagination.totalPages} onPage={(next) => change({ page: next })} />
                )}
              </div>
            </>
          )}
        </QueryView>
      )}
      <Suspense fallback={null}>
        {campaign > 0 && editing === 0 && (
          <CampaignView
            key={campaign}
            id={campaign}
            onClose={() => change({ campaign: 0 })}
            onEdit={() => setEditing(campaign)}
          />
        )}
        {figure.figure && <CampaignFigure state={figure} campaigns={query.data?.campaigns ?? []} />}
        {(isAdding || place !== '') && (
          <NewCampaign
            place={place}
            isMetaConnected={query.data?.isMetaConnected}
            onClose={() => {
              setAdding(false)
              if (place !== '') change({ place: '' }, { replace: true })
            }}
          />
        )}
        {editing > 0 && <EditCampaign key={editing} id={editing} onClose={() => setEditing(0)} />}
      </Suspense>
    </>
  )
}
