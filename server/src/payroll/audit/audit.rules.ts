import type { TenThousandths } from '@limber/contract/kit/money.ts'
import { type EntryType, isWage, type Severity } from '@limber/contract/payroll/values.ts'
import type { Rate } from '../tax/amount.rules.ts'
import type { Declaration, Paycheck } from '../tax/declaration.rules.ts'
import { calculateTaxes, type Side, type Taxes } from '../tax/paycheck.rules.ts'
import type { Frequency } from '../tax/tables.rules.ts'
import { shareOut } from './share.rules.ts'

/** A paid entry with what was recorded on it; recorded sums include adjustments. */
export interface PaidEntry {
  id: number
  periodId: number
  payDate: string
  type: EntryType
  amount: TenThousandths
  employeeRecorded: TenThousandths
  employerRecorded: TenThousandths
}

/** Entries of one earner that are paid together: progressive taxes can only be computed on their sum. */
export interface PayGroup<E extends PaidEntry = PaidEntry> {
  periodId: number
  payDate: string
  entries: E[]
  wages: TenThousandths
  ytdBefore: TenThousandths
}

const CENT = 100n

export const yearOf = (day: string) => Number(day.slice(0, 4))

const taxable = ({ type, amount }: PaidEntry) => (isWage(type) ? amount : 0n)

/**
 * Groups one earner's entries, in the order of pay date and id, by pay period and pay date; each group knows the year's
 * wages before it. `ytdBefore` is what was earned in the first entry's year before the first entry.
 */
export function groupEntries<E extends PaidEntry>(
  entries: readonly E[],
  before: { year: number; wages: TenThousandths },
): PayGroup<E>[] {
  const groups = new Map<string, PayGroup<E>>()
  for (const entry of entries) {
    const key = `${entry.payDate}/${entry.periodId}`
    const group = groups.get(key) ?? {
      periodId: entry.periodId,
      payDate: entry.payDate,
      entries: [],
      wages: 0n,
      ytdBefore: 0n,
    }
    groups.set(key, group)
    group.entries.push(entry)
    group.wages += taxable(entry)
  }
  const ytd = new Map([[before.year, before.wages]])
  for (const group of groups.values()) {
    const year = yearOf(group.payDate)
    group.ytdBefore = ytd.get(year) ?? 0n
    ytd.set(year, group.ytdBefore + group.wages)
  }
  return [...groups.values()]
}

/** What the law asks of a group depends on. */
export interface Terms {
  declaration: Declaration
  frequency: Frequency
  uiRate: Rate
}

export const paycheckOf = (group: PayGroup, { declaration, frequency, uiRate }: Terms): Paycheck => ({
  ...declaration,
  year: yearOf(group.payDate),
  frequency,
  wages: group.wages,
  ytdBefore: group.ytdBefore,
  uiRate,
})

const none: Side = { components: [], total: 0n }

/** The taxes of a group; nothing is withheld from no wages. */
export const taxesOf = (group: PayGroup, terms: Terms, options?: { isSilent: boolean }): Taxes =>
  group.wages === 0n ? { employee: none, employer: none } : calculateTaxes(paycheckOf(group, terms), options)

/** Each component of a side shared out to the group's entries: one row per component, one column per entry. */
export function shareSide(group: PayGroup, { components }: Side): TenThousandths[][] {
  const weights = group.entries.map(taxable)
  return components.map(({ amount }) => shareOut(amount, weights))
}

const sumColumns = (rows: readonly TenThousandths[][], columns: number) =>
  Array.from({ length: columns }, (_, column) => rows.reduce((sum, row) => sum + (row[column] ?? 0n), 0n))

/** What each entry of a group should bear, in the order of the entries. */
export function calculateGroup(group: PayGroup, terms: Terms) {
  const taxes = taxesOf(group, terms, { isSilent: true })
  const count = group.entries.length
  return {
    employee: sumColumns(shareSide(group, taxes.employee), count),
    employer: sumColumns(shareSide(group, taxes.employer), count),
  }
}

/** Below one cent a warning, from one cent on significant; none when it is right. */
export function severityOf(...discrepancies: readonly TenThousandths[]): Severity | undefined {
  const largest = discrepancies.reduce((most, value) => {
    const size = value < 0n ? -value : value
    return size > most ? size : most
  }, 0n)
  return largest === 0n ? undefined : largest < CENT ? 'warning' : 'significant'
}
