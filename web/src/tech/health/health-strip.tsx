import type { HealthStatus } from '@limber/contract/tech/health/health.ts'
import styles from './health.module.css'
import { historyWords } from './health-words.ts'

/** The last day in quarters of an hour, oldest at the left; nothing where nobody looked. */
export function HealthStrip({ history }: { history: readonly (HealthStatus | null)[] }) {
  const words = historyWords(history)
  return (
    <div className={styles.history}>
      <div className={styles.strip} role="img" aria-label={words} title={words}>
        {history.map((status, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the quarters never change places
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
