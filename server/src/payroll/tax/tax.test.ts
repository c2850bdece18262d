import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { printAmount, printExact, printRate, readAmount, readRate, toCents, toTenBillionths } from './amount.rules.ts'
import { checkVectors } from './check.rules.ts'
import { calculateTaxes } from './paycheck.rules.ts'
import { MissingTaxYearError, tablesOf, taxYears } from './tables.rules.ts'
import { defaultTaxProfile, type Paycheck } from './tax-profile.rules.ts'
import type { Component } from './trace.rules.ts'
import vectors from './vectors.json' with { type: 'json' }

const dollars = (text: string) => readAmount(text)
const biweekly = (overrides: Partial<Paycheck> = {}): Paycheck => ({
  ...defaultTaxProfile,
  year: 2026,
  frequency: 'biweekly',
  wages: dollars('2000'),
  ytdBefore: 0n,
  uiRate: readRate('0.034'),
  ...overrides,
})

const money = (max: number) => fc.integer({ min: 0, max: max * 10_000 }).map(BigInt)
const cents = (max: number) => fc.integer({ min: 0, max: max * 100 }).map((value) => BigInt(value) * 100n)
const earner: fc.Arbitrary<Paycheck> = fc.record({
  year: fc.constantFrom(...taxYears),
  frequency: fc.constantFrom('weekly', 'biweekly', 'semimonthly', 'monthly', 'quarterly', 'daily', 'annually'),
  wages: fc.oneof(money(3000), money(60_000), cents(5000)),
  ytdBefore: fc.oneof(fc.constant(0n), money(7500), money(250_000)),
  filingStatus: fc.constantFrom('single', 'married_jointly', 'married_separately', 'head_of_household'),
  w4: fc.record({
    step2: fc.boolean(),
    step3: fc.oneof(fc.constant(0n), money(6000)),
    step4a: fc.oneof(fc.constant(0n), money(20_000)),
    step4b: fc.oneof(fc.constant(0n), money(30_000)),
    step4c: fc.oneof(fc.constant(0n), cents(200)),
  }),
  de4: fc.record({ regular: fc.integer({ min: 0, max: 14 }), estimated: fc.integer({ min: 0, max: 14 }) }),
  uiRate: fc.integer({ min: 15_000, max: 62_000 }).map(BigInt),
})

/** Parts must add up to each total, and the last total is the tax. */
function checkSteps({ steps, amount }: Component) {
  let sum = 0n
  for (const step of steps) {
    if (step.kind === 'part') sum += step.amount
    else {
      if (step.amount !== sum) throw new Error(`${step.label}: ${step.amount} is not ${sum}`)
      sum = 0n
    }
  }
  const last = steps.at(-1)
  if (last?.kind !== 'total' || last.amount !== toTenBillionths(amount))
    throw new Error('The last total is not the tax')
}

describe('test vectors', () => {
  it.each(checkVectors(vectors))('computes $id to the cent', ({ differences }) => expect(differences).toEqual([]))
  it('contain every case of both lists', () => {
    expect(checkVectors(vectors)).toHaveLength(vectors.published.length + vectors.paychecks.length)
  })
  it('report a difference, an invalid case and a missing year', () => {
    const [first] = vectors.paychecks
    const broken = {
      published: [{ id: 'odd', input: { tax: 'fit', year: 2026, gross: 'much' }, expected: '1' }, { id: 'none' }],
      paychecks: [
        { ...first, id: 'wrong', expected_employer: { ...first?.expected_employer, futa: '5.71' } },
        { ...first, id: 'early', tax_year: 2019 },
      ],
    }
    const found = checkVectors(broken)
    expect(found.map(({ id }) => id)).toEqual(['odd', 'none', 'wrong', 'early'])
    expect(found[0]?.differences[0]).toContain('much')
    expect(found[2]?.differences).toEqual(['employer futa: expected 5.7100, computed 5.7000'])
    expect(found[3]?.differences).toEqual(['There are no tax tables for 2019.'])
  })
})

describe('calculateTaxes', () => {
  it.each([
    ['allowance', { de4: { regular: 1, estimated: 0 } }, '384.2100', '235.0000'],
    ['zero wages', { wages: 0n }, '0.0000', '0.0000'],
    ['social security base crossed', { wages: dollars('8000'), ytdBefore: dollars('180000') }, undefined, undefined],
  ] as const)('calculates a paycheck with %s', (_, overrides, employee, employer) => {
    const taxes = calculateTaxes(biweekly(overrides))
    if (employee) expect(printAmount(taxes.employee.total)).toBe(printAmount(dollars(employee)))
    if (employer) expect(printAmount(taxes.employer.total)).toBe(printAmount(dollars(employer)))
    for (const component of [...taxes.employee.components, ...taxes.employer.components]) checkSteps(component)
  })
  it('stops Social Security at the wage base and starts Additional Medicare over 200,000', () => {
    const of = (ytd: string, key: string) =>
      calculateTaxes(biweekly({ wages: dollars('8000'), ytdBefore: dollars(ytd) })).employee.components.find(
        (component) => component.key === key,
      )?.amount
    expect(of('180000', 'social_security')).toBe(dollars('279'))
    expect(of('184500', 'social_security')).toBe(0n)
    expect(of('192000', 'additional_medicare')).toBe(0n)
    expect(of('198000', 'additional_medicare')).toBe(dollars('54'))
    expect(of('300000', 'additional_medicare')).toBe(dollars('72'))
  })
  it('rejects a year without tax tables', () => {
    for (const year of [2024, 2027, 0, Number.NaN]) {
      expect(() => calculateTaxes(biweekly({ year }))).toThrow(MissingTaxYearError)
      expect(() => calculateTaxes(biweekly({ year }))).toThrow(String(year))
    }
  })
  it('rejects negative wages', () => {
    expect(() => calculateTaxes(biweekly({ wages: -1n }))).toThrow('never negative')
  })
  it('explains each step', () => {
    const [fit] = calculateTaxes(biweekly({ wages: dollars('2140') })).employee.components
    expect(fit?.steps.map(({ label, working, amount }) => [label, working, printExact(amount)])).toEqual([
      ['Annual wages', '2,140.00 × 26', '55640.00'],
      ['Less line 1g', 'W-4 step 2 not checked', '-8600.00'],
      ['Adjusted annual wage', '', '47040.00'],
      ['0% bracket', '7,500.00 × 0%, 0.00 to 7,500.00', '0.00'],
      ['10% bracket', '12,400.00 × 10%, 7,500.00 to 19,900.00', '1240.00'],
      ['12% bracket', '27,140.00 × 12%, 19,900.00 to 57,900.00', '3256.80'],
      ['Annual tax', 'standard schedule', '4496.80'],
      ['Per pay period', '4,496.80 ÷ 26, rounded to the cent', '172.95'],
      ['Federal income tax', '', '172.95'],
    ])
  })
  it('adds up steps and totals for 10,000 random earners', () => {
    fc.assert(
      fc.property(earner, (pay) => {
        const taxes = calculateTaxes(pay)
        for (const { components, total } of [taxes.employee, taxes.employer]) {
          for (const component of components) {
            checkSteps(component)
            if (component.amount < 0n || component.amount % 100n !== 0n) throw new Error('Not whole cents')
          }
          if (components.reduce((sum, { amount }) => sum + amount, 0n) !== total) throw new Error('The sum is off')
        }
        const silent = calculateTaxes(pay, { isSilent: true })
        return silent.employee.total === taxes.employee.total && silent.employer.total === taxes.employer.total
      }),
      { numRuns: rounds(2000, 10_000) },
    )
  })
  it('matches a separate calculation of the federal tax', () => {
    fc.assert(
      fc.property(earner, (pay) => {
        const { federal, periodsPerYear } = tablesOf(pay.year)
        const periods = periodsPerYear[pay.frequency]
        const name =
          pay.filingStatus === 'single' || pay.filingStatus === 'married_separately'
            ? 'single_or_married_separately'
            : pay.filingStatus
        const line = pay.wages * periods + pay.w4.step4a - pay.w4.step4b - (pay.w4.step2 ? 0n : federal.line1g[name])
        const wage = line > 0n ? line : 0n
        const row = (pay.w4.step2 ? federal.step2 : federal.standard)[name].findLast(({ over }) => wage >= over)
        if (!row) throw new Error('no row')
        const annual = row.base * 1_000_000n + (wage - row.over) * row.rate - pay.w4.step3 * 1_000_000n
        const expected = toCents(annual > 0n ? annual : 0n, periods) + pay.w4.step4c
        return calculateTaxes(pay, { isSilent: true }).employee.components[0]?.amount === expected
      }),
      { numRuns: rounds(500, 2000) },
    )
  })
})

describe('amounts', () => {
  it.each([
    [50_000_000n, 1n, 100n],
    [49_999_999n, 1n, 0n],
    [150_000_000n, 3n, 100n],
    [0n, 26n, 0n],
  ])('rounds %d / %d half up to the cent', (value, divisor, expected) => {
    expect(toCents(value, divisor)).toBe(expected)
  })
  it('prints rates as percentages', () => {
    expect(['0', '0.1', '0.062', '0.0145', '0.1023', '0.009'].map((rate) => printRate(readRate(rate)))).toEqual([
      '0%',
      '10%',
      '6.2%',
      '1.45%',
      '10.23%',
      '0.9%',
    ])
  })
  it('rejects too many decimals', () => {
    expect(() => readAmount('1.00001')).toThrow('4 decimals')
    expect(() => readRate('1e-3')).toThrow()
  })
})

describe('tax tables', () => {
  it.each(taxYears)('of %d are continuous: each base equals the tax of the brackets below', (year) => {
    const { federal, pit } = tablesOf(year)
    const all = [
      ...Object.values(federal.standard),
      ...Object.values(federal.step2),
      ...Object.values(pit.byPeriod).flatMap(({ rates }) => (rates ? Object.values(rates) : [])),
    ]
    for (const rows of all)
      for (const [index, row] of rows.entries()) {
        const before = rows[index - 1]
        if (!before) continue
        const off = row.base * 1_000_000n - before.base * 1_000_000n - (row.over - before.over) * before.rate
        // The halved step 2 schedules round thresholds to the dollar.
        expect(off < 2_000_000_000n && off > -2_000_000_000n, `${year} over ${row.over}`).toBe(true)
      }
  })
})
