import type { TenThousandths } from '@limber/contract/kit/money.ts'

/** Ten-billionths of a dollar (ten-thousandths × parts per million), so that amount × rate is exact. */
export type TenBillionths = bigint
/** Parts per million. */
export type Rate = bigint

const SCALE_PER_TEN_THOUSANDTH = 1_000_000n
const SCALE_PER_CENT = 100_000_000n

/** Parses a decimal exactly, scaled by a power of ten. Too many digits are an error. */
function readScaled(text: string, digits: number): bigint {
  const match = /^(-?)(\d{1,14})(?:\.(\d+))?$/.exec(text)
  const fraction = match?.[3] ?? ''
  if (!match || fraction.length > digits) throw new RangeError(`Not a number with ${digits} decimals: ${text}`)
  const value = BigInt((match[2] ?? '0') + fraction.padEnd(digits, '0'))
  return match[1] ? -value : value
}

/** Parses dollars with up to four decimals. */
export const readAmount = (text: string): TenThousandths => readScaled(text, 4)

/** Parses a rate such as `0.0145`. */
export const readRate = (text: string): Rate => readScaled(text, 6)

export const toTenBillionths = (amount: TenThousandths): TenBillionths => amount * SCALE_PER_TEN_THOUSANDTH

/** Divides and rounds half up to whole cents. Taxes are rounded nowhere else. */
export function toCents(value: TenBillionths, divisor = 1n): TenThousandths {
  if (value < 0n) throw new RangeError('A tax is never negative')
  return ((2n * value + divisor * SCALE_PER_CENT) / (2n * divisor * SCALE_PER_CENT)) * 100n
}

export const min = (a: bigint, b: bigint) => (a < b ? a : b)

/** Formats dollars for display: `12,400.00`, with more than two decimals only if needed. */
export function printTenBillionths(value: TenBillionths): string {
  const size = value < 0n ? -value : value
  const digits = size.toString().padStart(11, '0')
  const integer = digits.slice(0, -10).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  const fraction = digits.slice(-10).replace(/0{1,8}$/, '')
  return `${value < 0n ? '−' : ''}${integer}.${fraction}`
}

export const printAmount = (value: TenThousandths) => printTenBillionths(toTenBillionths(value))

/** Dollars as an exact plain decimal, machine-readable. */
export function printExact(value: TenBillionths): string {
  return printTenBillionths(value).replace('−', '-').replaceAll(',', '')
}

/** A rate as a percentage: `6.2%`. */
export function printRate(rate: Rate): string {
  const digits = rate.toString().padStart(5, '0')
  const fraction = digits.slice(-4).replace(/0+$/, '')
  return `${digits.slice(0, -4)}${fraction ? `.${fraction}` : ''}%`
}
