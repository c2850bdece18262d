import type { TenThousandths } from '@limber/contract/kit/money.ts'
import type { FilingStatus } from '@limber/contract/payroll/values.ts'
import type { Rate } from './amount.rules.ts'
import type { Frequency } from './tables.rules.ts'

/** An earner's Form W-4 (2020 or later) and Form DE 4. */
export interface TaxProfile {
  filingStatus: FilingStatus
  w4: {
    step2: boolean
    step3: TenThousandths
    step4a: TenThousandths
    step4b: TenThousandths
    /** Whole cents. */
    step4c: TenThousandths
  }
  de4: { regular: number; estimated: number }
}

/** Used without a W-4 or DE 4: single with no allowances. */
export const defaultTaxProfile: TaxProfile = {
  filingStatus: 'single',
  w4: { step2: false, step3: 0n, step4a: 0n, step4b: 0n, step4c: 0n },
  de4: { regular: 0, estimated: 0 },
}

/** Everything that determines the taxes of one paycheck. */
export interface Paycheck extends TaxProfile {
  /** Year of the pay date. */
  year: number
  frequency: Frequency
  wages: TenThousandths
  /** Year-to-date wages before this paycheck. */
  ytdBefore: TenThousandths
  /** The employer's California UI rate. */
  uiRate: Rate
}
