import { z } from 'zod'
import { parseMoney, stringifyMoney, type TenThousandths } from './money.ts'

const MAX_DOLLARS = 100_000_000_000

// Up to this size a double holds every amount of four decimals, and prints it back digit for digit.
const isExact = (value: number) => Math.abs(value) <= MAX_DOLLARS && Number(value.toFixed(4)) === value

/** Dollars as a JSON number with at most four decimals. It only carries an amount; sums are made in whole ten-thousandths. */
export const Dollars = z.number().refine(isExact, 'must be dollars with at most 4 decimals')

/** The exact amount that a JSON number carries. */
export const readDollars = (value: number): TenThousandths => parseMoney(value.toFixed(4))

const MAX_EXACT = BigInt(MAX_DOLLARS) * 10_000n

/** The JSON number that carries an exact amount: the double nearest to it, as division rounds once. */
export function writeDollars(value: TenThousandths): number {
  if (value > MAX_EXACT || value < -MAX_EXACT)
    throw new RangeError(`${stringifyMoney(value)} is too large for the wire`)
  return Number(value) / 10_000
}
