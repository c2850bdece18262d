import { formatMoney } from '@limber/contract/kit/formats/money.ts'
import type { Severity } from '@limber/contract/payroll/values.ts'
import { Money } from '#ui/format/money.tsx'
import styles from './dollars.module.css'

const FINANCE = 4

/** Dollars of the payroll as people read them: always four decimals. */
export const dollarsText = (amount: number | null | undefined, isSigned = false) =>
  formatMoney(amount?.toFixed(FINANCE), { decimals: FINANCE, isSigned })

export function Dollars({ of, isSigned = false }: { of: number | null | undefined; isSigned?: boolean }) {
  return <Money amount={of?.toFixed(FINANCE)} decimals={FINANCE} isSigned={isSigned} />
}

/** How grave a difference of one side is; from one cent on it is significant. */
export const gravityOf = (difference: number): Severity | undefined =>
  difference === 0 ? undefined : Math.abs(difference) < 0.01 ? 'warning' : 'significant'

/** A difference with its sign; none is muted. */
export function Difference({ of }: { of: number }) {
  return (
    <span className={styles.difference} data-gravity={gravityOf(of) ?? 'none'}>
      <Dollars of={of} isSigned />
    </span>
  )
}
