import type { TenThousandths } from '@limber/contract/kit/money.ts'
import type { Rate } from './amount.rules.ts'
import { californiaPit } from './california.rules.ts'
import { additionalMedicare, federalIncomeTax, flatTax } from './federal.rules.ts'
import { type TaxTables, tablesOf } from './tables.rules.ts'
import type { Paycheck } from './tax-profile.rules.ts'
import type { Component } from './trace.rules.ts'

export interface Side {
  components: Component[]
  total: TenThousandths
}

export interface Taxes {
  employee: Side
  employer: Side
}

const side = (components: Component[]): Side => ({
  components,
  total: components.reduce((sum, { amount }) => sum + amount, 0n),
})

const socialSecurity = (tables: TaxTables, pay: Paycheck, isSilent: boolean) =>
  flatTax(
    tables,
    pay,
    {
      key: 'social_security',
      label: 'Social Security',
      rule: tables.socialSecurity.publication,
      rate: tables.socialSecurity.rate,
      wageBase: tables.socialSecurity.wageBase,
    },
    isSilent,
  )

const medicare = (tables: TaxTables, pay: Paycheck, isSilent: boolean) =>
  flatTax(
    tables,
    pay,
    { key: 'medicare', label: 'Medicare', rule: tables.medicare.publication, rate: tables.medicare.rate },
    isSilent,
  )

function employerOnly(tables: TaxTables, pay: Paycheck, isSilent: boolean): Component[] {
  const { futa, ui, ett } = tables
  return [
    flatTax(tables, pay, { key: 'futa', label: 'FUTA', rule: futa.publication, ...rated(futa) }, isSilent),
    flatTax(
      tables,
      pay,
      { key: 'ca_ui', label: 'California UI', rule: ui.publication, rate: pay.uiRate, wageBase: ui.wageBase },
      isSilent,
    ),
    flatTax(tables, pay, { key: 'ca_ett', label: 'California ETT', rule: ett.publication, ...rated(ett) }, isSilent),
  ]
}

const rated = ({ rate, wageBase }: { rate: Rate; wageBase: bigint }) => ({ rate, wageBase })

/** The taxes of one paycheck, each rounded half up to the cent, with every step unless silent. */
export function calculateTaxes(pay: Paycheck, { isSilent = false } = {}): Taxes {
  if (pay.wages < 0n || pay.ytdBefore < 0n) throw new RangeError('Wages are never negative')
  const tables = tablesOf(pay.year)
  return {
    employee: side([
      federalIncomeTax(tables, pay, isSilent),
      socialSecurity(tables, pay, isSilent),
      medicare(tables, pay, isSilent),
      additionalMedicare(tables, pay, isSilent),
      californiaPit(tables, pay, isSilent),
      flatTax(
        tables,
        pay,
        { key: 'ca_sdi', label: 'California SDI', rule: tables.sdi.publication, rate: tables.sdi.rate },
        isSilent,
      ),
    ]),
    employer: side([
      socialSecurity(tables, pay, isSilent),
      medicare(tables, pay, isSilent),
      ...employerOnly(tables, pay, isSilent),
    ]),
  }
}
