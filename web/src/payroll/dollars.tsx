import { formatMoney } from '@limber/contract/kit/formats/money.ts'
import type { Severity } from '@limber/contract/payroll/values.ts'
import { Money } from '#ui/format/money.tsx'
import styles from './dollars.module.css'

const DECIMALS = 4

/** Payroll amounts always show four decimals. */
export const dollarsText = (amount: number | null | undefined, isSigned = false) =>
  formatMoney(amount?.toFixed(DECIMALS), { decimals: DECIMALS, isSigned })

export function Dollars({ of, isSigned = false }: { of: number | null | undefined; isSigned?: boolean }) {
  return <Money amount={of?.toFixed(DECIMALS)} decimals={DECIMALS} isSigned={isSigned} />
}

/** One cent or more is significant; no severity without a difference. */
export const severityOf = (difference: number): Severity | undefined =>
  difference === 0 ? undefined : Math.abs(difference) < 0.01 ? 'warning' : 'significant'

/** A signed difference; zero is muted. */
export function Difference({ of }: { of: number }) {
  return (
    <span className={styles.difference} data-severity={severityOf(of) ?? 'none'}>
      <Dollars of={of} isSigned />
    </span>
  )
}
