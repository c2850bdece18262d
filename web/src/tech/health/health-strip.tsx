import type { HealthStatus } from '@limber/contract/tech/health/health.ts'
import styles from './health.module.css'
import { historyText } from './health-labels.ts'

/** The last 24 hours in 15-minute slots, oldest on the left. Slots without a check are empty. */
export function HealthStrip({ history }: { history: readonly (HealthStatus | null)[] }) {
  const text = historyText(history)
  return (
    <div className={styles.history}>
      <div className={styles.strip} role="img" aria-label={text} title={text}>
        {history.map((status, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the slots never change their order
          <span key={index} data-status={status ?? 'none'} />
        ))}
      </div>
      <span className={styles.ends} aria-hidden>
        <span>24 h ago</span>
        <span>now</span>
      </span>
    </div>
  )
}
