import type { InputOf } from '@limber/contract/kit/call.ts'
import { closePeriod, listPeriods, type PeriodList } from '@limber/contract/payroll/entries/period.ts'
import { readPeriodStory } from '@limber/contract/payroll/entries/period-story.ts'
import { type DetailList, listDetails, type PayrollDetail, readDetail } from '@limber/contract/payroll/lists/detail.ts'
import { readSummary } from '@limber/contract/payroll/lists/summary.ts'
import { listTransactions, settleDeposit, type TransactionList } from '@limber/contract/payroll/lists/transaction.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import type { TablePage } from '#ui/table/data-table.tsx'

/** Prefix of all payroll query keys. The live topic `payroll` invalidates them. */
export const payrollKey = ['payroll']

type SummaryQuery = NonNullable<InputOf<typeof readSummary>['query']>
type DetailsQuery = NonNullable<InputOf<typeof listDetails>['query']>
type TransactionsQuery = NonNullable<InputOf<typeof listTransactions>['query']>
type PeriodsQuery = NonNullable<InputOf<typeof listPeriods>['query']>

export type Transaction = TransactionList['transactions'][number]
export type PayPeriod = PeriodList['periods'][number]

export const summaryQuery = (query: SummaryQuery) =>
  queryOptions({
    queryKey: [...payrollKey, 'summary', query],
    queryFn: ({ signal }) => send(readSummary, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

const detailPage = ({
  details,
  totals,
  pagination,
}: DetailList): TablePage<PayrollDetail> & Pick<DetailList, 'totals'> => ({
  rows: details,
  totals,
  totalItems: pagination.totalItems,
})

export const detailsQuery = (query: DetailsQuery) =>
  queryOptions({
    queryKey: [...payrollKey, 'details', query],
    queryFn: ({ signal }) => send(listDetails, { query }, { signal }),
    select: detailPage,
    placeholderData: keepPreviousData,
  })

export const detailQuery = (id: number) =>
  queryOptions({
    queryKey: [...payrollKey, 'detail', id],
    queryFn: ({ signal }) => send(readDetail, { params: { id: String(id) } }, { signal }),
    enabled: id > 0,
  })

const transactionPage = ({ transactions, pagination }: TransactionList): TablePage<Transaction> => ({
  rows: transactions,
  totalItems: pagination.totalItems,
})

export const transactionsQuery = (query: TransactionsQuery) =>
  queryOptions({
    queryKey: [...payrollKey, 'transactions', query],
    queryFn: ({ signal }) => send(listTransactions, { query }, { signal }),
    select: transactionPage,
    placeholderData: keepPreviousData,
  })

/** 0: the next period to be paid. */
export const storyQuery = (period: number) =>
  queryOptions({
    queryKey: [...payrollKey, 'story', period],
    queryFn: ({ signal }) =>
      send(readPeriodStory, { query: period > 0 ? { period_id: String(period) } : {} }, { signal }),
    placeholderData: keepPreviousData,
  })

export const periodsQuery = (query: PeriodsQuery) =>
  queryOptions({
    queryKey: [...payrollKey, 'periods', query],
    queryFn: ({ signal }) => send(listPeriods, { query }, { signal }),
    select: ({ periods, pagination }): TablePage<PayPeriod> => ({ rows: periods, totalItems: pagination.totalItems }),
    placeholderData: keepPreviousData,
  })

export function useSettleDeposit(id: number) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof settleDeposit>['body']) =>
      send(settleDeposit, { params: { id: String(id) }, body }),
    onSettled: () => cache.invalidateQueries({ queryKey: payrollKey }),
  })
}

export function useClosePeriod() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof closePeriod>['body']) => send(closePeriod, { body }),
    onSettled: () => cache.invalidateQueries({ queryKey: payrollKey }),
  })
}
