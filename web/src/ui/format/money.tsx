import { formatMoney } from '@limber/contract/kit/formats/money.ts'
import styles from '../charts/figures.module.css'

type Props = Parameters<typeof formatMoney>[1] & { amount: string | null | undefined }

/** An amount in dollars in tabular figures. Digits beyond the cents are muted. */
export function Money({ amount, ...form }: Props) {
  const [, cents, rest] = /^(.*?\.\d\d)?(.*)$/.exec(formatMoney(amount, form)) ?? []
  return (
    <span className={styles.figures}>
      {cents}
      {rest && <span className={cents ? styles.quiet : undefined}>{rest}</span>}
    </span>
  )
}
