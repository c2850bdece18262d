import { fine, printAmount, printFine, toCents } from './amount.rules.ts'
import type { Paycheck } from './declaration.rules.ts'
import { type Column, californiaScheduleOf, type TaxTables } from './tables.rules.ts'
import { addBrackets, type Component, Trace } from './trace.rules.ts'

/**
 * Method B lets an employer use the table printed for the pay period, or annual wages and the annual table, divided
 * (EDD's own examples E and F). The product uses the annual one; the other is there to check printed examples.
 */
export type PitVariant = 'annualised' | 'per_period_tables'

/** The columns that DE 44 prints, in words. */
const columnWords: Record<Column, string> = {
  single: 'single',
  married_0_1_allowances: 'married, 0 or 1 allowance',
  married_2_plus_allowances: 'married, 2 or more allowances',
  head_of_household: 'head of household',
}

const allowances = (count: number, kind = '') => `${count} ${kind}${count === 1 ? 'allowance' : 'allowances'}`

/** For one to ten allowances the printed amount; for more, the amount of one times their number. */
const forAllowances = (printed: readonly bigint[], count: number) =>
  count === 0 ? 0n : (printed[count - 1] ?? (printed[0] ?? 0n) * BigInt(count))

function printOf(tables: TaxTables, pay: Paycheck, variant: PitVariant) {
  if (variant === 'annualised')
    return { amounts: tables.pit.prints.annual, periods: tables.periodsPerYear[pay.frequency] }
  const { frequency } = pay
  const amounts =
    frequency === 'weekly' || frequency === 'biweekly' || frequency === 'semimonthly' || frequency === 'monthly'
      ? tables.pit.prints[frequency]
      : undefined
  if (!amounts?.rates) throw new RangeError(`There are no ${frequency} California tables for ${tables.year}.`)
  return { amounts, periods: 1n }
}

/** California PIT, Method B exact calculation. */
export function californiaPit(
  tables: TaxTables,
  pay: Paycheck,
  isSilent: boolean,
  variant: PitVariant = 'annualised',
): Component {
  const { amounts, periods } = printOf(tables, pay, variant)
  const { column, table } = californiaScheduleOf(pay.filingStatus, pay.de4.regular)
  const trace = new Trace(isSilent)
  const gross = pay.wages * periods
  const done = (amount: bigint): Component => ({
    key: 'ca_pit',
    label: 'California PIT',
    rule: tables.pit.publication,
    year: tables.year,
    amount,
    steps: trace.steps,
  })

  const exempt = amounts.lowIncomeExemption[column]
  if (gross <= exempt) {
    trace.part(
      'Low income exemption',
      0n,
      () => `${printAmount(pay.wages)} × ${periods} = ${printAmount(gross)}, not over ${printAmount(exempt)}`,
    )
    trace.total('California PIT')
    return done(0n)
  }
  trace.part(periods === 1n ? 'Wages' : 'Annual wages', fine(gross), () => `${printAmount(pay.wages)} × ${periods}`)
  const estimated = forAllowances(amounts.estimatedDeduction, pay.de4.estimated)
  if (estimated > 0n)
    trace.part('Less estimated deductions', -fine(estimated), () => `${allowances(pay.de4.estimated)} of the DE 4`)
  trace.part('Less standard deduction', -fine(amounts.standardDeduction[column]), () => columnWords[column])
  const taxable = trace.total('Taxable wages')

  addBrackets(trace, amounts.rates?.[table] ?? [], taxable / 1_000_000n)
  const credit = forAllowances(amounts.allowanceCredit, pay.de4.regular)
  if (credit > 0n)
    trace.part('Less exemption credit', -fine(credit), () => `${allowances(pay.de4.regular, 'regular ')} of the DE 4`)
  const annual = trace.total(periods === 1n ? 'Tax' : 'Annual tax')

  const amount = toCents(annual, periods)
  trace.part('Per pay period', fine(amount), () => `${printFine(annual)} ÷ ${periods}, to the cent`)
  trace.total('California PIT')
  return done(amount)
}
