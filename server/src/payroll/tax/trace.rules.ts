import type { TenThousandths } from '@limber/contract/kit/money.ts'
import { printAmount, printRate, type TenBillionths, toTenBillionths } from './amount.rules.ts'
import type { Bracket } from './tables.rules.ts'

/** One line of a calculation. Parts add up exactly to the next total. */
export interface Step {
  kind: 'part' | 'total'
  label: string
  working: string
  amount: TenBillionths
}

/** One tax of one paycheck with its calculation. */
export interface Component {
  key: ComponentKey
  label: string
  /** The publication with the rule. */
  rule: string
  year: number
  amount: TenThousandths
  steps: Step[]
}

export type ComponentKey =
  | 'federal_income_tax'
  | 'social_security'
  | 'medicare'
  | 'additional_medicare'
  | 'ca_pit'
  | 'ca_sdi'
  | 'futa'
  | 'ca_ui'
  | 'ca_ett'

/** Collects lines. A silent trace only adds up, which makes large audits fast. */
export class Trace {
  readonly steps: Step[] = []
  readonly #isSilent: boolean
  #sum: TenBillionths = 0n

  constructor(isSilent: boolean) {
    this.#isSilent = isSilent
  }

  /** Texts are only built when they are needed. */
  part(label: string | (() => string), amount: TenBillionths, working: () => string = () => '') {
    this.#sum += amount
    if (this.#isSilent) return
    const text = typeof label === 'string' ? label : label()
    this.steps.push({ kind: 'part', label: text, working: working(), amount })
  }

  /** Returns the sum of the parts since the last total. A negative sum becomes zero, with a line that shows it. */
  total(label: string, working: () => string = () => ''): TenBillionths {
    if (this.#sum < 0n) this.part('Minimum of zero', -this.#sum)
    const sum = this.#sum
    this.#sum = 0n
    if (!this.#isSilent) this.steps.push({ kind: 'total', label, working: working(), amount: sum })
    return sum
  }
}

const range = ({ over }: Bracket, next: Bracket | undefined) =>
  next ? `${printAmount(over)} to ${printAmount(next.over)}` : `over ${printAmount(over)}`

/**
 * Adds a line for every bracket that the amount reaches. A full bracket uses the published amounts (the next base minus its
 * own), so that the lines match the table to the cent.
 */
export function addBrackets(trace: Trace, brackets: readonly Bracket[], amount: TenThousandths) {
  for (const [index, bracket] of brackets.entries()) {
    if (index > 0 && amount <= bracket.over) return
    const next = brackets[index + 1]
    const isFull = next !== undefined && amount > next.over
    const inside = (isFull ? next.over : amount) - bracket.over
    trace.part(
      () => `${printRate(bracket.rate)} bracket`,
      isFull ? toTenBillionths(next.base - bracket.base) : inside * bracket.rate,
      () => `${printAmount(inside)} × ${printRate(bracket.rate)}, ${range(bracket, next)}`,
    )
  }
}
