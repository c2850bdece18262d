import type { BusinessRow } from '@limber/contract/businesses/business/business.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconBuildingStore } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { Highlight } from '#ui/layout/highlight.tsx'
import { MasterRow } from '#ui/layout/master-row.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { useLastPage } from '#ui/table/use-last-page.ts'
import { businessesQuery } from './business.api.ts'
import type { BusinessSearch, ChangeSearch } from './business-search.ts'
import styles from './businesses.module.css'

const states = [
  { value: 'current', label: 'Current' },
  { value: 'archived', label: 'Archived' },
]

function Row({ business, isOpen, words }: { business: BusinessRow; isOpen: boolean; words: string }) {
  const { id, name, custom_path, zone_name, available_hours } = business
  return (
    <MasterRow<'/worker/managing/businesses'>
      search={{ business: id, block: undefined, blocks: undefined, view: '' }}
      isOpen={isOpen}
    >
      <span className={styles.name}>
        <Highlight text={name} part={words} />
      </span>
      <span className={styles.hours}>
        {available_hours > 0 ? `${available_hours} h` : <span className={styles.none}>none</span>}
      </span>
      <span className={styles.meta}>
        /<Highlight text={custom_path} part={words} /> · {zone_name}
      </span>
    </MasterRow>
  )
}

interface ListProps {
  search: BusinessSearch
  onChange: ChangeSearch
  onAdd: () => void
}

/** Businesses by name, with their available hours. */
export function BusinessList({ search, onChange, onAdd }: ListProps) {
  const { q, state, page, business } = search
  const query = useQuery(businessesQuery({ page: String(page), state, ...(q ? { search: q } : {}) }))
  useLastPage(
    query,
    ({ pagination }) => pagination.totalPages,
    page,
    (last, how) => onChange({ page: last }, how),
  )
  const empty = (
    <EmptyState
      icon={IconBuildingStore}
      title={q ? 'No businesses found' : 'No businesses yet'}
      action={
        !q && state !== 'archived' ? (
          <Button variant="default" onClick={onAdd}>
            Add the first business
          </Button>
        ) : undefined
      }
    >
      {q
        ? 'Try another search.'
        : state === 'archived'
          ? 'Archived businesses appear here.'
          : 'A business buys prepaid blocks for on-site sessions.'}
    </EmptyState>
  )
  return (
    <div className={styles.rows}>
      <div className={styles.filters}>
        <SearchField
          label="Search businesses"
          placeholder="Search"
          value={q}
          onFind={(words) => onChange({ q: words, page: 1 }, { replace: true })}
        />
        <NativeSelect
          aria-label="Status"
          data={states}
          value={state}
          onChange={(event) => onChange({ state: event.currentTarget.value as BusinessSearch['state'], page: 1 })}
        />
      </div>
      <QueryView
        query={query}
        failure="Couldn't load businesses"
        loading={<ListSkeleton rows={8} hasPicture={false} />}
        isEmpty={({ businesses }) => businesses.length === 0}
        empty={empty}
      >
        {({ businesses, pagination }) => (
          <>
            {businesses.map((one) => (
              <Row key={one.id} business={one} isOpen={one.id === business} words={q} />
            ))}
            {pagination.totalPages > 1 && (
              <div className={styles.foot}>
                <Pager page={page} pages={pagination.totalPages} onPage={(next) => onChange({ page: next })} />
              </div>
            )}
          </>
        )}
      </QueryView>
    </div>
  )
}
