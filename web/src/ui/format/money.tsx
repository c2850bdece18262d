import { parseMoney, roundToCents } from '@limber/contract/kit/money.ts'
import styles from '../charts/figures.module.css'
import { whole } from './counted.ts'

interface Options {
  /** 4 in finance, 2 in summaries. */
  decimals?: 2 | 4
  /** A plus before gains: for differences. */
  isSigned?: boolean
}

/** Dollars as people read them, from exact text: no float is involved. `--` when there is no amount. */
export function moneyText(amount: string | null | undefined, { decimals = 2, isSigned = false }: Options = {}): string {
  if (amount === null || amount === undefined || amount === '') return '--'
  const exact = parseMoney(amount)
  const value = decimals === 2 ? roundToCents(exact) : exact
  const size = value < 0n ? -value : value
  const dollars = whole(size / 10_000n)
  const fraction = (size % 10_000n).toString().padStart(4, '0').slice(0, decimals)
  const sign = value < 0n ? '−' : isSigned && value > 0n ? '+' : ''
  return `${sign}$${dollars}.${fraction}`
}

/** An amount of dollars, with figures of equal width. */
export function Money({ amount, ...options }: Options & { amount: string | null | undefined }) {
  return <span className={styles.figures}>{moneyText(amount, options)}</span>
}
