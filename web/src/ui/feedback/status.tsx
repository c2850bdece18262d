import type { ReactNode } from 'react'
import styles from './status.module.css'

export type Meaning = 'plain' | 'green' | 'amber' | 'red' | 'blue' | 'teal'

interface Props {
  meaning?: Meaning
  children: ReactNode
}

/** A dot with text: a status in a list. */
export function StatusDot({ meaning = 'plain', children }: Props) {
  return (
    <span className={styles.dot} data-meaning={meaning}>
      {children}
    </span>
  )
}

/** A filled badge: the status of a single record. */
export function StatusBadge({ meaning = 'plain', hasDot = true, children }: Props & { hasDot?: boolean }) {
  return (
    <span className={styles.badge} data-meaning={meaning} data-dot={hasDot || undefined}>
      {children}
    </span>
  )
}
