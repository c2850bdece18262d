import { z } from 'zod'
import { parseMoney, stringifyMoney, type TenThousandths } from './money.ts'

const MAX_DOLLARS = 100_000_000_000

// Up to this size, a double represents every amount with four decimals exactly.
const isExact = (value: number) => Math.abs(value) <= MAX_DOLLARS && Number(value.toFixed(4)) === value

/** Dollars as a JSON number with at most four decimals. For transport only; arithmetic uses `TenThousandths`. */
export const Dollars = z.number().refine(isExact, 'must be dollars with at most 4 decimals')

/** Converts a JSON number to an exact amount. */
export const readDollars = (value: number): TenThousandths => parseMoney(value.toFixed(4))

const MAX_EXACT = BigInt(MAX_DOLLARS) * 10_000n

/** Converts an exact amount to the nearest double. */
export function writeDollars(value: TenThousandths): number {
  if (value > MAX_EXACT || value < -MAX_EXACT)
    throw new RangeError(`${stringifyMoney(value)} is too large for a JSON number`)
  return Number(value) / 10_000
}
