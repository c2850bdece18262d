import { exportBusinesses } from '@limber/contract/businesses/business/business.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { IconCalendarWeek, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useIntent } from '#platform/routing/intent.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { useFormBelow } from '#ui/form/use-form-below.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { MasterDetail } from '#ui/layout/master-detail.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { RecordButton } from '#ui/table/record-button.tsx'
import { AddBusiness } from './add-business.tsx'
import { businessesKey, businessesQuery } from './business.api.ts'
import { BusinessDetail } from './business-detail.tsx'
import { BusinessList } from './business-list.tsx'
import { BusinessSearch, initialBusinessSearch } from './business-search.ts'
import styles from './businesses.module.css'

// Not needed for an open business.
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
  const { form, goToForm } = useFormBelow()
  useIntent('new', goToForm)
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
      <Button leftSection={<Icon of={IconPlus} />} onClick={goToForm}>
        Add New
      </Button>
    </>
  )
  const list = (
    <>
      <BusinessList search={search} onChange={change} />
      <div ref={form} className={styles.new}>
        <AddBusiness onCreated={(business) => change({ business, ...initialBusinessSearch })} />
      </div>
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
        list={list}
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
    </>
  )
}
