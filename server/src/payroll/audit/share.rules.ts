import type { TenThousandths } from '@limber/contract/kit/money.ts'

const CENT = 100n

/** Splits an amount by weight in whole cents. Leftover cents go to the largest remainders; ties go to the first. */
export function shareOut(total: TenThousandths, weights: readonly bigint[]): TenThousandths[] {
  const sum = weights.reduce((all, weight) => all + weight, 0n)
  if (total === 0n || sum === 0n) return weights.map(() => 0n)
  const cents = total / CENT
  const shares = weights.map((weight) => (cents * weight) / sum)
  const left = Number(cents - shares.reduce((all, share) => all + share, 0n))
  if (left > 0) {
    const order = weights
      .map((weight, index) => ({ index, rest: (cents * weight) % sum }))
      .sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
    for (const { index } of order.slice(0, left)) shares[index] = (shares[index] ?? 0n) + 1n
  }
  return shares.map((share) => share * CENT)
}
