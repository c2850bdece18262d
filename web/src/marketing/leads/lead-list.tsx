import type { ReplyOf } from '@limber/contract/kit/call.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Lead, listLeads } from '@limber/contract/marketing/leads/lead.ts'
import { leadRangeLabels } from '@limber/contract/marketing/leads/lead-range.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconUserSearch } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { now } from '#platform/clock.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { FailureView } from '#ui/feedback/failure-view.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { cx } from '#ui/layout/class-names.ts'
import { Highlight } from '#ui/layout/highlight.tsx'
import { MasterRow } from '#ui/layout/master-row.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { useLastPage } from '#ui/table/use-last-page.ts'
import { useProgressiveRows } from '#ui/table/use-progressive-rows.ts'
import { leadCampaignsQuery, leadWorkersQuery } from './lead.api.ts'
import { errorTitle, nameOf, responseOf, statusLabels, statusMeaning } from './lead-labels.ts'
import styles from './lead-list.module.css'
import { type ChangeSearch, DEFAULT_RANGE, type LeadSearch } from './lead-search.ts'

interface Props {
  query: UseQueryResult<ReplyOf<typeof listLeads>>
  search: LeadSearch
  change: ChangeSearch
  onReload: () => void
}

function Row({ lead, isOpen, words }: { lead: Lead; isOpen: boolean; words: string }) {
  const response = responseOf(lead, now())
  return (
    <MasterRow<'/growth/conversion'> search={{ lead: lead.id }} isOpen={isOpen}>
      <span className={styles.name}>
        <Highlight text={nameOf(lead)} part={words} />
      </span>
      <span className={styles.end}>
        <StatusBadge meaning={statusMeaning[lead.status]}>{statusLabels[lead.status]}</StatusBadge>
      </span>
      <span className={styles.meta}>
        <Highlight text={lead.email ?? lead.phone ?? 'N/A'} part={words} />
      </span>
      <span className={cx(styles.meta, styles.end)} data-late={(response.isWaiting && response.isLate) || undefined}>
        <Moment at={lead.createdAt} form="relative" />
      </span>
    </MasterRow>
  )
}

function Rows({ leads, open, words }: { leads: readonly Lead[]; open: number; words: string }) {
  return useProgressiveRows(leads).map((lead) => (
    <Row key={lead.id} lead={lead} isOpen={lead.id === open} words={words} />
  ))
}

function Assignees({ search, change }: Pick<Props, 'search' | 'change'>) {
  const workers = useQuery(leadWorkersQuery).data ?? []
  const known = ['', 'me', 'none', ...workers.map(({ id }) => String(id))]
  const data = [
    { value: '', label: 'All Assignees' },
    { value: 'me', label: 'Assigned to me' },
    { value: 'none', label: 'Unassigned' },
    ...workers.map(({ id, name, open }) => ({ value: String(id), label: `${name} (${open} open)` })),
    // The URL may contain a worker who is no longer in the list.
    ...(known.includes(search.assignee) ? [] : [{ value: search.assignee, label: `Worker ${search.assignee}` }]),
  ]
  return (
    <NativeSelect
      aria-label="Assignee"
      data={data}
      value={search.assignee}
      onChange={(event) => change({ assignee: event.currentTarget.value, page: 1 })}
    />
  )
}

function Campaigns({ search, change }: Pick<Props, 'search' | 'change'>) {
  const campaigns = useQuery(leadCampaignsQuery).data ?? []
  const isKnown = search.campaign === 0 || campaigns.some(({ id }) => id === search.campaign)
  const data = [
    { value: '0', label: 'All Campaigns' },
    ...campaigns.map(({ id, name }) => ({ value: String(id), label: name })),
    ...(isKnown ? [] : [{ value: String(search.campaign), label: `Campaign ${search.campaign}` }]),
  ]
  return (
    <NativeSelect
      aria-label="Campaign"
      data={data}
      value={String(search.campaign)}
      onChange={(event) => change({ campaign: Number(event.currentTarget.value), page: 1 })}
    />
  )
}

/** The funnel filter of the list, with a button to clear it. */
function FunnelLine({ search, change }: Pick<Props, 'search' | 'change'>) {
  const { reached, standing, range } = search
  if (!reached && !standing) return null
  const came = leadRangeLabels[range || DEFAULT_RANGE].toLowerCase()
  return (
    <div className={styles.part}>
      <span>
        {reached ? `Reached ${statusLabels[reached]}` : standing && `${statusLabels[standing]} now`}, {came}
      </span>
      <Button size="xs" variant="subtle" onClick={() => change({ reached: '', standing: '', page: 1 })}>
        Show all
      </Button>
    </div>
  )
}

/** Leads, newest first, with search and filters. */
export function LeadList({ query, search, change, onReload }: Props) {
  const { q, status, assignee, campaign, page, lead, reached, standing } = search
  useLastPage(
    query,
    ({ pagination }) => pagination.totalPages,
    page,
    (last, how) => change({ page: last }, how),
  )
  const isPart = reached !== '' || standing !== ''
  const isFiltered = q !== '' || status !== '' || assignee !== '' || campaign !== 0 || isPart
  return (
    <>
      <div className={styles.filters}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const [field] = event.currentTarget.elements
            if (field instanceof HTMLInputElement) change({ q: field.value.trim(), page: 1 }, { replace: true })
            onReload()
          }}
        >
          <SearchField
            label="Search leads"
            placeholder="Search leads..."
            value={q}
            onFind={(words) => change({ q: words, page: 1 }, { replace: true })}
          />
        </form>
        <div className={styles.pair}>
          <Assignees search={search} change={change} />
          <Campaigns search={search} change={change} />
        </div>
        <FunnelLine search={search} change={change} />
      </div>
      {query.isError ? (
        // The list is hidden on failure because its content may be stale.
        <FailureView
          error={query.error}
          title={errorTitle(query.error)}
          onRetry={onReload}
          isRetrying={query.isFetching}
        />
      ) : (
        <QueryView
          query={query}
          isEmpty={({ leads }) => leads.length === 0}
          empty={
            <EmptyState icon={IconUserSearch} title={isFiltered ? 'No leads found' : 'No leads yet'}>
              {isFiltered
                ? 'Try another search or clear the filters.'
                : 'Leads from your ad forms will appear here. You can also add one with New Lead.'}
            </EmptyState>
          }
        >
          {({ leads, pagination }) => (
            <>
              <div aria-busy={query.isPlaceholderData}>
                <Rows leads={leads} open={lead} words={q} />
              </div>
              <div className={styles.foot}>
                <span role="status">{pluralize(pagination.totalItems, 'lead')}</span>
                {pagination.totalPages > 1 && (
                  <Pager page={page} pages={pagination.totalPages} onPage={(next) => change({ page: next })} />
                )}
              </div>
            </>
          )}
        </QueryView>
      )}
    </>
  )
}
