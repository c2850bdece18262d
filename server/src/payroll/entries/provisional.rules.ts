import type { TenThousandths } from '@limber/contract/kit/money.ts'
import type { Rate } from '../tax/amount.rules.ts'
import { tablesOf } from '../tax/tables.rules.ts'

const MILLION = 1_000_000n

/** An amount times a rate, rounded half-up to the ten-thousandth. */
export const applyRate = (amount: TenThousandths, rate: Rate): TenThousandths =>
  (amount * rate + MILLION / 2n) / MILLION

/**
 * Taxes recorded with a new entry, before the actual taxes can be calculated: the flat rate for the earner, the Social
 * Security and Medicare match for the employer.
 */
export function provisionalTaxes(amount: TenThousandths, taxRate: Rate, year: number) {
  const { socialSecurity, medicare } = tablesOf(year)
  return {
    withheld: applyRate(amount, taxRate),
    employerTax: applyRate(amount, socialSecurity.rate + medicare.rate),
  }
}
