import { exportLeads } from '@limber/contract/marketing/leads/lead.ts'
import { Button } from '@mantine/core'
import { IconChartBar, IconPlus, IconRefresh } from '@tabler/icons-react'
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useIntent } from '#platform/routing/intent.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { Can } from '#platform/session/session.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { MasterDetail } from '#ui/layout/master-detail.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { FunnelBand } from './funnel-band.tsx'
import { leadsKey, leadsQuery } from './lead.api.ts'
import { LeadList } from './lead-list.tsx'
import { DEFAULT_RANGE, LeadSearch, noFilter } from './lead-search.ts'
import { LeadStatCards } from './lead-stat-cards.tsx'
import styles from './leads.module.css'

const LeadView = lazy(async () => ({ default: (await import('./lead-detail.tsx')).LeadView }))
const LeadAnalyticsPanel = lazy(async () => ({ default: (await import('./lead-analytics.tsx')).LeadAnalyticsPanel }))
const NewLead = lazy(async () => ({ default: (await import('./new-lead.tsx')).NewLead }))

/** Lead Management: the list of leads, and beside it the open lead or the figures of all. */
export default function Leads() {
  useLiveRefresh('leads', leadsKey)
  const cache = useQueryClient()
  const [search, change] = useSearchState(LeadSearch)
  const [isAdding, setAdding] = useState(false)
  useIntent('new', () => setAdding(true))
  const { q, status, assignee, campaign, page, lead, reached, standing, panel } = search
  const range = search.range || DEFAULT_RANGE
  const filters = {
    ...(q ? { search: q } : {}),
    ...(status || standing ? { status: status || standing } : {}),
    ...(reached ? { reached } : {}),
    ...(reached || standing ? { timeRange: range } : {}),
    ...(assignee ? { assigned_to: assignee } : {}),
    ...(campaign ? { campaign: String(campaign) } : {}),
  }
  const options = leadsQuery({ page: String(page), ...filters })
  const query = useQuery(options)
  const isReading = useIsFetching({ queryKey: leadsKey }) > 0
  const hasFigures = panel === 'analytics' && lead === 0
  const actions = (
    <>
      <ExportButton call={exportLeads} query={filters} total={query.data?.pagination.totalItems} />
      <Can permission="leads.refresh">
        <Button
          variant="default"
          leftSection={<Icon of={IconRefresh} />}
          loading={isReading}
          onClick={() => void cache.invalidateQueries({ queryKey: leadsKey })}
        >
          Refresh
        </Button>
      </Can>
      <Button
        variant="default"
        leftSection={<Icon of={IconChartBar} />}
        className={styles.toFigures ?? ''}
        data-has-lead={lead > 0 || undefined}
        aria-expanded={hasFigures}
        onClick={() => change({ panel: hasFigures ? '' : 'analytics', lead: 0 })}
      >
        Analytics
      </Button>
      <Can permission="leads.create">
        <Button leftSection={<Icon of={IconPlus} />} onClick={() => setAdding(true)}>
          New Lead
        </Button>
      </Can>
    </>
  )
  const list = (
    <LeadList query={query} search={search} change={change} onReload={() => void cache.invalidateQueries(options)} />
  )
  // The other filters are cleared so that the list matches the number. On a phone it takes the place of the figures.
  const figures = (
    <div className={styles.figures}>
      <p className={styles.hint}>
        <strong>Select a lead</strong> <span>for contact details, source, status and notes.</span>
      </p>
      <LeadStatCards
        query={query}
        status={status}
        onStatus={(next) => change({ status: next, reached: '', standing: '', page: 1, panel: '' })}
      />
      <FunnelBand
        range={range}
        open={{ reached, standing }}
        onOpen={(part) => change({ ...noFilter, ...part, range, panel: '' })}
      />
      <Suspense fallback={<p className={styles.loading}>Loading analytics…</p>}>
        <LeadAnalyticsPanel range={range} onRange={(next) => change({ range: next, page: 1 })} />
      </Suspense>
    </div>
  )
  return (
    <>
      <PageHead title="Lead Management" actions={actions}>
        People interested in sessions, from first contact to first booking.
      </PageHead>
      <MasterDetail
        listName="Leads"
        list={list}
        detail={
          lead > 0 ? (
            <Suspense fallback={<ListSkeleton />}>
              <LeadView key={lead} id={lead} onMoved={(id) => change({ lead: id }, { replace: true })} />
            </Suspense>
          ) : hasFigures ? (
            figures
          ) : null
        }
        placeholder={figures}
        onBack={() => change({ lead: 0, panel: '' })}
      />
      {isAdding && (
        <Suspense fallback={null}>
          <NewLead onClose={() => setAdding(false)} onOpen={(id) => change({ lead: id })} />
        </Suspense>
      )}
    </>
  )
}
