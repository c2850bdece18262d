import type { TenThousandths } from '@limber/contract/kit/money.ts'
import { type Fine, fine, printAmount, printRate } from './amount.rules.ts'
import type { Bracket } from './tables.rules.ts'

/** One line of a calculation. The parts since the line before add up to the total that closes them, exactly. */
export interface Step {
  kind: 'part' | 'total'
  label: string
  working: string
  amount: Fine
}

/** One tax of one paycheck, with all lines that lead to it. */
export interface Component {
  key: ComponentKey
  label: string
  /** The publication that says so. */
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

/** Collects lines; a silent one only adds, which is what an audit of many entries needs. */
export class Trace {
  readonly steps: Step[] = []
  readonly #isSilent: boolean
  #sum: Fine = 0n

  constructor(isSilent: boolean) {
    this.#isSilent = isSilent
  }

  /** Words are only made when they are kept. */
  part(label: string | (() => string), amount: Fine, working: () => string = () => '') {
    this.#sum += amount
    if (this.#isSilent) return
    const words = typeof label === 'string' ? label : label()
    this.steps.push({ kind: 'part', label: words, working: working(), amount })
  }

  /** Closes the parts so far and gives their sum; below zero counts as zero, with a line that says so. */
  total(label: string, working: () => string = () => ''): Fine {
    if (this.#sum < 0n) this.part('Not below zero', -this.#sum)
    const sum = this.#sum
    this.#sum = 0n
    if (!this.#isSilent) this.steps.push({ kind: 'total', label, working: working(), amount: sum })
    return sum
  }
}

const range = ({ over }: Bracket, next: Bracket | undefined) =>
  next ? `${printAmount(over)} to ${printAmount(next.over)}` : `over ${printAmount(over)}`

/**
 * Every bracket that the amount reaches. A full bracket is worth what the printed table says of it (the next base less
 * its own), so that the lines add up to the table's base to the cent.
 */
export function addBrackets(trace: Trace, brackets: readonly Bracket[], amount: TenThousandths) {
  for (const [index, bracket] of brackets.entries()) {
    if (index > 0 && amount <= bracket.over) return
    const next = brackets[index + 1]
    const isFull = next !== undefined && amount > next.over
    const inside = (isFull ? next.over : amount) - bracket.over
    trace.part(
      () => `${printRate(bracket.rate)} bracket`,
      isFull ? fine(next.base - bracket.base) : inside * bracket.rate,
      () => `${printAmount(inside)} × ${printRate(bracket.rate)}, ${range(bracket, next)}`,
    )
  }
}
