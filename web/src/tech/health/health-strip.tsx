import type { HealthStatus } from '@limber/contract/tech/health/health.ts'
import styles from './health.module.css'
import { historyWords } from './health-words.ts'

/** The last 24 hours in 15-minute slots, oldest on the left. Slots without a check are empty. */
export function HealthStrip({ history }: { history: readonly (HealthStatus | null)[] }) {
  const words = historyWords(history)
  return (
    <div className={styles.history}>
      <div className={styles.strip} role="img" aria-label={words} title={words}>
        {history.map((status, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the slots never change their order
          <span key={place} data-status={status ?? 'none'} />
        ))}
      </div>
      <span className={styles.ends} aria-hidden>
        <span>24 h ago</span>
        <span>now</span>
      </span>
    </div>
  )
}
