import { type DetailList, exportDetails, type PayrollDetail } from '@limber/contract/payroll/lists/detail.ts'
import { IconListDetails } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLiveRefresh } from '#platform/live/live.ts'
import { NextStep } from '#platform/routing/next-step.tsx'
import { useSearchState } from '#platform/routing/search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { Dollars } from '../dollars.tsx'
import { entryMeaning, entryName, labelOf } from '../labels.ts'
import { detailsQuery, payrollKey } from '../payroll.api.ts'
import { DetailDialog } from './detail-dialog.tsx'
import { DetailFilters } from './detail-filters.tsx'
import { DetailsSearch, filterOf } from './details-search.ts'
import { pageAndOrder, withFirstPage } from './list-query.ts'
import styles from './lists.module.css'
import { PeriodStory } from './period-story.tsx'

/** The recorded withholding, with its adjustment below. */
function Withheld({ entry: { withheld_tax, employee_adjustment } }: { entry: PayrollDetail }) {
  return (
    <>
      <Dollars of={withheld_tax} />
      {employee_adjustment !== 0 && (
        <span className={styles.under}>
          adjusted <Dollars of={employee_adjustment} isSigned />
        </span>
      )}
    </>
  )
}

/** Totals of all entries that match the filters. */
function Totals({ of: { amount, withheld_tax, net_pay } }: { of: DetailList['totals'] }) {
  return (
    <>
      <Dollars of={amount} /> gross, <Dollars of={withheld_tax} /> withheld, <Dollars of={net_pay} /> net
    </>
  )
}

const columns: Column<PayrollDetail>[] = [
  {
    key: 'payroll',
    title: 'Payroll',
    isTitle: true,
    cell: ({ id }) => <span className={styles.code}>{entryName(id)}</span>,
  },
  { key: 'earner', title: 'Earner', sort: 'earner', cell: ({ earner_name }) => earner_name },
  { key: 'date', title: 'Pay date', sort: 'date', isDownFirst: true, cell: ({ pay_date }) => dayText(pay_date) },
  { key: 'type', title: 'Type', sort: 'type', cell: ({ type }) => labelOf(type) },
  {
    key: 'sub_type',
    title: 'Sub-type',
    cell: ({ sub_type }) => <span className={styles.quiet}>{sub_type ?? '--'}</span>,
  },
  {
    key: 'amount',
    title: 'Amount',
    sort: 'amount',
    isDownFirst: true,
    isRight: true,
    cell: ({ amount }) => <Dollars of={amount} />,
  },
  {
    key: 'withheld',
    title: 'Withheld',
    sort: 'withheld_tax',
    isDownFirst: true,
    isRight: true,
    cell: (entry) => <Withheld entry={entry} />,
  },
  {
    key: 'net',
    title: 'Net pay',
    sort: 'net_pay',
    isDownFirst: true,
    isRight: true,
    cell: ({ net_pay }) => <Dollars of={net_pay} />,
  },
  {
    key: 'status',
    title: 'Status',
    sort: 'status',
    cell: ({ status, void_reason }) => (
      <StatusDot meaning={void_reason === null ? (entryMeaning[status] ?? 'plain') : 'amber'}>
        {void_reason === null ? labelOf(status) : 'Voided'}
      </StatusDot>
    ),
  },
]

const sorts = ['date', 'amount', 'net_pay', 'withheld_tax', 'type', 'status', 'earner'] as const

export default function Details() {
  useLiveRefresh('payroll', payrollKey)
  const [search, change] = useSearchState(DetailsSearch)
  const state = useTableState('payroll.details', { sort: '-date' })
  const filter = filterOf(search)
  const query = useQuery(detailsQuery({ ...filter, ...pageAndOrder(state, sorts) }))
  const isFiltered = Object.keys(filter).length > 0
  return (
    <>
      <PageHead
        title="Payroll details"
        actions={<ExportButton call={exportDetails} query={filter} total={query.data?.totalItems} />}
      >
        Every payroll entry as recorded. Tax audit adjustments are shown separately.
      </PageHead>
      <div className={styles.page}>
        <PeriodStory period={search.period} change={(part) => change(withFirstPage(part))} />
        <SectionCard title="Entries" count={query.data && <Totals of={query.data.totals} />} isFlush>
          <DetailFilters search={search} onChange={(part) => change(withFirstPage(part), { replace: true })} />
          <DataTable
            label="Payroll entries"
            query={query}
            columns={columns}
            keyOf={({ id }) => id}
            state={state}
            onOpen={({ id }) => change({ entry: id })}
            openKey={search.entry || null}
            failure="Failed to fetch payroll details."
            empty={
              <EmptyState
                icon={IconListDetails}
                title={isFiltered ? 'No entries found' : 'No payroll entries yet'}
                {...(!isFiltered && {
                  action: (
                    <NextStep to="/worker/financial/earners" needs={['payroll.details', 'payroll.audit']}>
                      Earners
                    </NextStep>
                  ),
                })}
              >
                {isFiltered
                  ? 'Clear a filter to see more.'
                  : 'Completed sessions appear here within an hour. Add bonuses and expenses on the earner.'}
              </EmptyState>
            }
          />
        </SectionCard>
      </div>
      <DetailDialog id={search.entry} onClose={() => change({ entry: 0 })} />
    </>
  )
}
