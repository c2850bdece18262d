import { stringifyMoney } from '@limber/contract/kit/money.ts'
import { FilingStatus } from '@limber/contract/payroll/values.ts'
import { z } from 'zod'
import { readAmount, readRate } from './amount.rules.ts'
import { californiaPit } from './california.rules.ts'
import { calculateTaxes, type Side } from './paycheck.rules.ts'
import { type Frequency, tablesOf } from './tables.rules.ts'
import type { Paycheck } from './tax-profile.rules.ts'

// Test files write amounts as strings or numbers; both are read as decimals.
const Decimal = z.union([z.string(), z.number()]).transform(String)
const Amount = Decimal.transform(readAmount)
const Count = z.coerce.number().int().min(0)
const Flag = z.union([z.boolean(), z.literal([0, 1]).transform((value) => value === 1)])

const PublishedInput = z.looseObject({
  tax: z.string(),
  variant: z.string().default('annualized'),
  year: z.int(),
  freq: z.string().default('biweekly'),
  gross: Amount,
  ytd: Amount.default(0n),
  status: FilingStatus.default('single'),
  regular: Count.default(0),
  estimated: Count.default(0),
  s2: Flag.default(false),
  step2: Flag.default(false),
  step2_checkbox: Flag.default(false),
  s3: Amount.default(0n),
  s4a: Amount.default(0n),
  s4b: Amount.default(0n),
  s4c: Amount.default(0n),
  ca_ui_rate: Decimal.transform(readRate).optional(),
})

const PaycheckInput = z.looseObject({
  pay_frequency: z.string(),
  gross_taxable_wages: Amount,
  filing_status: FilingStatus,
  w4: z
    .looseObject({
      step2_checkbox: Flag.default(false),
      step3_credits: Amount.default(0n),
      step4a: Amount.default(0n),
      step4b: Amount.default(0n),
      step4c: Amount.default(0n),
    })
    .prefault({}),
  de4: z
    .looseObject({ regular_allowances: Count.default(0), estimated_deduction_allowances: Count.default(0) })
    .prefault({}),
  ytd_taxable_wages_before: Amount.default(0n),
  ca_ui_rate: Decimal.transform(readRate).optional(),
})

const Expected = z.record(z.string(), Amount)
const Published = z.looseObject({ id: z.string(), input: PublishedInput, expected: Amount })
const FullPaycheck = z.looseObject({
  id: z.string(),
  tax_year: z.int(),
  input: PaycheckInput,
  expected_employee: Expected,
  expected_employer: Expected,
})

/** A file of test cases: published examples of single taxes, and full paychecks. */
const Vectors = z.looseObject({
  published: z.array(z.unknown()).default([]),
  paychecks: z.array(z.unknown()).default([]),
})

function frequencyOf(year: number, name: string): Frequency {
  if (!Object.hasOwn(tablesOf(year).periodsPerYear, name)) throw new RangeError(`Unknown pay frequency: ${name}`)
  return name as Frequency
}

const pick = (sides: readonly Side[], ...keys: string[]) =>
  sides
    .flatMap(({ components }) => components)
    .filter(({ key }) => keys.includes(key))
    .reduce((sum, { amount }) => sum + amount, 0n)

const names: Record<string, { side: 'employee' | 'employer'; keys: string[] }> = {
  fit: { side: 'employee', keys: ['federal_income_tax'] },
  federal_income_tax: { side: 'employee', keys: ['federal_income_tax'] },
  fica_employee: { side: 'employee', keys: ['social_security', 'medicare', 'additional_medicare'] },
  fica_employer: { side: 'employer', keys: ['social_security', 'medicare'] },
  social_security: { side: 'employee', keys: ['social_security'] },
  medicare: { side: 'employee', keys: ['medicare'] },
  additional_medicare: { side: 'employee', keys: ['additional_medicare'] },
  ca_sdi: { side: 'employee', keys: ['ca_sdi'] },
  sdi: { side: 'employee', keys: ['ca_sdi'] },
  futa: { side: 'employer', keys: ['futa'] },
  ca_ui: { side: 'employer', keys: ['ca_ui'] },
  ui: { side: 'employer', keys: ['ca_ui'] },
  ca_ett: { side: 'employer', keys: ['ca_ett'] },
  ett: { side: 'employer', keys: ['ca_ett'] },
}

function computePublished({ tax, variant, ...input }: z.output<typeof PublishedInput>): bigint {
  const pay: Paycheck = {
    year: input.year,
    frequency: frequencyOf(input.year, input.freq),
    wages: input.gross,
    ytdBefore: input.ytd,
    filingStatus: input.status,
    w4: {
      step2: input.s2 || input.step2 || input.step2_checkbox,
      step3: input.s3,
      step4a: input.s4a,
      step4b: input.s4b,
      step4c: input.s4c,
    },
    de4: { regular: input.regular, estimated: input.estimated },
    uiRate: input.ca_ui_rate ?? tablesOf(input.year).ui.newEmployerRate,
  }
  if (tax === 'ca_pit') {
    const kind = variant.startsWith('per_period') ? 'per_period_tables' : 'annualized'
    return californiaPit(tablesOf(pay.year), pay, true, kind).amount
  }
  const name = names[tax]
  if (!name) throw new RangeError(`Unknown tax: ${tax}`)
  return pick([calculateTaxes(pay, { isSilent: true })[name.side]], ...name.keys)
}

function comparePaycheck({ tax_year: year, input, ...expected }: z.output<typeof FullPaycheck>): string[] {
  const { w4, de4 } = input
  const taxes = calculateTaxes({
    year,
    frequency: frequencyOf(year, input.pay_frequency),
    wages: input.gross_taxable_wages,
    ytdBefore: input.ytd_taxable_wages_before,
    filingStatus: input.filing_status,
    w4: {
      step2: w4.step2_checkbox,
      step3: w4.step3_credits,
      step4a: w4.step4a,
      step4b: w4.step4b,
      step4c: w4.step4c,
    },
    de4: { regular: de4.regular_allowances, estimated: de4.estimated_deduction_allowances },
    uiRate: input.ca_ui_rate ?? tablesOf(year).ui.newEmployerRate,
  })
  return (['employee', 'employer'] as const).flatMap((which) =>
    Object.entries(expected[`expected_${which}`]).flatMap(([name, amount]) => {
      const got = name === 'total' ? taxes[which].total : pick([taxes[which]], name)
      return got === amount
        ? []
        : [`${which} ${name}: expected ${stringifyMoney(amount)}, computed ${stringifyMoney(got)}`]
    }),
  )
}

function comparePublished({ input, expected }: z.output<typeof Published>): string[] {
  const got = computePublished(input)
  return got === expected ? [] : [`${input.tax}: expected ${stringifyMoney(expected)}, computed ${stringifyMoney(got)}`]
}

/** One test case and its differences from the computed taxes. */
export interface CheckedCase {
  id: string
  differences: string[]
}

function check<S extends z.ZodType>(schema: S, raw: unknown, index: number, compare: (one: z.output<S>) => string[]) {
  const id = z.object({ id: z.string() }).safeParse(raw).data?.id ?? `#${index + 1}`
  try {
    const parsed = schema.safeParse(raw)
    if (parsed.success) return { id, differences: compare(parsed.data) }
    const [issue] = parsed.error.issues
    return { id, differences: [`Invalid test case: ${issue?.path.join('.')}: ${issue?.message}`] }
  } catch (error) {
    return { id, differences: [error instanceof Error ? error.message : String(error)] }
  }
}

/** Checks every case in a file of test vectors. */
export function checkVectors(file: unknown): CheckedCase[] {
  const { published, paychecks } = Vectors.parse(file)
  return [
    ...published.map((one, index) => check(Published, one, index, comparePublished)),
    ...paychecks.map((one, index) => check(FullPaycheck, one, index, comparePaycheck)),
  ]
}
