import type { PayGroup } from '@limber/server/payroll/audit/audit.rules.ts'
import { applyRate } from '@limber/server/payroll/entries/provisional.rules.ts'
import type { TaxProfile } from '@limber/server/payroll/tax/tax-profile.rules.ts'
import type { Random } from '../random.ts'
import { type Entry, MANUAL_ENTRY, type Row } from './entry.ts'

/** Errors for the audit to find: each of these once with a stretcher, and others that need higher wages. */
export const stretcherErrors = ['rate_change', 'never_trued_up', 'rounding', 'missing', 'double'] as const
export type PayrollError = (typeof stretcherErrors)[number] | 'wrong_status' | 'late_change' | 'wage_base'

interface FlawedInput {
  group?: PayGroup<Row>
  taxProfile?: TaxProfile
  after?(entries: Entry[], random: Random): void
}

/** The tax rate before the current one. */
const OLD_RATE = 180_000n

const single = (taxProfile: TaxProfile): TaxProfile => ({ ...taxProfile, filingStatus: 'single' })

const change: Partial<Record<PayrollError, (entries: Entry[], random: Random) => void>> = {
  rate_change: (entries) => {
    for (const entry of entries.slice(0, 6)) if (isTaxed(entry)) entry.withheld = applyRate(entry.amount, OLD_RATE)
  },
  rounding: (entries, random) => {
    for (const entry of entries.filter(isTaxed).slice(0, 4)) entry.withheld += BigInt(random.integer(11, 88))
  },
  missing: (entries) => {
    const found = entries.find(isTaxed)
    if (found) found.withheld = 0n
  },
}

const isTaxed = ({ withheld }: Entry) => withheld > 0n

/** The input of the tax calculation with an error in it. */
export function withError(
  error: PayrollError,
  group: PayGroup<Row>,
  taxProfile: TaxProfile,
): FlawedInput | 'provisional' | undefined {
  switch (error) {
    case 'never_trued_up':
      return 'provisional'
    case 'wrong_status':
    case 'late_change':
      return { taxProfile: single(taxProfile) }
    case 'wage_base':
      return { group: { ...group, ytdBefore: 0n } }
    case 'double':
      return withoutDuplicate(group)
    case 'rate_change':
    case 'rounding':
    case 'missing': {
      const after = change[error]
      return after ? { after } : undefined
    }
  }
}

/** Taxes were correct before the duplicate was entered. Nothing was withheld from it. */
function withoutDuplicate(group: PayGroup<Row>): FlawedInput | undefined {
  const duplicate = group.entries.find(({ entry }) => entry.sub_type === MANUAL_ENTRY)
  if (!duplicate) return undefined
  duplicate.entry.withheld = 0n
  duplicate.entry.employerTax = 0n
  const entries = group.entries.filter((row) => row !== duplicate)
  return { group: { ...group, entries, wages: group.wages - duplicate.amount } }
}
