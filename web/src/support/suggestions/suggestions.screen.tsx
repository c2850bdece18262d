import {
  exportSuggestions,
  type Suggestion,
  suggestionStatusLabels,
} from '@limber/contract/support/suggestions/kb-suggestion.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconBulb, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { prefetchOnHover } from '#platform/api/prefetch-on-hover.ts'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable, type TablePage } from '#ui/table/data-table.tsx'
import { LazyExportButton } from '#ui/table/lazy-export-button.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { PriorityBars } from '../tickets/priority-bars.tsx'
import { priorityLabels } from '../tickets/priority-labels.ts'
import { sectionLabels, statusMeaning, statusOptions } from './labels.ts'
import { suggestionsKey, suggestionsQuery } from './suggestion.api.ts'
import { SuggestionMenu } from './suggestion-menu.tsx'
import { SuggestionSearch } from './suggestion-search.ts'
import styles from './suggestions.module.css'

const loadNew = () => import('./new-suggestion.tsx')
const NewSuggestion = lazy(loadNew)
const SuggestionDialog = lazy(() => import('./suggestion-dialog.tsx'))

const SORTS = ['title', 'section', 'priority', 'status', 'created'] as const

/** Suggestions for the knowledge base. */
export default function Suggestions() {
  useLiveRefresh('suggestions', suggestionsKey)
  const [search, change] = useSearchState(SuggestionSearch)
  const table = useTableState('suggestions', { limit: 10, sort: '-created' })
  const filters = {
    sort: SORTS.find((one) => one === table.sort?.by) ?? 'created',
    order: table.sort?.isDown ? ('desc' as const) : ('asc' as const),
    status: search.status,
    ...(search.q ? { search: search.q } : {}),
  }
  const query = useQuery({
    ...suggestionsQuery({ page: String(table.page), limit: String(table.limit), ...filters }),
    select: ({ data, pagination }): TablePage<Suggestion> => ({ rows: data, totalItems: pagination.totalItems }),
  })
  const filter = (part: Partial<SuggestionSearch>) => change({ ...part, page: 1 }, { replace: true })
  const open = (suggestion: number, view: SuggestionSearch['view'] = '') => change({ suggestion, view })
  const close = () => change({ suggestion: 0, view: '' })
  const isFiltered = search.q !== '' || search.status !== ''

  const columns: Column<Suggestion>[] = [
    { key: 'title', title: 'Title', sort: 'title', isTitle: true, cell: ({ title }) => title },
    { key: 'section', title: 'Section', sort: 'section', cell: (row) => sectionLabels[row.target_section] },
    {
      key: 'priority',
      title: 'Priority',
      sort: 'priority',
      isDownFirst: true,
      cell: ({ priority }) => (
        <span className={styles.priority}>
          {/* The label next to the bars says the same. */}
          <span className={styles.bars} aria-hidden>
            <PriorityBars of={priority} />
          </span>
          {priorityLabels[priority]}
        </span>
      ),
    },
    {
      key: 'status',
      title: 'Status',
      sort: 'status',
      cell: ({ status }) => <StatusDot meaning={statusMeaning[status]}>{suggestionStatusLabels[status]}</StatusDot>,
    },
    {
      key: 'created',
      title: 'Created',
      sort: 'created',
      isDownFirst: true,
      cell: ({ createdAt }) => <Moment at={createdAt} form="day" />,
    },
    {
      key: 'actions',
      title: 'Actions',
      isRight: true,
      cell: (row) => (
        <SuggestionMenu suggestion={row} onView={() => open(row.id)} onReview={() => open(row.id, 'review')} />
      ),
    },
  ]
  const actions = (
    <>
      <LazyExportButton call={exportSuggestions} query={filters} total={query.data?.totalItems} />
      <Button leftSection={<Icon of={IconPlus} />} {...prefetchOnHover(loadNew)} onClick={() => open(0, 'new')}>
        New Suggestion
      </Button>
    </>
  )
  return (
    <>
      <PageHead title="Knowledge Base Suggestions" actions={actions}>
        Improve the public pages based on what customers ask.
      </PageHead>
      <SectionCard isFlush className={styles.list ?? ''}>
        <div className={styles.filters}>
          <SearchField
            label="Search suggestions"
            placeholder="Search suggestions..."
            value={search.q}
            onFind={(q) => filter({ q })}
          />
          <NativeSelect
            aria-label="Status"
            data={[{ value: '', label: 'Any status' }, ...statusOptions]}
            value={search.status}
            onChange={(event) => filter({ status: event.currentTarget.value as SuggestionSearch['status'] })}
          />
        </div>
        <DataTable
          label="Knowledge Base Suggestions"
          query={query}
          columns={columns}
          keyOf={({ id }) => id}
          state={table}
          onOpen={({ id }) => open(id)}
          openKey={search.suggestion || null}
          failure="Failed to load suggestions"
          empty={
            <EmptyState
              icon={IconBulb}
              title={isFiltered ? 'No suggestions found' : 'No suggestions yet'}
              {...(!isFiltered && {
                action: (
                  <Button variant="default" onClick={() => open(0, 'new')}>
                    Add the first one
                  </Button>
                ),
              })}
            >
              {isFiltered ? 'Try other words or another status.' : 'What customers ask, and what the pages should say.'}
            </EmptyState>
          }
        />
      </SectionCard>
      <Suspense>
        {search.view === 'new' && <NewSuggestion onClose={close} />}
        {search.suggestion > 0 && (
          <SuggestionDialog
            key={search.suggestion}
            id={search.suggestion}
            isReviewing={search.view === 'review'}
            onReview={() => open(search.suggestion, 'review')}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  )
}
