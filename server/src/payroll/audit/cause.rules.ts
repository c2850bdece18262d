import { stringifyMoney, type TenThousandths } from '@limber/contract/kit/money.ts'
import { FilingStatus, isWage, type Side } from '@limber/contract/payroll/values.ts'
import { bookProvisionally, portion } from '../entries/provisional.rules.ts'
import { printRate, type Rate } from '../tax/amount.rules.ts'
import type { Declaration } from '../tax/declaration.rules.ts'
import { calculateGroup, type PaidEntry, type PayGroup, severityOf, type Terms, yearOf } from './audit.rules.ts'

export interface Cause {
  side: Side
  cause: string
  text: string
}

/** All that may tell why a figure is off. */
export interface Clues {
  group: PayGroup
  entry: PaidEntry
  terms: Terms
  side: Side
  /** As booked, without adjustments. */
  recorded: TenThousandths
  discrepancy: TenThousandths
  /** Provisional rates, in the order in which they took effect, and the one of the entry's day. */
  rates: readonly { from: string; rate: Rate }[]
  rateOfDay: Rate
  /** The declaration before the one that counts, and when the latter was recorded and takes effect. */
  earlier: Declaration | undefined
  recordedOn: string | undefined
  effectiveFrom: string | undefined
  /** Sessions of the group without a booking that look like another entry, and which one that is. */
  twins: ReadonlyMap<number, number>
}

type Guess = (clues: Clues) => { cause: string; text: string } | undefined

/** What the entry would bear if the group or its terms were others. */
function shareIf({ group, entry, terms, side }: Clues, other: { group?: Partial<PayGroup>; terms?: Partial<Terms> }) {
  const changed = { ...group, ...other.group }
  const index = changed.entries.findIndex(({ id }) => id === entry.id)
  return calculateGroup(changed, { ...terms, ...other.terms })[side][index]
}

const rounding: Guess = ({ discrepancy }) =>
  severityOf(discrepancy) === 'warning'
    ? { cause: 'rounding', text: 'Booked with fractions of a cent and never rounded to the cent.' }
    : undefined

const doubleEntry: Guess = (clues) => {
  const { group, entry, twins, recorded } = clues
  const original = twins.get(entry.id)
  if (original !== undefined)
    return {
      cause: 'double_entry',
      text: `Entry ${original} has the same day, type and amount: this session may have been entered twice.`,
    }
  if (twins.size === 0) return undefined
  const entries = group.entries.filter(({ id }) => !twins.has(id))
  const wages = entries.reduce((sum, { type, amount }) => (isWage(type) ? sum + amount : sum), 0n)
  return shareIf(clues, { group: { entries, wages } }) === recorded
    ? {
        cause: 'double_entry',
        text: `Right without entry ${[...twins.keys()].join(', ')} of the same pay date, which may have been entered twice.`,
      }
    : undefined
}

const missing: Guess = ({ recorded, side }) =>
  recorded === 0n
    ? {
        cause: side === 'employee' ? 'missing_withholding' : 'missing_employer_tax',
        text: side === 'employee' ? 'Nothing was withheld.' : 'No employer tax was booked.',
      }
    : undefined

const provisional: Guess = ({ side, entry, recorded, rateOfDay, group }) => {
  const amount = stringifyMoney(entry.amount)
  if (side === 'employee')
    return recorded === portion(entry.amount, rateOfDay)
      ? {
          cause: 'provisional_rate',
          text: `Withheld at the flat provisional rate, ${printRate(rateOfDay)} of ${amount}, and never trued up.`,
        }
      : undefined
  return recorded === bookProvisionally(entry.amount, 0n, yearOf(group.payDate)).employerTax
    ? {
        cause: 'provisional_rate',
        text: 'Booked as the match of Social Security and Medicare only, and never trued up.',
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
        text: `Withheld at ${printRate(used.rate)}, a provisional rate of another time; on that day it was ${printRate(rateOfDay)}.`,
      }
    : undefined
}

const lateChange: Guess = (clues) => {
  const { earlier, recorded, recordedOn, effectiveFrom, group } = clues
  if (!earlier || !recordedOn || recordedOn <= group.payDate) return undefined
  return shareIf(clues, { terms: { declaration: earlier } }) === recorded
    ? {
        cause: 'late_status_change',
        text: `Computed with the declaration before: the one in force since ${effectiveFrom} was recorded on ${recordedOn}, after this pay date.`,
      }
    : undefined
}

const said = (status: FilingStatus) => status.replaceAll('_', ' ')

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
        text: `Computed as ${said(used)}; the declaration on file says ${said(declaration.filingStatus)}.`,
      }
    : undefined
}

const wageBase: Guess = (clues) =>
  clues.group.ytdBefore > 0n && shareIf(clues, { group: { ytdBefore: 0n } }) === clues.recorded
    ? {
        cause: 'wage_base',
        text: `Computed as if the year began with this pay: wages of ${stringifyMoney(clues.group.ytdBefore)} before it were not counted towards the wage bases.`,
      }
    : undefined

// The first that explains the figure to the ten-thousandth is told.
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

/** The likely cause of a discrepancy. */
export function findCause(clues: Clues): Cause | undefined {
  if (clues.discrepancy === 0n) return undefined
  const { side } = clues
  for (const guess of guesses) {
    const found = guess(clues)
    if (found) return { side, ...found }
  }
  return { side, cause: 'unknown', text: 'No usual cause explains this figure. Compare the steps with the payslip.' }
}
