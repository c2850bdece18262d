import { parseMoney, roundToCents } from '../money.ts'
import { formatInteger } from './numbers.ts'

interface MoneyForm {
  /** 4 in the finance panels, 2 elsewhere. */
  decimals?: 2 | 4
  /** Adds a plus sign to positive amounts, for differences. */
  isSigned?: boolean
}

/** `$1,262.94` from exact text, without a float. `--` when there is no amount. */
export function formatMoney(
  amount: string | null | undefined,
  { decimals = 2, isSigned = false }: MoneyForm = {},
): string {
  if (amount === null || amount === undefined || amount === '') return '--'
  const exact = parseMoney(amount)
  const value = decimals === 2 ? roundToCents(exact) : exact
  const size = value < 0n ? -value : value
  const fraction = (size % 10_000n).toString().padStart(4, '0').slice(0, decimals)
  const sign = value < 0n ? '−' : isSigned && value > 0n ? '+' : ''
  return `${sign}$${formatInteger(size / 10_000n)}.${fraction}`
}
