import { parseMoney, type TenThousandths } from '@limber/contract/kit/money.ts'
import type { PayrollDetail } from '@limber/contract/payroll/lists/detail.ts'
import type { PayrollSummary } from '@limber/contract/payroll/lists/summary.ts'
import type { Settlement, TransactionList } from '@limber/contract/payroll/lists/transaction.ts'
import { writeDollars } from '@limber/contract/payroll/values.ts'
import { dayOf } from '../entries/period.rules.ts'
import type { SettlementRow, Unsettled } from '../runs/settlement.queries.ts'
import type { DetailRow } from './detail.queries.ts'
import type { PeriodSumRow, TotalsRow } from './summary.queries.ts'
import type { TransactionRow } from './transaction.queries.ts'

/** A numeric column as a JSON number. */
export const dollars = (text: string) => writeDollars(parseMoney(text))

const sum = (...texts: string[]): TenThousandths => texts.reduce((all, text) => all + parseMoney(text), 0n)

export const presentDetail = (row: DetailRow): PayrollDetail => ({
  id: row.id,
  earner_id: row.earner_id,
  earner_name: row.earner_name,
  type: row.type,
  sub_type: row.sub_type,
  amount: dollars(row.amount),
  withheld_tax: dollars(row.withheld),
  employer_tax: dollars(row.employer_tax),
  net_pay: dollars(row.net_pay),
  employee_adjustment: dollars(row.employee_adjustment),
  employer_adjustment: dollars(row.employer_adjustment),
  status: row.status,
  work_date: row.work_date,
  pay_date: row.pay_date,
  pay_period_id: row.pay_period_id,
  period_start: row.period_start,
  period_end: row.period_end,
  is_period_closed: row.is_period_closed,
  booking_id: row.booking_id,
  onsite_session_id: row.onsite_session_id,
  void_reason: row.void_reason,
})

export function presentTotals(days: readonly { amount: string; withheld: string }[]) {
  const amount = sum(...days.map((day) => day.amount))
  const withheld = sum(...days.map((day) => day.withheld))
  return {
    amount: writeDollars(amount),
    withheld_tax: writeDollars(withheld),
    net_pay: writeDollars(amount - withheld),
  }
}

/** The part of a correction that was settled with a transaction. */
export const presentSettlement = (row: SettlementRow): Settlement => ({
  id: row.id,
  correction: row.void_id === null ? 'fix' : 'void',
  corrected_on: dayOf(row.created_at),
  operation_id: row.operation_id,
  payroll_id: row.void_id,
  transaction_id: row.transaction_id,
  paid_on: dayOf(row.paid_at),
  amount: dollars(row.amount),
})

export const presentTransaction = (
  row: TransactionRow,
  settlements: readonly SettlementRow[],
): TransactionList['transactions'][number] => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  transactionType: row.transaction_type,
  amount: dollars(row.amount),
  status: row.status,
  earner_id: row.earner_id,
  earner_name: row.earner_name,
  pay_period_id: row.pay_period_id,
  settlements: settlements.filter(({ transaction_id }) => transaction_id === row.id).map(presentSettlement),
})

/** Taxes include adjustments; net pay is after them. */
export function presentSummary(
  row: TotalsRow,
  periods: readonly PeriodSumRow[],
  nextPayDate: string | undefined,
  unsettled: Unsettled,
): PayrollSummary {
  const employee = sum(row.withheld, row.employee_adjustments)
  const employer = sum(row.employer_tax, row.employer_adjustments)
  return {
    totalEarnings: dollars(row.amount),
    totalTaxes: writeDollars(employee + employer),
    lastUpdated: row.last_updated?.toISOString() ?? null,
    employeeTaxes: writeDollars(employee),
    employerTaxes: writeDollars(employer),
    netPay: writeDollars(parseMoney(row.amount) - employee),
    entries: row.entries,
    earners: row.earners,
    pending: { entries: row.pending_entries, amount: dollars(row.pending_amount) },
    nextPayDate: nextPayDate ?? null,
    unsettled: {
      owed: dollars(unsettled.owed),
      toWithhold: dollars(unsettled.to_withhold),
      deposits: dollars(unsettled.deposits),
    },
    periods: periods.map((period) => ({
      id: period.id,
      startsOn: period.starts_on,
      endsOn: period.ends_on,
      payDate: period.pay_date,
      isClosed: period.closed_at !== null,
      earnings: dollars(period.amount),
      taxes: dollars(period.taxes),
      entries: period.entries,
    })),
  }
}
