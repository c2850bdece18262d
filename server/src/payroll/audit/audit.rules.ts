import type { TenThousandths } from '@limber/contract/kit/money.ts'
import { type EntryType, isWage, type Severity } from '@limber/contract/payroll/values.ts'
import type { Rate } from '../tax/amount.rules.ts'
import { calculateTaxes, type Side, type Taxes } from '../tax/paycheck.rules.ts'
import type { Frequency } from '../tax/tables.rules.ts'
import type { Paycheck, TaxProfile } from '../tax/tax-profile.rules.ts'
import { shareOut } from './share.rules.ts'

/** A paid entry. The recorded taxes include adjustments. */
export interface PaidEntry {
  id: number
  periodId: number
  payDate: string
  type: EntryType
  amount: TenThousandths
  employeeRecorded: TenThousandths
  employerRecorded: TenThousandths
}

/** Entries of one earner paid together. Progressive taxes can only be computed on their sum. */
export interface PayGroup<E extends PaidEntry = PaidEntry> {
  periodId: number
  payDate: string
  entries: E[]
  wages: TenThousandths
  /** Earlier wages of the year, with those from elsewhere. */
  ytdBefore: TenThousandths
  /** The part of `ytdBefore` that somebody else paid. */
  ytdHistory: TenThousandths
}

/** Wages that somebody else paid to an earner on a day. */
export interface PaidElsewhere {
  payDate: string
  wages: TenThousandths
}

const CENT = 100n

export const yearOf = (day: string) => Number(day.slice(0, 4))

const taxable = ({ type, amount }: PaidEntry) => (isWage(type) ? amount : 0n)

/**
 * Groups one earner's entries, ordered by pay date and id, by pay period and pay date. Each group has its year-to-date
 * wages. `before` has the wages in the year of the first entry before that entry. Wages from elsewhere count for every
 * group of their year with the same or a later pay date.
 */
export function groupEntries<E extends PaidEntry>(
  entries: readonly E[],
  before: { year: number; wages: TenThousandths },
  elsewhere: readonly PaidElsewhere[] = [],
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
      ytdHistory: 0n,
    }
    groups.set(key, group)
    group.entries.push(entry)
    group.wages += taxable(entry)
  }
  const ytd = new Map([[before.year, before.wages]])
  for (const group of groups.values()) {
    const year = yearOf(group.payDate)
    const own = ytd.get(year) ?? 0n
    for (const { payDate, wages } of elsewhere)
      if (yearOf(payDate) === year && payDate <= group.payDate) group.ytdHistory += wages
    group.ytdBefore = own + group.ytdHistory
    ytd.set(year, own + group.wages)
  }
  return [...groups.values()]
}

/** Everything besides wages that the taxes of a group depend on. */
export interface Terms {
  taxProfile: TaxProfile
  frequency: Frequency
  uiRate: Rate
}

export const paycheckOf = (group: PayGroup, { taxProfile, frequency, uiRate }: Terms): Paycheck => ({
  ...taxProfile,
  year: yearOf(group.payDate),
  frequency,
  wages: group.wages,
  ytdBefore: group.ytdBefore,
  uiRate,
})

const none: Side = { components: [], total: 0n }

/** The taxes of a group; none without wages. */
export const taxesOf = (group: PayGroup, terms: Terms, options?: { isSilent: boolean }): Taxes =>
  group.wages === 0n ? { employee: none, employer: none } : calculateTaxes(paycheckOf(group, terms), options)

/** Splits each tax of a side among the group's entries: one row per tax, one column per entry. */
export function shareSide(group: PayGroup, { components }: Side): TenThousandths[][] {
  const weights = group.entries.map(taxable)
  return components.map(({ amount }) => shareOut(amount, weights))
}

const sumColumns = (rows: readonly TenThousandths[][], columns: number) =>
  Array.from({ length: columns }, (_, column) => rows.reduce((sum, row) => sum + (row[column] ?? 0n), 0n))

/** The calculated taxes of each entry in a group, in order of the entries. */
export function calculateGroup(group: PayGroup, terms: Terms) {
  const taxes = taxesOf(group, terms, { isSilent: true })
  const count = group.entries.length
  return {
    employee: sumColumns(shareSide(group, taxes.employee), count),
    employer: sumColumns(shareSide(group, taxes.employer), count),
  }
}

/** Less than one cent is a warning, one cent or more is significant. Undefined without a difference. */
export function severityOf(...discrepancies: readonly TenThousandths[]): Severity | undefined {
  const largest = discrepancies.reduce((max, value) => {
    const size = value < 0n ? -value : value
    return size > max ? size : max
  }, 0n)
  return largest === 0n ? undefined : largest < CENT ? 'warning' : 'significant'
}
