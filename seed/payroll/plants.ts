import type { PayGroup } from '@limber/server/payroll/audit/audit.rules.ts'
import { applyRate } from '@limber/server/payroll/entries/provisional.rules.ts'
import type { TaxProfile } from '@limber/server/payroll/tax/tax-profile.rules.ts'
import type { Random } from '../random.ts'
import { BY_HAND, type Entry, type Row } from './entry.ts'

/** What goes wrong in a payroll: mistakes with stretchers, each once, and those that need higher wages. */
export const stretcherPlants = ['rate_change', 'never_trued_up', 'rounding', 'missing', 'double'] as const
export type Plant = (typeof stretcherPlants)[number] | 'wrong_status' | 'late_change' | 'wage_base'

interface Wrong {
  group?: PayGroup<Row>
  declaration?: TaxProfile
  after?(entries: Entry[], random: Random): void
}

/** The rate before the latest one. */
const OLD_RATE = 180_000n

const single = (declaration: TaxProfile): TaxProfile => ({ ...declaration, filingStatus: 'single' })

const change: Partial<Record<Plant, (entries: Entry[], random: Random) => void>> = {
  rate_change: (entries) => {
    for (const entry of entries.slice(0, 6)) if (isTaxed(entry)) entry.withheld = applyRate(entry.amount, OLD_RATE)
  },
  rounding: (entries, random) => {
    for (const entry of entries.filter(isTaxed).slice(0, 4)) entry.withheld += BigInt(random.whole(11, 88))
  },
  missing: (entries) => {
    const found = entries.find(isTaxed)
    if (found) found.withheld = 0n
  },
}

const isTaxed = ({ withheld }: Entry) => withheld > 0n

/** How a group was computed when something went wrong with it. */
export function plantIn(
  plant: Plant,
  group: PayGroup<Row>,
  declaration: TaxProfile,
): Wrong | 'provisional' | undefined {
  switch (plant) {
    case 'never_trued_up':
      return 'provisional'
    case 'wrong_status':
    case 'late_change':
      return { declaration: single(declaration) }
    case 'wage_base':
      return { group: { ...group, ytdBefore: 0n } }
    case 'double':
      return withoutTwin(group)
    case 'rate_change':
    case 'rounding':
    case 'missing': {
      const after = change[plant]
      return after ? { after } : undefined
    }
  }
}

/** The taxes were right before somebody typed one session in again; nothing was withheld from that. */
function withoutTwin(group: PayGroup<Row>): Wrong | undefined {
  const twin = group.entries.find(({ entry }) => entry.sub_type === BY_HAND)
  if (!twin) return undefined
  twin.entry.withheld = 0n
  twin.entry.employerTax = 0n
  const entries = group.entries.filter((row) => row !== twin)
  return { group: { ...group, entries, wages: group.wages - twin.amount } }
}
