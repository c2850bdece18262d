import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { TabBar, TabPanel } from '#ui/layout/tab-bar.tsx'
import { lastDays } from '../labels.ts'
import { payrollKey } from '../payroll.api.ts'
import { type AuditProgress, type AuditRange, useAudit } from './audit.api.ts'
import { AuditRangeForm } from './audit-range.tsx'
import { AuditReport } from './audit-report.tsx'
import { HourlyCheck } from './hourly-check.tsx'
import styles from './tax-audit.module.css'
import { TaxAuditSearch } from './tax-audit-search.ts'
import { TaxNotice } from './tax-notice.tsx'

// Loaded on demand: most visits only read.
const FixDialog = lazy(() => import('../fixes/fix-dialog.tsx'))
const Adjustments = lazy(() => import('./adjustments.tsx'))

const views = [
  { tab: 'audit', title: 'Audit' },
  { tab: 'adjustments', title: 'Adjustments' },
] as const

interface ContextProps {
  query: ReturnType<typeof useAudit>['query']
  progress: AuditProgress | null
}

/** What the audit compares, and when it last ran. */
function Context({ query, progress }: ContextProps) {
  if (query.isFetching) {
    return progress
      ? `Running: ${formatInteger(progress.done)} of ${formatInteger(progress.total)} entries checked.`
      : 'Running the audit…'
  }
  const { data } = query
  if (!data) return 'Compares recorded taxes with the tax tables.'
  const years = data.tables?.map(({ year }) => year).join(' and ')
  return (
    <>
      Compares recorded taxes with the {years ? `${years} tax tables` : 'tax tables'}. Last run{' '}
      <Moment key={data.run_at ?? ''} at={data.run_at ?? null} form="relative" absent="just now" />.
    </>
  )
}

/** The same panel in the Financial Overview and in the Managing Admin Dashboard. */
export default function TaxAudit() {
  useLiveRefresh('payroll', payrollKey)
  const [search, change] = useSearchState(TaxAuditSearch)
  const [isFixing, setFixing] = useState(false)
  const fallback = lastDays()
  const range: AuditRange = { startDate: search.from || fallback.startDate, endDate: search.to || fallback.endDate }
  const { query, progress } = useAudit(range)
  const found = query.isPlaceholderData ? undefined : query.data

  const run = ({ startDate, endDate }: AuditRange) => {
    const isSame = startDate === range.startDate && endDate === range.endDate
    if (isSame) return void query.refetch()
    change({ from: startDate, to: endDate, entry: 0, earners: 1, ...({ page: undefined } as object) })
  }
  const actions = (
    <>
      <AuditRangeForm
        key={`${range.startDate} ${range.endDate}`}
        range={range}
        isRunning={query.isFetching}
        onRun={run}
      />
      <Button
        className={styles.fix ?? ''}
        leftSection={<Icon of={IconChecks} />}
        disabled={query.isFetching || !found || found.total_discrepancies === 0}
        onClick={() => setFixing(true)}
      >
        Fix All
      </Button>
    </>
  )
  return (
    <>
      <PageHead title="Tax audit" actions={actions}>
        <Context query={query} progress={progress} />
      </PageHead>
      <TabBar
        id="tax-audit"
        label="Tax audit"
        tab={search.view}
        entries={views}
        onOpen={(view) => change({ view, ...({ page: undefined, sort: undefined } as object) })}
        reaches="page"
      >
        <HourlyCheck />
      </TabBar>
      <TabPanel id="tax-audit" tab={search.view}>
        <div className={styles.report}>
          {search.view === 'audit' ? (
            <AuditReport query={query} progress={progress} search={search} onChange={change} />
          ) : (
            <Suspense fallback={<ListSkeleton />}>
              <Adjustments search={search} onChange={change} />
            </Suspense>
          )}
          <TaxNotice tables={query.data?.tables} />
        </div>
      </TabPanel>
      {(isFixing || search.fix > 0) && query.data && (
        <Suspense>
          <FixDialog
            result={query.data}
            {...(search.fix > 0 && { entry: search.fix })}
            onReview={async () => (await query.refetch()).data}
            onClose={() => {
              setFixing(false)
              change({ fix: 0 }, { replace: true })
            }}
          />
        </Suspense>
      )}
    </>
  )
}
