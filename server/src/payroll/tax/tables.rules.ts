import type { FilingStatus } from '@limber/contract/payroll/values.ts'
import { type Rate, readAmount, readRate } from './amount.rules.ts'
import us2025 from './us-2025.json' with { type: 'json' }
import us2026 from './us-2026.json' with { type: 'json' }

/** One row of a rate table: `base` plus `rate` times the amount above `over`. */
export interface Bracket {
  over: bigint
  base: bigint
  rate: Rate
}

export type Frequency = keyof typeof us2026.periodsPerYear
export type Column = keyof typeof us2026.californiaPit.standardDeduction.annual
type FederalSchedule = keyof typeof us2026.federalIncomeTax.line1g
type CaliforniaSchedule = keyof typeof us2026.californiaPit.rates.annual
/** Pay periods for which California publishes amounts; the calculation uses `annual`. */
type PitPeriod = keyof typeof us2026.californiaPit.standardDeduction

interface Rule {
  publication: string
  sources: readonly string[]
}
interface Flat extends Rule {
  rate: Rate
  wageBase: bigint
}
interface CaliforniaAmounts {
  lowIncomeExemption: Record<Column, bigint>
  standardDeduction: Record<Column, bigint>
  estimatedDeduction: readonly bigint[]
  allowanceCredit: readonly bigint[]
  rates?: Record<CaliforniaSchedule, readonly Bracket[]>
}

/** The tax tables of one year. */
export interface TaxTables {
  year: number
  periodsPerYear: Record<Frequency, bigint>
  federal: Rule & {
    line1g: Record<FederalSchedule, bigint>
    standard: Record<FederalSchedule, readonly Bracket[]>
    step2: Record<FederalSchedule, readonly Bracket[]>
  }
  socialSecurity: Flat
  medicare: Rule & { rate: Rate; additionalRate: Rate; additionalOver: bigint }
  futa: Flat
  pit: Rule & { byPeriod: Record<PitPeriod, CaliforniaAmounts> }
  sdi: Rule & { rate: Rate }
  ui: Rule & { newEmployerRate: Rate; wageBase: bigint }
  ett: Flat
}

/** Thrown for a year without tax tables. Tables of other years are never used instead. */
export class MissingTaxYearError extends Error {
  readonly year: number
  constructor(year: number) {
    super(`There are no tax tables for ${year}.`)
    this.year = year
  }
}

type Raw = typeof us2025 | typeof us2026

const mapValues = <K extends string, V, R>(record: Record<K, V>, map: (value: V) => R) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value as V)])) as Record<K, R>

const readBrackets = (rows: string[][]): Bracket[] =>
  rows.map(([over = '', base = '', rate = '']) => ({
    over: readAmount(over),
    base: readAmount(base),
    rate: readRate(rate),
  }))

const readFlat = ({ publication, sources, rate, wageBase }: Raw['futa']): Flat => ({
  publication,
  sources,
  rate: readRate(rate),
  wageBase: readAmount(wageBase),
})

function readCalifornia({ californiaPit: raw }: Raw): TaxTables['pit'] {
  const rates: Record<string, Record<CaliforniaSchedule, string[][]>> = raw.rates
  const periods = Object.keys(raw.standardDeduction) as PitPeriod[]
  return {
    publication: raw.publication,
    sources: raw.sources,
    byPeriod: Object.fromEntries(
      periods.map((period): [PitPeriod, CaliforniaAmounts] => [
        period,
        {
          lowIncomeExemption: mapValues(raw.lowIncomeExemption[period], readAmount),
          standardDeduction: mapValues(raw.standardDeduction[period], readAmount),
          estimatedDeduction: raw.estimatedDeduction[period].map(readAmount),
          allowanceCredit: raw.allowanceCredit[period].map(readAmount),
          ...(rates[period] && { rates: mapValues(rates[period], readBrackets) }),
        },
      ]),
    ) as Record<PitPeriod, CaliforniaAmounts>,
  }
}

function readTables(raw: Raw): TaxTables {
  const { federalIncomeTax: federal, medicare, californiaSdi: sdi, californiaUi: ui } = raw
  return {
    year: raw.year,
    periodsPerYear: mapValues(raw.periodsPerYear, BigInt),
    federal: {
      publication: federal.publication,
      sources: federal.sources,
      line1g: mapValues(federal.line1g, readAmount),
      standard: mapValues(federal.standard, readBrackets),
      step2: mapValues(federal.step2, readBrackets),
    },
    socialSecurity: readFlat(raw.socialSecurity),
    medicare: {
      publication: medicare.publication,
      sources: medicare.sources,
      rate: readRate(medicare.rate),
      additionalRate: readRate(medicare.additionalRate),
      additionalOver: readAmount(medicare.additionalOver),
    },
    futa: readFlat(raw.futa),
    pit: readCalifornia(raw),
    sdi: { publication: sdi.publication, sources: sdi.sources, rate: readRate(sdi.rate) },
    ui: {
      publication: ui.publication,
      sources: ui.sources,
      newEmployerRate: readRate(ui.newEmployerRate),
      wageBase: readAmount(ui.wageBase),
    },
    ett: readFlat(raw.californiaEtt),
  }
}

const byYear = new Map([us2025, us2026].map((raw) => [raw.year, readTables(raw)]))

/** Years with tax tables. */
export const taxYears: readonly number[] = [...byYear.keys()]

/** The tax tables of a year. Throws `MissingTaxYearError`. */
export function tablesOf(year: number): TaxTables {
  const tables = byYear.get(year)
  if (!tables) throw new MissingTaxYearError(year)
  return tables
}

/** Pub 15-T has one schedule for single and married filing separately. */
export const federalScheduleOf = (status: FilingStatus): FederalSchedule =>
  status === 'single' || status === 'married_separately' ? 'single_or_married_separately' : status

/** In DE 44, the column for married earners depends on the regular allowances on the DE 4. */
export function californiaScheduleOf(
  status: FilingStatus,
  regularAllowances: number,
): { column: Column; table: CaliforniaSchedule } {
  if (status === 'head_of_household') return { column: status, table: status }
  if (status !== 'married_jointly') return { column: 'single', table: 'single' }
  return {
    column: regularAllowances < 2 ? 'married_0_1_allowances' : 'married_2_plus_allowances',
    table: 'married',
  }
}
