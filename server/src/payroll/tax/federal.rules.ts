import type { TenThousandths } from '@limber/contract/kit/money.ts'
import {
  min,
  printAmount,
  printExact,
  printRate,
  printTenBillionths,
  type Rate,
  toCents,
  toTenBillionths,
} from './amount.rules.ts'
import { federalScheduleOf, type TaxTables } from './tables.rules.ts'
import type { Paycheck } from './tax-profile.rules.ts'
import { addBrackets, type Component, type ComponentKey, Trace } from './trace.rules.ts'

/** Pub 15-T, Worksheet 1A, percentage method for automated payroll systems, Form W-4 of 2020 or later. */
export function federalIncomeTax(tables: TaxTables, pay: Paycheck, isSilent: boolean): Component {
  const { w4, wages } = pay
  const { federal, year } = tables
  const periods = tables.periodsPerYear[pay.frequency]
  const schedule = federalScheduleOf(pay.filingStatus)
  const trace = new Trace(isSilent)

  trace.part('Annual wages', toTenBillionths(wages * periods), () => `${printAmount(wages)} × ${periods}`)
  if (w4.step4a > 0n) trace.part('Other income', toTenBillionths(w4.step4a), () => 'W-4 step 4(a)')
  if (w4.step4b > 0n) trace.part('Less deductions', -toTenBillionths(w4.step4b), () => 'W-4 step 4(b)')
  if (!w4.step2) trace.part('Less line 1g', -toTenBillionths(federal.line1g[schedule]), () => 'W-4 step 2 not checked')
  const adjusted = trace.total('Adjusted annual wage')

  addBrackets(trace, (w4.step2 ? federal.step2 : federal.standard)[schedule], adjusted / 1_000_000n)
  const annual = trace.total('Annual tax', () => (w4.step2 ? 'step 2 checkbox schedule' : 'standard schedule'))

  let due = annual
  if (w4.step3 > 0n) {
    trace.part('Annual tax', annual)
    trace.part('Less credits', -toTenBillionths(w4.step3), () => 'W-4 step 3')
    due = trace.total('Annual tax after credits')
  }
  const each = toCents(due, periods)
  trace.part(
    'Per pay period',
    toTenBillionths(each),
    () => `${printTenBillionths(due)} ÷ ${periods}, rounded to the cent`,
  )
  if (w4.step4c > 0n) trace.part('Extra withholding', toTenBillionths(w4.step4c), () => 'W-4 step 4(c)')
  const amount = trace.total('Federal income tax') / 1_000_000n
  return {
    key: 'federal_income_tax',
    label: 'Federal income tax',
    rule: federal.publication,
    year,
    amount,
    steps: trace.steps,
  }
}

interface FlatTax {
  key: ComponentKey
  label: string
  rule: string
  rate: Rate
  /** Year-to-date wages above this amount are not taxed. */
  wageBase?: bigint | undefined
}

/** A flat rate on the wages of this paycheck, up to the wage base. */
export function flatTax(
  tables: TaxTables,
  { wages, ytdBefore }: Paycheck,
  { key, label, rule, rate, wageBase }: FlatTax,
  isSilent: boolean,
): Component {
  const trace = new Trace(isSilent)
  const taxable = wageBase === undefined ? wages : min(wages, wageBase > ytdBefore ? wageBase - ytdBefore : 0n)
  const amount = toCents(taxable * rate)
  trace.part(
    label,
    toTenBillionths(amount),
    () => `${printAmount(taxable)} × ${printRate(rate)}${wageBaseText(wages, taxable, wageBase)}, rounded to the cent`,
  )
  trace.total(label)
  return { key, label, rule, year: tables.year, amount, steps: trace.steps }
}

function wageBaseText(wages: bigint, taxable: bigint, wageBase: bigint | undefined): string {
  if (wageBase === undefined) return ', no wage base limit'
  const base = printAmount(wageBase)
  if (taxable === wages) return `, within the wage base of ${base}`
  return taxable === 0n ? `, wage base of ${base} already reached` : `, wage base of ${base} reached in this paycheck`
}

/** Tax on year-to-date wages above $200,000 for every filing status. The employer does not match it. */
export function additionalMedicare(tables: TaxTables, { wages, ytdBefore }: Paycheck, isSilent: boolean): Component {
  const { additionalOver: over, additionalRate: rate, publication } = tables.medicare
  const trace = new Trace(isSilent)
  const after = ytdBefore + wages
  const taxable: TenThousandths = after <= over ? 0n : min(wages, after - over)
  const amount = toCents(taxable * rate)
  trace.part('Additional Medicare', toTenBillionths(amount), () =>
    taxable === 0n
      ? `year-to-date wages of ${printAmount(after)} do not exceed ${printAmount(over)}`
      : `${printExact(toTenBillionths(taxable))} over ${printAmount(over)} × ${printRate(rate)}, rounded to the cent`,
  )
  trace.total('Additional Medicare')
  return {
    key: 'additional_medicare',
    label: 'Additional Medicare',
    rule: publication,
    year: tables.year,
    amount,
    steps: trace.steps,
  }
}
