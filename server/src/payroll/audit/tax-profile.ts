import { readAmount } from '../tax/amount.rules.ts'
import { defaultTaxProfile, type TaxProfile } from '../tax/tax-profile.rules.ts'
import type { ProfileRow } from './audit.queries.ts'

// An audit needs the same tax profile for every pay date.
const known = new WeakMap<ProfileRow, TaxProfile>()

/** Converts a tax profile for the calculation. Without one, the earner counts as single with no allowances. */
export function taxProfileOf(profile: ProfileRow | undefined): TaxProfile {
  if (profile === undefined) return defaultTaxProfile
  const found = known.get(profile) ?? readTaxProfile(profile)
  known.set(profile, found)
  return found
}

const readTaxProfile = (profile: ProfileRow): TaxProfile => ({
  filingStatus: profile.filing_status,
  w4: {
    step2: profile.step2_checkbox,
    step3: readAmount(profile.step3_credits),
    step4a: readAmount(profile.step4a_income),
    step4b: readAmount(profile.step4b_deductions),
    step4c: readAmount(profile.step4c_extra),
  },
  de4: { regular: profile.regular_allowances, estimated: profile.estimated_allowances },
})
