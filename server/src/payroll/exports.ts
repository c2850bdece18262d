import { exportAdjustments } from '@limber/contract/payroll/audit/audit.ts'
import { exportEarners } from '@limber/contract/payroll/earners/earner.ts'
import { exportPeriods } from '@limber/contract/payroll/entries/period.ts'
import { exportWageStatements, wageBoxLabels } from '@limber/contract/payroll/files/wage-statement.ts'
import { exportDetails, listDetails } from '@limber/contract/payroll/lists/detail.ts'
import { exportPayrollFigure, payrollFigures } from '@limber/contract/payroll/lists/payroll-figure.ts'
import { exportTransactions, listTransactions } from '@limber/contract/payroll/lists/transaction.ts'
import { exporting, NO_COLUMN, walkAfter } from '#platform/exports/export.ts'
import { figureColumns, figureFile } from '#platform/figures/figure.queries.ts'
import { type DetailRow, findDetailsAfter } from './lists/detail.queries.ts'
import { presentDetail, presentTransaction } from './lists/list.present.ts'
import { checkRange } from './lists/list.routes.ts'
import { findTransactionsAfter, type TransactionRow } from './lists/transaction.queries.ts'
import { findSettlements } from './runs/settlement.queries.ts'

/** Sums of dollars have at most four decimals. */
const roundMoney = (sum: number) => Math.round(sum * 10_000) / 10_000

export const payrollExports = [
  exporting(exportPayrollFigure, {
    rows: ({ rows }) => rows,
    columns: figureColumns,
    file: ({ params: { figure } }) => figureFile(payrollFigures[figure]),
  }),
  exporting(exportDetails, {
    rows: ({ details }) => details,
    async *batches({ query, db }, limit) {
      checkRange(listDetails, query)
      for await (const rows of walkAfter<DetailRow>(limit, (last) => findDetailsAfter(db, query, last?.id ?? 0, limit)))
        yield rows.map(presentDetail)
    },
    columns: {
      id: 'ID',
      earner_id: 'Earner ID',
      earner_name: 'Earner',
      type: 'Type',
      sub_type: 'Subtype',
      amount: 'Amount',
      withheld_tax: 'Withheld tax',
      employer_tax: 'Employer tax',
      net_pay: 'Net pay',
      employee_adjustment: 'Employee adjustment',
      employer_adjustment: 'Employer adjustment',
      status: 'Status',
      work_date: 'Work date',
      pay_date: 'Pay date',
      pay_period_id: 'Pay period ID',
      period_start: 'Period start',
      period_end: 'Period end',
      is_period_closed: 'Period closed',
      booking_id: 'Booking ID',
      onsite_session_id: 'On-site session ID',
      void_reason: 'Void reason',
    },
  }),
  exporting(exportTransactions, {
    rows: ({ transactions }) => transactions,
    async *batches({ query, db }, limit) {
      checkRange(listTransactions, query)
      for await (const rows of walkAfter<TransactionRow>(limit, (last) =>
        findTransactionsAfter(db, query, last?.id ?? 0, limit),
      )) {
        const settlements = await findSettlements(db, { transactions: rows.map(({ id }) => id) })
        yield rows.map((row) => presentTransaction(row, settlements))
      }
    },
    columns: {
      id: 'ID',
      createdAt: 'Time',
      transactionType: 'Type',
      amount: 'Amount',
      status: 'Status',
      earner_id: 'Earner ID',
      earner_name: 'Earner',
      pay_period_id: 'Pay period ID',
      settlements: [['Corrections included', (all) => roundMoney(all.reduce((sum, { amount }) => sum + amount, 0))]],
    },
  }),
  exporting(exportAdjustments, {
    rows: ({ adjustments }) => adjustments,
    columns: {
      id: 'ID',
      operation_id: 'Fix ID',
      date: 'Date',
      payroll_id: 'Entry ID',
      earner_id: 'Earner ID',
      earner_name: 'Earner',
      side: 'Side',
      before: 'Before',
      after: 'After',
      difference: 'Difference',
      reason: 'Reason',
      by: 'By',
      status: 'Status',
      can_undo: NO_COLUMN,
    },
  }),
  exporting(exportPeriods, {
    rows: ({ periods }) => periods,
    columns: {
      id: 'ID',
      starts_on: 'Start',
      ends_on: 'End',
      pay_date: 'Pay date',
      frequency: 'Frequency',
      status: 'Status',
      closed_at: 'Closed',
      closed_by: 'Closed by',
      entries: 'Entries',
      amount: 'Amount',
      version: NO_COLUMN,
    },
  }),
  exporting(exportWageStatements, {
    rows: ({ statements }) => statements,
    columns: {
      earner_id: 'Earner ID',
      earner_name: 'Earner',
      ...wageBoxLabels,
      difference: 'Recorded minus calculated',
      wages_elsewhere: 'Wages paid elsewhere',
    },
  }),
  exporting(exportEarners, {
    rows: ({ earners }) => earners,
    columns: {
      id: 'ID',
      name: 'Name',
      kind: 'Kind',
      person_id: 'Stretcher or worker ID',
      profile: [
        ['Filing status', (profile) => profile?.filing_status],
        ['Multiple jobs', (profile) => profile?.step2_checkbox],
        ['Credits', (profile) => profile?.step3_credits],
        ['Other income', (profile) => profile?.step4a_income],
        ['Deductions', (profile) => profile?.step4b_deductions],
        ['Extra withholding', (profile) => profile?.step4c_extra],
        ['State allowances', (profile) => profile?.regular_allowances],
        ['Estimated allowances', (profile) => profile?.estimated_allowances],
        ['Effective from', (profile) => profile?.effective_from],
      ],
    },
  }),
]
