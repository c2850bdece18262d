import type { TenThousandths } from '@limber/contract/kit/money.ts'
import { type WageBox, wageBoxes } from '@limber/contract/payroll/files/wage-statement.ts'
import { type PayGroup, type Terms, taxesOf } from '../audit/audit.rules.ts'
import { min } from '../tax/amount.rules.ts'
import type { ComponentKey } from '../tax/trace.rules.ts'

export interface BoxStep {
  label: string
  payDate: string | null
  amount: TenThousandths
}

export interface Boxes {
  steps: Record<WageBox, BoxStep[]>
  totals: Record<WageBox, TenThousandths>
  /** Recorded minus calculated withholding. */
  difference: TenThousandths
}

const taxBoxes: Partial<Record<ComponentKey, WageBox>> = {
  federal_income_tax: 'box2',
  social_security: 'box4',
  medicare: 'box6',
  additional_medicare: 'box6',
  ca_pit: 'box17',
  ca_sdi: 'sdi',
}

/**
 * The W-2 boxes of one earner and year from the paychecks. Taxes are calculated for each paycheck. The difference to what
 * was recorded goes into box 2, so that the boxes add up to the withholding of the year to the cent.
 */
export function boxesOf(
  groups: readonly PayGroup[],
  termsOf: (group: PayGroup) => Terms,
  socialSecurityLimit: TenThousandths,
): Boxes {
  const steps = Object.fromEntries(wageBoxes.map((box) => [box, [] as BoxStep[]])) as Boxes['steps']
  let difference = 0n
  for (const group of groups) {
    const { payDate, wages, ytdBefore } = group
    const add = (box: WageBox, label: string, amount: TenThousandths) => {
      if (amount !== 0n) steps[box].push({ label, payDate, amount })
    }
    for (const box of ['box1', 'box5', 'box16'] as const) add(box, 'Wages', wages)
    const limited = min(ytdBefore + wages, socialSecurityLimit) - min(ytdBefore, socialSecurityLimit)
    add('box3', limited === wages ? 'Wages' : 'Wages up to the limit', limited)
    const { employee } = taxesOf(group, termsOf(group), { isSilent: true })
    for (const { key, label, amount } of employee.components) {
      const box = taxBoxes[key]
      if (box) add(box, label, amount)
    }
    difference += group.entries.reduce((sum, { employeeRecorded }) => sum + employeeRecorded, 0n) - employee.total
  }
  if (difference !== 0n) steps.box2.push({ label: 'Recorded minus calculated', payDate: null, amount: difference })
  const totals = Object.fromEntries(
    wageBoxes.map((box) => [box, steps[box].reduce((sum, { amount }) => sum + amount, 0n)]),
  ) as Boxes['totals']
  return { steps, totals, difference }
}
