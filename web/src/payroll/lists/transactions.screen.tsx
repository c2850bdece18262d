import { Day } from '@limber/contract/kit/values.ts'
import { exportTransactions, TransactionStatus, TransactionType } from '@limber/contract/payroll/lists/transaction.ts'
import { NativeSelect } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { useLiveRefresh } from '#platform/live/live.ts'
import { NextStep } from '#platform/routing/next-step.tsx'
import { RecordLink } from '#platform/routing/record-link.tsx'
import { useSearchState } from '#platform/routing/search.ts'
import { Can } from '#platform/session/session.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { DayRange } from '#ui/form/day-range.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { Dollars, dollarsText } from '../dollars.tsx'
import { EarnerFilter } from '../earners/earner-filter.tsx'
import { filterOptions, labelOf, settlementText, transactionMeaning } from '../labels.ts'
import { payrollKey, type Transaction, transactionsQuery } from '../payroll.api.ts'
import { pageAndOrder, withFirstPage } from './list-query.ts'
import styles from './lists.module.css'
import { SettleDeposit } from './settle-deposit.tsx'

const day = Day.or(z.literal('')).catch('')
export const Search = z.object({
  earner: z.coerce.number().int().min(0).catch(0),
  type: TransactionType.or(z.literal('')).catch(''),
  status: TransactionStatus.or(z.literal('')).catch(''),
  from: day,
  to: day,
})
type Search = z.output<typeof Search>

/** Links to the entries that the transaction paid. */
function Payee({ transaction: { earner_id, earner_name, pay_period_id } }: { transaction: Transaction }) {
  const name = earner_name ?? 'Tax agencies'
  if (earner_id === null && pay_period_id === null) return name
  const search = { earner: earner_id, period: pay_period_id }
  return (
    <RecordLink to="/worker/financial/details" search={search} needs="payroll.details">
      {name}
    </RecordLink>
  )
}

/** The type, and the corrections of earlier pay included in the amount. */
function TypeCell({ transaction: { transactionType, settlements } }: { transaction: Transaction }) {
  return (
    <>
      {labelOf(transactionType)}
      {settlements.map((one) => (
        <span key={one.id} className={styles.settlement}>
          {settlementText(one)}: {dollarsText(one.amount, true)}
        </span>
      ))}
    </>
  )
}

const columns: Column<Transaction>[] = [
  {
    key: 'createdAt',
    title: 'Date',
    sort: 'createdAt',
    isDownFirst: true,
    cell: ({ createdAt }) => <Moment at={createdAt} form="day" />,
  },
  {
    key: 'type',
    title: 'Type',
    sort: 'transactionType',
    isTitle: true,
    cell: (transaction) => <TypeCell transaction={transaction} />,
  },
  { key: 'to', title: 'To', cell: (transaction) => <Payee transaction={transaction} /> },
  {
    key: 'amount',
    title: 'Amount',
    sort: 'amount',
    isDownFirst: true,
    isRight: true,
    cell: ({ amount }) => <Dollars of={amount} />,
  },
  {
    key: 'status',
    title: 'Status',
    sort: 'status',
    cell: ({ status }) => <StatusDot meaning={transactionMeaning[status] ?? 'plain'}>{labelOf(status)}</StatusDot>,
  },
  {
    key: 'settle',
    title: 'Settle',
    hidesHead: true,
    isRight: true,
    cell: (transaction) => <SettleDeposit transaction={transaction} />,
  },
]

const sorts = ['createdAt', 'amount', 'transactionType', 'status'] as const

function Filters({ search, onChange }: { search: Search; onChange: (change: Partial<Search>) => void }) {
  return (
    <div className={styles.filters}>
      <Can permission={['payroll.details', 'payroll.audit']}>
        <EarnerFilter earner={search.earner} onChange={(earner) => onChange({ earner })} />
      </Can>
      <NativeSelect
        label="Type"
        data={filterOptions('Any type', TransactionType.options)}
        value={search.type}
        onChange={(event) => onChange({ type: event.currentTarget.value as Search['type'] })}
      />
      <NativeSelect
        label="Status"
        data={filterOptions('Any status', TransactionStatus.options)}
        value={search.status}
        onChange={(event) => onChange({ status: event.currentTarget.value as Search['status'] })}
      />
      <DayRange labels={['From', 'To']} from={search.from} to={search.to} onChange={onChange} />
    </div>
  )
}

export default function Transactions() {
  useLiveRefresh('payroll', payrollKey)
  const [search, change] = useSearchState(Search)
  const state = useTableState('payroll.transactions', { sort: '-createdAt' })
  const { earner, ...texts } = search
  const filter = {
    ...(earner > 0 ? { earner_id: String(earner) } : {}),
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '')),
  }
  const query = useQuery(transactionsQuery({ ...filter, ...pageAndOrder(state, sorts) }))
  const isFiltered = Object.keys(filter).length > 0
  return (
    <>
      <PageHead
        title="Transactions"
        actions={<ExportButton call={exportTransactions} query={filter} total={query.data?.totalItems} />}
      >
        Net pay, reimbursements and tax deposits.
      </PageHead>
      <div className={styles.page}>
        <SectionCard title="Transactions" isFlush>
          <Filters search={search} onChange={(part) => change(withFirstPage(part), { replace: true })} />
          <DataTable
            label="Transactions"
            query={query}
            columns={columns}
            keyOf={({ id }) => id}
            state={state}
            failure="Failed to fetch transactions."
            empty={
              <EmptyState
                icon={IconArrowsExchange}
                title={isFiltered ? 'No transactions found' : 'No transactions yet'}
                {...(!isFiltered && {
                  action: (
                    <NextStep to="/worker/financial/periods" needs="payroll.details">
                      Pay periods
                    </NextStep>
                  ),
                })}
              >
                {isFiltered ? 'Clear a filter to see more.' : 'Transactions are created on each pay date.'}
              </EmptyState>
            }
          />
        </SectionCard>
      </div>
    </>
  )
}
