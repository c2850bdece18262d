import { z } from 'zod'

/** Dollars as text with at most four decimals. Text keeps the amount exact; money is never a float. */
export const Money = z.string().regex(/^-?\d{1,14}(\.\d{1,4})?$/, 'must be an amount with at most 4 decimals')
export type Money = z.infer<typeof Money>

/** Integer ten-thousandths of a dollar: the only form for arithmetic and comparison. */
export type TenThousandths = bigint

const SCALE = 10_000n

/** Parses an amount such as `-12.5` exactly. */
export function parseMoney(text: string): TenThousandths {
  const match = /^(-?)(\d{1,14})(?:\.(\d{1,4}))?$/.exec(text)
  if (!match) throw new RangeError(`Not an amount: ${text.slice(0, 40)}`)
  const [, sign, whole = '0', fraction = ''] = match
  const value = BigInt(whole) * SCALE + BigInt(fraction.padEnd(4, '0'))
  return sign ? -value : value
}

/** Formats an amount with four decimals, as the database stores it. */
export function stringifyMoney(value: TenThousandths): string {
  const size = value < 0n ? -value : value
  return `${value < 0n ? '-' : ''}${size / SCALE}.${(size % SCALE).toString().padStart(4, '0')}`
}

/** Rounds to cents, half away from zero, as the tax tables require. */
export function roundToCents(value: TenThousandths): TenThousandths {
  const size = value < 0n ? -value : value
  const rounded = ((size + 50n) / 100n) * 100n
  return value < 0n ? -rounded : rounded
}
