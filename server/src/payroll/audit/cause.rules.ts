import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import type { TenThousandths } from '@limber/contract/kit/money.ts'
import { FilingStatus, isWage, type Side } from '@limber/contract/payroll/values.ts'
import { bookProvisionally, portion } from '../entries/provisional.rules.ts'
import { printAmount, printRate, type Rate } from '../tax/amount.rules.ts'
import type { Declaration } from '../tax/declaration.rules.ts'
import { calculateGroup, type PaidEntry, type PayGroup, severityOf, type Terms, yearOf } from './audit.rules.ts'

export interface Cause {
  side: Side
  cause: string
  text: string
}

/** Everything that can explain a discrepancy. */
export interface Clues {
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
  earlier: Declaration | undefined
  recordedOn: string | undefined
  effectiveFrom: string | undefined
  /** Sessions without a booking that look like duplicates, mapped to the original entry. */
  twins: ReadonlyMap<number, number>
}

type Guess = (clues: Clues) => { cause: string; text: string } | undefined

/** The taxes of the entry with a different group or different terms. */
function shareIf({ group, entry, terms, side }: Clues, other: { group?: Partial<PayGroup>; terms?: Partial<Terms> }) {
  const changed = { ...group, ...other.group }
  const index = changed.entries.findIndex(({ id }) => id === entry.id)
  return calculateGroup(changed, { ...terms, ...other.terms })[side][index]
}

const rounding: Guess = ({ discrepancy }) =>
  severityOf(discrepancy) === 'warning'
    ? { cause: 'rounding', text: 'Recorded with fractions of a cent and never rounded.' }
    : undefined

const doubleEntry: Guess = (clues) => {
  const { group, entry, twins, recorded } = clues
  const original = twins.get(entry.id)
  if (original !== undefined)
    return {
      cause: 'double_entry',
      text: `PR-${original} has the same date, type and amount. This session may have been entered twice.`,
    }
  if (twins.size === 0) return undefined
  const entries = group.entries.filter(({ id }) => !twins.has(id))
  const wages = entries.reduce((sum, { type, amount }) => (isWage(type) ? sum + amount : sum), 0n)
  return shareIf(clues, { group: { entries, wages } }) === recorded
    ? {
        cause: 'double_entry',
        text: `Correct without ${[...twins.keys()].map((id) => `PR-${id}`).join(', ')} on the same pay date, which may have been entered twice.`,
      }
    : undefined
}

const missing: Guess = ({ recorded, side }) =>
  recorded === 0n
    ? {
        cause: side === 'employee' ? 'missing_withholding' : 'missing_employer_tax',
        text: side === 'employee' ? 'No tax was withheld.' : 'No employer tax was recorded.',
      }
    : undefined

const provisional: Guess = ({ side, entry, recorded, rateOfDay, group }) => {
  const amount = `$${printAmount(entry.amount)}`
  if (side === 'employee')
    return recorded === portion(entry.amount, rateOfDay)
      ? {
          cause: 'provisional_rate',
          text: `Withheld at the flat provisional rate, ${printRate(rateOfDay)} of ${amount}, and not corrected since.`,
        }
      : undefined
  return recorded === bookProvisionally(entry.amount, 0n, yearOf(group.payDate)).employerTax
    ? {
        cause: 'provisional_rate',
        text: 'Recorded as the Social Security and Medicare match only, and not corrected since.',
      }
    : undefined
}

const rateChange: Guess = ({ side, entry, recorded, rates, rateOfDay }) => {
  const used =
    side === 'employee'
      ? rates.find(({ rate }) => rate !== rateOfDay && recorded === portion(entry.amount, rate))
      : undefined
  return used
    ? {
        cause: 'rate_change',
        text: `Withheld at ${printRate(used.rate)}, but the provisional rate on that day was ${printRate(rateOfDay)}.`,
      }
    : undefined
}

const lateChange: Guess = (clues) => {
  const { earlier, recorded, recordedOn, effectiveFrom, group } = clues
  if (!earlier || !recordedOn || !effectiveFrom || recordedOn <= group.payDate) return undefined
  return shareIf(clues, { terms: { declaration: earlier } }) === recorded
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

const wrongStatus: Guess = (clues) => {
  const { declaration } = clues.terms
  const used = FilingStatus.options.find(
    (filingStatus) =>
      filingStatus !== declaration.filingStatus &&
      shareIf(clues, { terms: { declaration: { ...declaration, filingStatus } } }) === clues.recorded,
  )
  return used
    ? {
        cause: 'wrong_filing_status',
        text: `Calculated as ${statusLabels[used]}, but the W-4 on file says ${statusLabels[declaration.filingStatus]}.`,
      }
    : undefined
}

const wageBase: Guess = (clues) =>
  clues.group.ytdBefore > 0n && shareIf(clues, { group: { ytdBefore: 0n } }) === clues.recorded
    ? {
        cause: 'wage_base',
        text: `Calculated without the year-to-date wages of $${printAmount(clues.group.ytdBefore)}, so the wage bases were applied incorrectly.`,
      }
    : undefined

// The first guess that reproduces the recorded amount exactly is reported.
const guesses: readonly Guess[] = [
  rounding,
  lateChange,
  wrongStatus,
  wageBase,
  provisional,
  rateChange,
  doubleEntry,
  missing,
]

export function findCause(clues: Clues): Cause | undefined {
  if (clues.discrepancy === 0n) return undefined
  const { side } = clues
  for (const guess of guesses) {
    const found = guess(clues)
    if (found) return { side, ...found }
  }
  return {
    side,
    cause: 'unknown',
    text: 'No common cause explains this difference. Compare the steps with the pay stub.',
  }
}
