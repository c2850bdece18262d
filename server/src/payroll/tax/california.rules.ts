import { printAmount, printTenBillionths, toCents, toTenBillionths } from './amount.rules.ts'
import { type Column, californiaScheduleOf, type TaxTables } from './tables.rules.ts'
import type { Paycheck } from './tax-profile.rules.ts'
import { addBrackets, type Component, Trace } from './trace.rules.ts'

/**
 * Method B allows the table for the pay period, or annualized wages with the annual table (EDD examples E and F). Limber
 * uses the annual table; the other variant only verifies published examples.
 */
export type PitVariant = 'annualized' | 'per_period_tables'

/** Labels of the DE 44 columns. */
const columnLabels: Record<Column, string> = {
  single: 'single',
  married_0_1_allowances: 'married, 0 or 1 allowance',
  married_2_plus_allowances: 'married, 2 or more allowances',
  head_of_household: 'head of household',
}

const allowances = (count: number, kind = '') => `${count} ${kind}${count === 1 ? 'allowance' : 'allowances'}`

/** The table amount for up to ten allowances; beyond that, the amount for one times their number. */
const forAllowances = (printed: readonly bigint[], count: number) =>
  count === 0 ? 0n : (printed[count - 1] ?? (printed[0] ?? 0n) * BigInt(count))

function pitAmountsOf(tables: TaxTables, pay: Paycheck, variant: PitVariant) {
  if (variant === 'annualized')
    return { amounts: tables.pit.byPeriod.annual, periods: tables.periodsPerYear[pay.frequency] }
  const { frequency } = pay
  const amounts =
    frequency === 'weekly' || frequency === 'biweekly' || frequency === 'semimonthly' || frequency === 'monthly'
      ? tables.pit.byPeriod[frequency]
      : undefined
  if (!amounts?.rates) throw new RangeError(`There are no ${frequency} California tax tables for ${tables.year}.`)
  return { amounts, periods: 1n }
}

/** California PIT, Method B exact calculation. */
export function californiaPit(
  tables: TaxTables,
  pay: Paycheck,
  isSilent: boolean,
  variant: PitVariant = 'annualized',
): Component {
  const { amounts, periods } = pitAmountsOf(tables, pay, variant)
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
      () => `${printAmount(pay.wages)} × ${periods} = ${printAmount(gross)}, does not exceed ${printAmount(exempt)}`,
    )
    trace.total('California PIT')
    return done(0n)
  }
  trace.part(
    periods === 1n ? 'Wages' : 'Annual wages',
    toTenBillionths(gross),
    () => `${printAmount(pay.wages)} × ${periods}`,
  )
  const estimated = forAllowances(amounts.estimatedDeduction, pay.de4.estimated)
  if (estimated > 0n)
    trace.part(
      'Less estimated deduction',
      -toTenBillionths(estimated),
      () => `${allowances(pay.de4.estimated)} on DE 4`,
    )
  trace.part('Less standard deduction', -toTenBillionths(amounts.standardDeduction[column]), () => columnLabels[column])
  const taxable = trace.total('Taxable wages')

  addBrackets(trace, amounts.rates?.[table] ?? [], taxable / 1_000_000n)
  const credit = forAllowances(amounts.allowanceCredit, pay.de4.regular)
  if (credit > 0n)
    trace.part(
      'Less exemption allowance credit',
      -toTenBillionths(credit),
      () => `${allowances(pay.de4.regular, 'regular ')} on DE 4`,
    )
  const annual = trace.total(periods === 1n ? 'Tax' : 'Annual tax')

  const amount = toCents(annual, periods)
  trace.part(
    'Per pay period',
    toTenBillionths(amount),
    () => `${printTenBillionths(annual)} ÷ ${periods}, rounded to the cent`,
  )
  trace.total('California PIT')
  return done(amount)
}
