import type { TenThousandths } from '@limber/contract/kit/money.ts'
import type { Rate } from '../tax/amount.rules.ts'
import { tablesOf } from '../tax/tables.rules.ts'

const MILLION = 1_000_000n

/** An amount times a rate, rounded half-up to the ten-thousandth. */
export const portion = (amount: TenThousandths, rate: Rate): TenThousandths => (amount * rate + MILLION / 2n) / MILLION

/**
 * What is booked when an entry is made, before the law's own figure is known: the flat rate of its day for the earner,
 * the match of Social Security and Medicare for the employer.
 */
export function bookProvisionally(amount: TenThousandths, taxRate: Rate, year: number) {
  const { socialSecurity, medicare } = tablesOf(year)
  return {
    withheld: portion(amount, taxRate),
    employerTax: portion(amount, socialSecurity.rate + medicare.rate),
  }
}
