import type { TenThousandths } from '@limber/contract/kit/money.ts'
import type { Explanation } from '@limber/contract/payroll/audit/explanation.ts'
import { writeDollars } from '@limber/contract/payroll/values.ts'
import { printExact } from '../tax/amount.rules.ts'
import { tablesOf } from '../tax/tables.rules.ts'
import type { TaxProfile } from '../tax/tax-profile.rules.ts'
import type { Component } from '../tax/trace.rules.ts'

export const presentComponents = (
  components: readonly Component[],
  shares: readonly TenThousandths[],
): Explanation['employee']['components'] =>
  components.map(({ key, label, rule, year, amount, steps }, index) => ({
    key,
    label,
    rule,
    year,
    amount: writeDollars(amount),
    share: writeDollars(shares[index] ?? 0n),
    steps: steps.map((step) => ({ ...step, amount: printExact(step.amount) })),
  }))

export const presentTaxProfile = (
  { filingStatus, w4, de4 }: TaxProfile,
  effectiveFrom: string | undefined,
): Explanation['profile'] => ({
  filing_status: filingStatus,
  effective_from: effectiveFrom ?? null,
  step2_checkbox: w4.step2,
  step3_credits: writeDollars(w4.step3),
  step4a_income: writeDollars(w4.step4a),
  step4b_deductions: writeDollars(w4.step4b),
  step4c_extra: writeDollars(w4.step4c),
  regular_allowances: de4.regular,
  estimated_allowances: de4.estimated,
})

/** The sources of the tax tables of a year. */
export function sourcesOf(year: number): Explanation['sources'] {
  const { federal, socialSecurity, medicare, futa, pit, sdi, ui, ett } = tablesOf(year)
  return [federal, socialSecurity, medicare, futa, pit, sdi, ui, ett].map(({ publication, sources }) => ({
    publication,
    sources: [...sources],
  }))
}
