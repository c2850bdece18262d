import { type CsvCell, csvLine } from '@limber/contract/kit/csv.ts'
import type { TenThousandths } from '@limber/contract/kit/money.ts'
import type { PayPeriodFormat } from '@limber/contract/payroll/files/pay-period-file.ts'
import type { EntryType } from '@limber/contract/payroll/values.ts'

/** What one earner gets in a pay period. Taxes include adjustments. */
export interface EarnerPay {
  earner_id: number
  first_name: string
  last_name: string
  amounts: Readonly<Record<EntryType, TenThousandths>>
  withheld: TenThousandths
  employer_tax: TenThousandths
}

export interface PeriodFacts {
  id: number
  starts_on: string
  ends_on: string
  pay_date: string
}

export type Cents = bigint

/** Ten-thousandths to cents, rounded half away from zero. */
export const roundToCents = (amount: TenThousandths): Cents =>
  amount < 0n ? -((-amount + 50n) / 100n) : (amount + 50n) / 100n

export function printCents(cents: Cents): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The amounts of an earner in cents. Each is rounded once, and the others follow from them, so that sums agree. */
function centsOf({ amounts, withheld, employer_tax }: EarnerPay) {
  const of = (type: EntryType) => roundToCents(amounts[type])
  const reimbursements = of('mileage') + of('expense_reimbursement')
  const wages = of('session') + of('bonus') + of('commission') + of('sick_pay') + of('break_time_pay')
  const tax = roundToCents(withheld)
  return { of, wages, reimbursements, tax, employer: roundToCents(employer_tax), net: wages + reimbursements - tax }
}

const name = ({ first_name, last_name }: EarnerPay) => `${first_name} ${last_name}`.trim()

const registerColumns = [
  ...['Earner ID', 'Earner', 'Period start', 'Period end', 'Pay date', 'Sessions', 'Bonus', 'Commission', 'Sick pay'],
  ...['Break time pay', 'Gross wages', 'Withheld tax', 'Mileage', 'Expenses', 'Net pay', 'Employer tax'],
]

function registerLines(period: PeriodFacts, pays: readonly EarnerPay[]): CsvCell[][] {
  return pays.map((pay) => {
    const { of, wages, tax, net, employer } = centsOf(pay)
    return [
      ...[pay.earner_id, name(pay), period.starts_on, period.ends_on, period.pay_date],
      ...(['session', 'bonus', 'commission', 'sick_pay', 'break_time_pay'] as const).map((type) =>
        printCents(of(type)),
      ),
      ...[printCents(wages), printCents(tax), printCents(of('mileage')), printCents(of('expense_reimbursement'))],
      ...[printCents(net), printCents(employer)],
    ]
  })
}

// The column titles of Gusto's CSV upload. It has none for pay by the session, so all pay but bonuses is a commission
// there, and the note to the employee says what it consists of. Gusto withholds taxes itself.
const gustoColumns = ['first_name', 'last_name', 'bonus', 'commission', 'reimbursement', 'personal_note']

const noteParts = [
  ['session', 'Sessions'],
  ['commission', 'Commission'],
  ['sick_pay', 'Sick pay'],
  ['break_time_pay', 'Break time pay'],
  ['mileage', 'Mileage'],
  ['expense_reimbursement', 'Expenses'],
] as const satisfies readonly (readonly [EntryType, string])[]

// Blank cells leave what was entered in Gusto; zeros overwrite it.
const unlessZero = (cents: Cents) => (cents === 0n ? '' : printCents(cents))

const gustoLines = (_: PeriodFacts, pays: readonly EarnerPay[]): CsvCell[][] =>
  pays.map((pay) => {
    const { of, wages, reimbursements } = centsOf(pay)
    const note = noteParts
      .filter(([type]) => of(type) !== 0n)
      .map(([type, label]) => `${label} ${printCents(of(type))}`)
      .join('; ')
    return [
      ...[pay.first_name, pay.last_name, unlessZero(of('bonus')), unlessZero(wages - of('bonus'))],
      ...[unlessZero(reimbursements), note],
    ]
  })

const journalColumns = ['JournalNo', 'JournalDate', 'AccountName', 'Debits', 'Credits', 'Description', 'Name']

interface JournalLine {
  account: string
  /** Positive amounts are debits, negative ones credits. */
  amount: Cents
  description: string
  name: string
}

/** The journal of a pay period. Its lines add up to zero. */
export function journalOf(period: PeriodFacts, pays: readonly EarnerPay[]): JournalLine[] {
  const description = `Payroll ${period.starts_on} to ${period.ends_on}`
  return pays
    .flatMap((pay) => {
      const { wages, reimbursements, tax, employer, net } = centsOf(pay)
      const line = (account: string, amount: Cents) => ({ account, amount, description, name: name(pay) })
      return [
        line('Payroll Expenses:Wages', wages),
        line('Payroll Expenses:Taxes', employer),
        line('Payroll Expenses:Reimbursements', reimbursements),
        line('Payroll Liabilities:Payroll Taxes', -(tax + employer)),
        line('Payroll Clearing', -net),
      ]
    })
    .filter(({ amount }) => amount !== 0n)
}

const usDay = (day: string) => day.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1')

const journalLines = (period: PeriodFacts, pays: readonly EarnerPay[]): CsvCell[][] =>
  journalOf(period, pays).map(({ account, amount, description, name: who }) => [
    ...[`PAY-${period.id}`, usDay(period.pay_date), account],
    ...[amount > 0n ? printCents(amount) : '', amount < 0n ? printCents(-amount) : ''],
    ...[description, who],
  ])

const formats = {
  register: { columns: registerColumns, lines: registerLines },
  gusto: { columns: gustoColumns, lines: gustoLines },
  quickbooks: { columns: journalColumns, lines: journalLines },
}

/** A pay period as CSV lines. */
export function* linesOf(format: PayPeriodFormat, period: PeriodFacts, pays: readonly EarnerPay[]): Generator<string> {
  const { columns, lines } = formats[format]
  yield csvLine(columns)
  for (const cells of lines(period, pays)) yield csvLine(cells)
}
