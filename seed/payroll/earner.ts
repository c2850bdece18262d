import { addDays } from '@limber/contract/kit/days.ts'
import type { EntryType, FilingStatus } from '@limber/contract/payroll/values.ts'
import { calculateGroup, groupEntries, type PayGroup, yearOf } from '@limber/server/payroll/audit/audit.rules.ts'
import { periodOf } from '@limber/server/payroll/entries/period.rules.ts'
import { applyRate, provisionalTaxes } from '@limber/server/payroll/entries/provisional.rules.ts'
import { readRate } from '@limber/server/payroll/tax/amount.rules.ts'
import { taxYears } from '@limber/server/payroll/tax/tables.rules.ts'
import { defaultTaxProfile, type TaxProfile } from '@limber/server/payroll/tax/tax-profile.rules.ts'
import type { Random } from '../random.ts'
import type { Earning, Entry, Row } from './entry.ts'
import { type PayrollError, withError } from './payroll-errors.ts'

export interface PayTerms {
  today: string
  /** In the order in which they took effect. */
  settings: readonly {
    effective_from: string
    base_pay: string
    onsite_hourly_pay: string | null
    tax_rate: string
    ui_rate: string
  }[]
}

export interface EarnerCase {
  taxProfile: TaxProfile
  payrollError: PayrollError | undefined
  random: Random
}

export const settingOn = (terms: PayTerms, day: string) => {
  const found = terms.settings.findLast(({ effective_from }) => effective_from <= day) ?? terms.settings[0]
  if (!found) throw new Error('No settings')
  return found
}

const provisional = (amount: bigint, day: string, terms: PayTerms, payDate: string) => {
  const rate = readRate(settingOn(terms, day).tax_rate)
  const year = yearOf(payDate)
  return taxYears.includes(year)
    ? provisionalTaxes(amount, rate, year)
    : { withheld: applyRate(amount, rate), employerTax: applyRate(amount, 76_500n) }
}

const isWage = (type: EntryType) => type !== 'mileage' && type !== 'expense_reimbursement'

/** Adds taxes to an earner's earnings: the correct ones, or those of the earner's payroll error. */
export function payEarner(earnings: readonly Earning[], terms: PayTerms, earnerCase: EarnerCase): Entry[] {
  const entries = earnings.map((earning): Entry => {
    const period = periodOf(earning.work_date, 'biweekly')
    const booked = isWage(earning.type)
      ? provisional(earning.amount, earning.work_date, terms, period.pay_date)
      : { withheld: 0n, employerTax: 0n }
    return { ...earning, period, ...booked, isPaid: period.pay_date <= terms.today }
  })
  const paid = entries
    .filter((entry) => entry.isPaid)
    .sort((a, b) => (a.period.pay_date < b.period.pay_date ? -1 : a.period.pay_date > b.period.pay_date ? 1 : 0))
  for (const group of groupsOf(paid)) trueUp(group, terms, earnerCase)
  return entries
}

function groupsOf(paid: readonly Entry[]): PayGroup<Row>[] {
  const rows = paid.map(
    (entry, id): Row => ({
      id,
      periodId: 0,
      payDate: entry.period.pay_date,
      type: entry.type,
      amount: entry.amount,
      employeeRecorded: 0n,
      employerRecorded: 0n,
      entry,
    }),
  )
  return groupEntries(rows, { year: 0, wages: 0n })
}

function trueUp(group: PayGroup<Row>, terms: PayTerms, { taxProfile, payrollError, random }: EarnerCase) {
  if (!taxYears.includes(yearOf(group.payDate))) return
  const uiRate = readRate(settingOn(terms, group.payDate).ui_rate)
  // Errors happen in the latest pay only.
  const isLatest = group.payDate > addDays(terms.today, -14)
  // A late change was not known at any pay date.
  const flawed =
    payrollError && (isLatest || payrollError === 'late_change')
      ? withError(payrollError, group, taxProfile)
      : undefined
  if (flawed === 'provisional') return
  const due = calculateGroup(flawed?.group ?? group, {
    taxProfile: flawed?.taxProfile ?? taxProfile,
    frequency: 'biweekly',
    uiRate,
  })
  for (const [index, { entry }] of (flawed?.group ?? group).entries.entries()) {
    entry.withheld = due.employee[index] ?? 0n
    entry.employerTax = due.employer[index] ?? 0n
  }
  flawed?.after?.(
    group.entries.map(({ entry }) => entry),
    random,
  )
}

const statuses: readonly FilingStatus[] = ['single', 'married_jointly', 'head_of_household', 'married_separately']

/** A random W-4 and DE 4. */
export function pickTaxProfile(random: Random): TaxProfile {
  const filingStatus = statuses[random.weighted([55, 28, 12, 5])] ?? 'single'
  const children = filingStatus === 'single' ? 0 : random.weighted([35, 25, 28, 12])
  return {
    filingStatus,
    w4: {
      ...defaultTaxProfile.w4,
      step2: filingStatus === 'married_jointly' && random.chance(0.3),
      step3: BigInt(children) * 2_000_0000n,
      step4c: random.chance(0.08) ? BigInt(random.integer(1, 4)) * 10_0000n : 0n,
    },
    de4: { regular: Math.min(children + (random.chance(0.5) ? 1 : 0), 6), estimated: random.chance(0.06) ? 1 : 0 },
  }
}
