import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { Highlight } from '#ui/layout/highlight.tsx'
import { MasterRow } from '#ui/layout/master-row.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { useLastPage } from '#ui/table/use-last-page.ts'
import { labelOf } from '../labels.ts'
import { type Earner, earnersQuery } from './earner.api.ts'
import styles from './earners.module.css'

interface Search {
  q: string
  page: number
  earner: number
}

interface Props {
  search: Search
  onChange: (change: Partial<Search>, how?: { replace?: boolean }) => void
}

function Row({ earner, isOpen, searchText }: { earner: Earner; isOpen: boolean; searchText: string }) {
  const { id, name, kind, profile } = earner
  return (
    <MasterRow<'/worker/financial/earners'> search={{ earner: id }} isOpen={isOpen}>
      <span className={styles.name}>
        <Highlight text={name} part={searchText} />
      </span>
      <span className={styles.end}>{kind}</span>
      <span className={styles.meta}>{labelOf(profile?.filing_status ?? 'single')}</span>
      <span className={styles.end}>{profile ? `since ${dayText(profile.effective_from)}` : 'no W-4 or DE 4'}</span>
    </MasterRow>
  )
}

export function EarnerListView({ search: { q, page, earner }, onChange }: Props) {
  const query = useQuery(earnersQuery({ page: String(page), search: q }))
  useLastPage(
    query,
    ({ pagination }) => pagination.totalPages,
    page,
    (last, how) => onChange({ page: last }, how),
  )
  return (
    <>
      <div className={styles.search}>
        <SearchField
          label="Search earners"
          placeholder="Name"
          value={q}
          onFind={(text) => onChange({ q: text, page: 1 }, { replace: true })}
        />
      </div>
      <QueryView
        query={query}
        failure="Couldn't load earners"
        isEmpty={({ earners }) => earners.length === 0}
        empty={
          <EmptyState icon={IconUsers} title={q ? 'No earners found' : 'No earners yet'}>
            {q
              ? 'Try another part of the name.'
              : 'Stretchers appear here after their first completed session. Use “Add earner” to add someone before that.'}
          </EmptyState>
        }
      >
        {({ earners, pagination }) => (
          <>
            {earners.map((one) => (
              <Row key={one.id} earner={one} isOpen={one.id === earner} searchText={q} />
            ))}
            <div className={styles.foot}>
              <span role="status">{pluralize(pagination.totalItems, 'earner')}</span>
              {pagination.totalPages > 1 && (
                <Pager page={page} pages={pagination.totalPages} onPage={(next) => onChange({ page: next })} />
              )}
            </div>
          </>
        )}
      </QueryView>
    </>
  )
}
