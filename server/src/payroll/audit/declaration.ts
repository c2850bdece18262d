import { readAmount } from '../tax/amount.rules.ts'
import { type Declaration, nothingDeclared } from '../tax/declaration.rules.ts'
import type { ProfileRow } from './audit.queries.ts'

// An audit needs the same declaration for every pay date.
const known = new WeakMap<ProfileRow, Declaration>()

/** Converts a tax profile for the calculation. Without one, the earner counts as single with no allowances. */
export function declarationOf(profile: ProfileRow | undefined): Declaration {
  if (profile === undefined) return nothingDeclared
  const found = known.get(profile) ?? readDeclaration(profile)
  known.set(profile, found)
  return found
}

const readDeclaration = (profile: ProfileRow): Declaration => ({
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
