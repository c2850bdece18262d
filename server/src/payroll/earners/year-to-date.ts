import type { YearToDate } from '@limber/contract/payroll/earners/earner.ts'
import { isWage, writeDollars } from '@limber/contract/payroll/values.ts'
import type { Db } from '#platform/db/db.ts'
import { findYearOfEarner } from '../audit/audit.queries.ts'
import { toPaidEntry } from '../audit/run-audit.ts'
import { min, readAmount } from '../tax/amount.rules.ts'
import { tablesOf, taxYears } from '../tax/tables.rules.ts'
import { sumHistory } from './earner.queries.ts'

/** The limits of a year up to which wages are taxed. */
function wageBasesOf(year: number, wages: bigint): YearToDate['wage_bases'] {
  if (!taxYears.includes(year)) return []
  const { socialSecurity, futa, ui, ett } = tablesOf(year)
  const limits = [
    ['social_security', 'Social Security', socialSecurity.wageBase],
    ['futa', 'FUTA', futa.wageBase],
    ['ca_ui', 'California UI', ui.wageBase],
    ['ca_ett', 'California ETT', ett.wageBase],
  ] as const
  return limits.map(([key, label, wageBase]) => {
    const taxed = min(wages, wageBase)
    return {
      ...{ key, label },
      wage_base: writeDollars(wageBase),
      taxed: writeDollars(taxed),
      left: writeDollars(wageBase - taxed),
    }
  })
}

/** What an earner was paid in a year, by Limber and elsewhere. */
export async function findYearToDate(db: Db, earnerId: number, year: number): Promise<YearToDate> {
  const sums = await sumHistory(db, earnerId, year)
  const history = {
    wages: readAmount(sums.wages),
    reimbursements: readAmount(sums.reimbursements),
    withheld: readAmount(sums.withheld),
    employer_tax: readAmount(sums.employer_tax),
  }
  const all = { ...history }
  for (const entry of (await findYearOfEarner(db, earnerId, `${year}-12-31`)).map(toPaidEntry)) {
    all[isWage(entry.type) ? 'wages' : 'reimbursements'] += entry.amount
    all.withheld += entry.employeeRecorded
    all.employer_tax += entry.employerRecorded
  }
  return { year, ...present(all), history: present(history), wage_bases: wageBasesOf(year, all.wages) }
}

const present = (of: Record<'wages' | 'reimbursements' | 'withheld' | 'employer_tax', bigint>) => ({
  wages: writeDollars(of.wages),
  reimbursements: writeDollars(of.reimbursements),
  withheld: writeDollars(of.withheld),
  employer_tax: writeDollars(of.employer_tax),
})
