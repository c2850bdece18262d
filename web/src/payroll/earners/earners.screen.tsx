import { exportEarners } from '@limber/contract/payroll/earners/earner.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { z } from 'zod'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useIntent } from '#platform/routing/intent.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { Can } from '#platform/session/session.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { MasterDetail } from '#ui/layout/master-detail.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { payrollKey } from '../payroll.api.ts'
import { EarnerDetail } from './earner-detail.tsx'
import { EarnerListView } from './earner-list.tsx'
import { EarnersSummary } from './earners-summary.tsx'

// Loaded on demand: most visits only read.
const AddEarner = lazy(() => import('./add-earner.tsx'))

export const EarnersSearch = z.object({
  q: z.string().max(200).catch(''),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
  earner: z.coerce.number().int().min(0).catch(0),
})

export default function Earners() {
  useLiveRefresh('payroll', payrollKey)
  const [search, change] = useSearchState(EarnersSearch)
  const [isAdding, setAdding] = useState(false)
  useIntent('new', () => setAdding(true))
  return (
    <>
      <PageHead
        title="Earners"
        actions={
          <>
            <ExportButton call={exportEarners} query={{ search: search.q }} />
            <Can permission={['payroll.details', 'payroll.settings']}>
              <Button leftSection={<Icon of={IconPlus} />} onClick={() => setAdding(true)}>
                Add earner
              </Button>
            </Can>
          </>
        }
      >
        Filing status, W-4 and DE 4 of everyone on payroll. Without a form on file, taxes are withheld as single with no
        allowances.
      </PageHead>
      <MasterDetail
        listName="Earners"
        list={<EarnerListView search={search} onChange={change} />}
        detail={search.earner > 0 ? <EarnerDetail key={search.earner} id={search.earner} /> : null}
        placeholder={<EarnersSummary />}
        onBack={() => change({ earner: 0 })}
      />
      <Suspense>
        {isAdding && (
          <AddEarner onClose={() => setAdding(false)} onAdded={({ id }) => change({ earner: id, q: '', page: 1 })} />
        )}
      </Suspense>
    </>
  )
}
