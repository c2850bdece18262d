import { exportBusinesses } from '@limber/contract/businesses/business/business.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { IconCalendarWeek, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { prefetchOnHover } from '#platform/api/prefetch-on-hover.ts'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useIntent } from '#platform/routing/intent.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { MasterDetail } from '#ui/layout/master-detail.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { RecordButton } from '#ui/table/record-button.tsx'
import { businessesKey, businessesQuery } from './business.api.ts'
import { BusinessDetail } from './business-detail.tsx'
import { BusinessList } from './business-list.tsx'
import { BusinessSearch, initialBusinessSearch } from './business-search.ts'

// Not needed for an open business.
const loadNew = () => import('./add-business.tsx')
const AddBusiness = lazy(loadNew)
const BusinessSummary = lazy(async () => ({ default: (await import('./business-summary.tsx')).BusinessSummary }))

/** The number of businesses and their available hours. */
function Summary() {
  const { data } = useQuery(businessesQuery({ limit: '1' }))
  if (!data) return 'Businesses, their prepaid hours and their on-site sessions.'
  const hours = `${formatInteger(data.available_hours)} prepaid hours still available.`
  return `${pluralize(data.pagination.totalItems, 'business', 'businesses')}, ${hours}`
}

/** Businesses with their prepaid blocks, email lists and on-site sessions. */
export default function Businesses() {
  useLiveRefresh('businesses', businessesKey)
  const [search, change] = useSearchState(BusinessSearch)
  const [isAdding, setAdding] = useState(false)
  const add = () => setAdding(true)
  useIntent('new', add)
  const actions = (
    <>
      <ExportButton call={exportBusinesses} query={{ search: search.q, state: search.state }} />
      <RecordButton
        to="/worker/managing/businesses/sessions"
        search={{}}
        needs="businesses.manage"
        icon={IconCalendarWeek}
      >
        Sessions
      </RecordButton>
      <Button leftSection={<Icon of={IconPlus} />} {...prefetchOnHover(loadNew)} onClick={add}>
        New business
      </Button>
    </>
  )
  return (
    <>
      <PageHead title="Business administration" actions={actions}>
        <Summary />
      </PageHead>
      <MasterDetail
        listName="Businesses"
        listWidth={280}
        list={<BusinessList search={search} onChange={change} onAdd={add} />}
        detail={
          search.business ? (
            <BusinessDetail key={search.business} id={search.business} search={search} onChange={change} />
          ) : null
        }
        placeholder={
          <Suspense>
            <BusinessSummary />
          </Suspense>
        }
        onBack={() => change({ business: 0, ...initialBusinessSearch })}
      />
      <Suspense>
        {isAdding && (
          <AddBusiness
            onClose={() => setAdding(false)}
            onCreated={(business) => change({ business, ...initialBusinessSearch })}
          />
        )}
      </Suspense>
    </>
  )
}
