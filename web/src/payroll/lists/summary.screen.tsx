import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Day } from '@limber/contract/kit/values.ts'
import type { PayrollSummary } from '@limber/contract/payroll/lists/summary.ts'
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { z } from 'zod'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { type Stat, StatStrip } from '#ui/charts/stat-strip.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'
import { type OpenFigure, useFigure } from '#ui/figures/use-figure.ts'
import { dayText } from '#ui/format/day-text.ts'
import { Moment } from '#ui/format/moment.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { Dollars, dollarsText } from '../dollars.tsx'
import { payrollKey, summaryQuery } from '../payroll.api.ts'
import styles from './lists.module.css'
import { SummaryPeriods } from './summary-periods.tsx'

const PayrollFigure = lazy(() => import('./payroll-figure.tsx'))

const day = Day.or(z.literal('')).catch('')
export const Search = z.object({ from: day, to: day })

type Open = OpenFigure['onOpen']

const figures = (summary: PayrollSummary, open: Open): Stat[] => [
  {
    id: 'earnings',
    label: 'Total earnings',
    value: <Dollars of={summary.totalEarnings} />,
    note: `${pluralize(summary.entries, 'entry', 'entries')}, ${pluralize(summary.earners, 'earner')}`,
    onOpen: () => open('totalEarnings'),
  },
  {
    id: 'taxes',
    label: 'Total taxes',
    value: <Dollars of={summary.totalTaxes} />,
    note: 'withholding and employer taxes, with adjustments',
    onOpen: () => open('totalTaxes'),
  },
  {
    id: 'net',
    label: 'Net pay',
    value: <Dollars of={summary.netPay} />,
    note: 'after withholding',
    onOpen: () => open('netPay'),
  },
]

const parts = (summary: PayrollSummary, open: Open): Stat[] => [
  {
    id: 'employee',
    label: 'Withheld from earners',
    value: <Dollars of={summary.employeeTaxes} />,
    onOpen: () => open('employeeTaxes'),
  },
  {
    id: 'employer',
    label: 'Employer taxes',
    value: <Dollars of={summary.employerTaxes} />,
    onOpen: () => open('employerTaxes'),
  },
  {
    id: 'pending',
    label: 'Pending',
    value: <Dollars of={summary.pending.amount} />,
    note: pluralize(summary.pending.entries, 'entry', 'entries'),
    onOpen: () => open('pending'),
  },
  { id: 'next', label: 'Next pay date', value: summary.nextPayDate ? dayText(summary.nextPayDate) : '--' },
]

/** Corrections of paid entries that are not settled yet. */
function Unsettled({ summary: { unsettled } }: { summary: PayrollSummary }) {
  const { owed, toWithhold, deposits } = unsettled
  const open = [
    owed > 0 && `${dollarsText(owed)} owed to earners`,
    toWithhold > 0 && `${dollarsText(toWithhold)} to withhold from earners`,
    deposits > 0 && `${dollarsText(deposits)} to add to the tax deposit`,
    deposits < 0 && `${dollarsText(-deposits)} to deduct from the tax deposit`,
  ].filter((text) => text !== false)
  if (open.length === 0) return null
  return <Banner kind="blue">The next pay runs will settle these corrections: {open.join(', ')}.</Banner>
}

export default function Summary() {
  useLiveRefresh('payroll', payrollKey)
  const [{ from, to }, change] = useSearchState(Search)
  const figure = useFigure()
  const query = useQuery(summaryQuery({ ...(from ? { from } : {}), ...(to ? { to } : {}) }))
  const filters = (
    <div className={styles.days}>
      <TextInput
        type="date"
        aria-label="Paid from"
        value={from}
        onChange={(event) => change({ from: event.currentTarget.value }, { replace: true })}
      />
      <span aria-hidden className={styles.quiet}>
        to
      </span>
      <TextInput
        type="date"
        aria-label="Paid to"
        value={to}
        onChange={(event) => change({ to: event.currentTarget.value }, { replace: true })}
      />
    </div>
  )
  return (
    <>
      <PageHead title="Payroll summary" actions={filters}>
        {from || to ? 'Totals for the selected pay dates.' : 'All-time totals.'}{' '}
        {query.data?.lastUpdated && (
          <>
            Last updated <Moment key={query.data.lastUpdated} at={query.data.lastUpdated} form="relative" />.
          </>
        )}
      </PageHead>
      <QueryView query={query} failure="Failed to fetch payroll summary." loading={<BlockSkeleton height={180} />}>
        {(summary) => (
          <div className={styles.page} aria-busy={query.isPlaceholderData}>
            <StatStrip label="Payroll totals" stats={figures(summary, figure.onOpen)} />
            <StatStrip label="Breakdown" stats={parts(summary, figure.onOpen)} />
            <Unsettled summary={summary} />
            <SummaryPeriods periods={summary.periods} onOpen={figure.onOpen} />
            {figure.figure && (
              <Suspense fallback={null}>
                <PayrollFigure state={figure} from={from} to={to} periods={summary.periods} />
              </Suspense>
            )}
          </div>
        )}
      </QueryView>
    </>
  )
}
