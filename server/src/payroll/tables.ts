import type { EntryStatus, EntryType, FilingStatus, PayFrequency, Side } from '@limber/contract/payroll/values.ts'
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, never, never>
/** Written once, never changed. */
type Once<T> = ColumnType<T, T, never>

declare module '#platform/db/db.ts' {
  interface Tables {
    payroll_ledger: { is_one: Fixed<boolean>; version: number }
    payroll_settings: {
      version: Fixed<number>
      effective_from: Once<string>
      base_pay: Once<string>
      onsite_hourly_pay: ColumnType<string | null, string | null | undefined, never>
      tax_rate: Once<string>
      pay_frequency: Once<PayFrequency>
      ui_rate: Once<string>
      changed_at: Once<Date>
      worker_id: Once<number | null>
    }
    earners: { id: Fixed<number>; stretcher_id: number | null; worker_id: number | null; created_at: Date }
    earner_tax_profiles: {
      id: Fixed<number>
      earner_id: Once<number>
      effective_from: Once<string>
      filing_status: Once<FilingStatus>
      step2_checkbox: Once<boolean>
      step3_credits: Once<string>
      step4a_income: Once<string>
      step4b_deductions: Once<string>
      step4c_extra: Once<string>
      regular_allowances: Once<number>
      estimated_allowances: Once<number>
      recorded_at: Once<Date>
      worker_id: Once<number | null>
    }
    pay_periods: {
      id: Fixed<number>
      starts_on: Once<string>
      ends_on: Once<string>
      pay_date: Once<string>
      frequency: Once<PayFrequency>
      closed_at: Date | null
      closed_by: number | null
      version: Generated<number>
    }
    payroll_entries: {
      id: Fixed<number>
      earner_id: Once<number>
      type: Once<EntryType>
      sub_type: Once<string | null>
      amount: Once<string>
      withheld: Once<string>
      employer_tax: Once<string>
      net_pay: Fixed<string>
      status: Generated<EntryStatus>
      pay_period_id: Once<number>
      work_date: Once<string>
      pay_date: Once<string>
      booking_id: Once<number | null>
      onsite_session_id: ColumnType<number | null, number | null | undefined, never>
      created_at: Once<Date>
      paid_at: Date | null
    }
    payroll_totals: {
      pay_period_id: Fixed<number>
      pay_date: Fixed<string>
      type: Fixed<EntryType>
      status: Fixed<EntryStatus>
      entries: Fixed<number>
      amount: Fixed<string>
      withheld: Fixed<string>
      employer_tax: Fixed<string>
      changed_at: Fixed<Date>
    }
    payroll_operations: {
      id: Fixed<number>
      period_start: Once<string>
      period_end: Once<string>
      worker_id: Once<number | null>
      created_at: Once<Date>
      lines: Once<number>
      employee_total: Once<string>
      employer_total: Once<string>
    }
    payroll_adjustments: {
      id: Fixed<number>
      operation_id: Once<number>
      payroll_id: Once<number>
      earner_id: Once<number>
      side: Once<Side>
      before: Once<string>
      after: Once<string>
      difference: Fixed<string>
      reason: Once<string>
      created_at: Once<Date>
    }
    payroll_undos: { operation_id: Once<number>; worker_id: Once<number | null>; created_at: Once<Date> }
    payroll_voids: {
      payroll_id: Once<number>
      reason: Once<string>
      worker_id: Once<number | null>
      created_at: Once<Date>
    }
    payroll_dues: {
      id: Fixed<number>
      earner_id: Once<number | null>
      operation_id: Once<number | null>
      void_id: Once<number | null>
      amount: string
      settled: Generated<string>
      remaining: Fixed<string>
      created_at: Once<Date>
    }
    payroll_settlements: {
      id: Fixed<number>
      due_id: Once<number>
      transaction_id: Once<number>
      amount: Once<string>
    }
    payroll_transactions: {
      id: Fixed<number>
      transaction_type: Once<'net_pay' | 'reimbursement' | 'tax_deposit'>
      amount: Once<string>
      status: 'pending' | 'completed' | 'failed'
      earner_id: Once<number | null>
      pay_period_id: Once<number | null>
      created_at: Once<Date>
    }
    payroll_transaction_days: {
      day: Fixed<string>
      transaction_type: Fixed<'net_pay' | 'reimbursement' | 'tax_deposit'>
      status: Fixed<'pending' | 'completed' | 'failed'>
      transactions: Fixed<number>
    }
    payroll_checks: {
      id: Fixed<number>
      started_at: Date
      ended_at: Date | null
      worker_id: number | null
      state: Generated<'running' | 'done' | 'failed'>
      result: unknown
    }
  }
}
