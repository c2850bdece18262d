import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import type { TenThousandths } from '@limber/contract/kit/money.ts'
import { FilingStatus, isWage, type Side } from '@limber/contract/payroll/values.ts'
import { applyRate, provisionalTaxes } from '../entries/provisional.rules.ts'
import { printAmount, printRate, type Rate } from '../tax/amount.rules.ts'
import type { TaxProfile } from '../tax/tax-profile.rules.ts'
import { calculateGroup, type PaidEntry, type PayGroup, severityOf, type Terms, yearOf } from './audit.rules.ts'

export interface Cause {
  side: Side
  cause: string
  text: string
}

/** Everything that can explain a discrepancy. */
export interface CauseContext {
  group: PayGroup
  entry: PaidEntry
  terms: Terms
  side: Side
  /** As recorded, without adjustments. */
  recorded: TenThousandths
  discrepancy: TenThousandths
  /** All provisional rates in order of effective date, and the rate on the work date. */
  rates: readonly { from: string; rate: Rate }[]
  rateOfDay: Rate
  /** The previous W-4 and DE 4, and when the current one was recorded and took effect. */
  earlier: TaxProfile | undefined
  recordedOn: string | undefined
  effectiveFrom: string | undefined
  /** Sessions without a booking that look like duplicates, mapped to the original entry. */
  duplicates: ReadonlyMap<number, number>
}

type CauseRule = (context: CauseContext) => { cause: string; text: string } | undefined

/** The taxes of the entry with a different group or different terms. */
function shareIf(
  { group, entry, terms, side }: CauseContext,
  other: { group?: Partial<PayGroup>; terms?: Partial<Terms> },
) {
  const changed = { ...group, ...other.group }
  const index = changed.entries.findIndex(({ id }) => id === entry.id)
  return calculateGroup(changed, { ...terms, ...other.terms })[side][index]
}

const rounding: CauseRule = ({ discrepancy }) =>
  severityOf(discrepancy) === 'warning'
    ? { cause: 'rounding', text: 'Recorded with fractions of a cent and never rounded.' }
    : undefined

const doubleEntry: CauseRule = (context) => {
  const { group, entry, duplicates, recorded } = context
  const original = duplicates.get(entry.id)
  if (original !== undefined)
    return {
      cause: 'double_entry',
      text: `PR-${original} has the same date, type and amount. This session may have been entered twice.`,
    }
  if (duplicates.size === 0) return undefined
  const entries = group.entries.filter(({ id }) => !duplicates.has(id))
  const wages = entries.reduce((sum, { type, amount }) => (isWage(type) ? sum + amount : sum), 0n)
  return shareIf(context, { group: { entries, wages } }) === recorded
    ? {
        cause: 'double_entry',
        text: `Correct without ${[...duplicates.keys()].map((id) => `PR-${id}`).join(', ')} on the same pay date, which may have been entered twice.`,
      }
    : undefined
}

const missing: CauseRule = ({ recorded, side }) =>
  recorded === 0n
    ? {
        cause: side === 'employee' ? 'missing_withholding' : 'missing_employer_tax',
        text: side === 'employee' ? 'No tax was withheld.' : 'No employer tax was recorded.',
      }
    : undefined

const provisional: CauseRule = ({ side, entry, recorded, rateOfDay, group }) => {
  const amount = `$${printAmount(entry.amount)}`
  if (side === 'employee')
    return recorded === applyRate(entry.amount, rateOfDay)
      ? {
          cause: 'provisional_rate',
          text: `Withheld at the flat provisional rate, ${printRate(rateOfDay)} of ${amount}, and not corrected since.`,
        }
      : undefined
  return recorded === provisionalTaxes(entry.amount, 0n, yearOf(group.payDate)).employerTax
    ? {
        cause: 'provisional_rate',
        text: 'Recorded as the Social Security and Medicare match only, and not corrected since.',
      }
    : undefined
}

const rateChange: CauseRule = ({ side, entry, recorded, rates, rateOfDay }) => {
  const used =
    side === 'employee'
      ? rates.find(({ rate }) => rate !== rateOfDay && recorded === applyRate(entry.amount, rate))
      : undefined
  return used
    ? {
        cause: 'rate_change',
        text: `Withheld at ${printRate(used.rate)}, but the provisional rate on that day was ${printRate(rateOfDay)}.`,
      }
    : undefined
}

const lateChange: CauseRule = (context) => {
  const { earlier, recorded, recordedOn, effectiveFrom, group } = context
  if (!earlier || !recordedOn || !effectiveFrom || recordedOn <= group.payDate) return undefined
  return shareIf(context, { terms: { taxProfile: earlier } }) === recorded
    ? {
        cause: 'late_status_change',
        text: `Calculated with the previous W-4 and DE 4. The current ones, effective ${formatDay(effectiveFrom)}, were recorded on ${formatDay(recordedOn)}, after this pay date.`,
      }
    : undefined
}

const statusLabels: Record<FilingStatus, string> = {
  single: 'single',
  married_jointly: 'married filing jointly',
  married_separately: 'married filing separately',
  head_of_household: 'head of household',
}

const wrongStatus: CauseRule = (context) => {
  const { taxProfile } = context.terms
  const used = FilingStatus.options.find(
    (filingStatus) =>
      filingStatus !== taxProfile.filingStatus &&
      shareIf(context, { terms: { taxProfile: { ...taxProfile, filingStatus } } }) === context.recorded,
  )
  return used
    ? {
        cause: 'wrong_filing_status',
        text: `Calculated as ${statusLabels[used]}, but the W-4 on file says ${statusLabels[taxProfile.filingStatus]}.`,
      }
    : undefined
}

const wageBase: CauseRule = (context) =>
  context.group.ytdBefore > 0n && shareIf(context, { group: { ytdBefore: 0n } }) === context.recorded
    ? {
        cause: 'wage_base',
        text: `Calculated without the year-to-date wages of $${printAmount(context.group.ytdBefore)}, so the wage bases were applied incorrectly.`,
      }
    : undefined

const missingHistory: CauseRule = (context) => {
  const { ytdBefore, ytdHistory } = context.group
  return ytdHistory > 0n && shareIf(context, { group: { ytdBefore: ytdBefore - ytdHistory } }) === context.recorded
    ? {
        cause: 'missing_history',
        text: `Calculated without the wages of $${printAmount(ytdHistory)} that were paid elsewhere this year.`,
      }
    : undefined
}

// The first rule that reproduces the recorded amount exactly is reported.
const causeRules: readonly CauseRule[] = [
  rounding,
  lateChange,
  wrongStatus,
  missingHistory,
  wageBase,
  provisional,
  rateChange,
  doubleEntry,
  missing,
]

export function findCause(context: CauseContext): Cause | undefined {
  if (context.discrepancy === 0n) return undefined
  const { side } = context
  for (const rule of causeRules) {
    const found = rule(context)
    if (found) return { side, ...found }
  }
  return {
    side,
    cause: 'unknown',
    text: 'No common cause explains this difference. Compare the steps with the pay stub.',
  }
}
