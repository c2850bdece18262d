import type { ReactNode } from 'react'
import styles from './status.module.css'

export type Meaning = 'plain' | 'green' | 'amber' | 'red' | 'blue' | 'teal'

interface Props {
  meaning?: Meaning
  children: ReactNode
}

/** Dot and word: the state of one of many, down a list. */
export function StatusDot({ meaning = 'plain', children }: Props) {
  return (
    <span className={styles.dot} data-meaning={meaning}>
      {children}
    </span>
  )
}

/** A filled badge: the state of a record that is looked at alone. */
export function StatusBadge({ meaning = 'plain', hasDot = true, children }: Props & { hasDot?: boolean }) {
  return (
    <span className={styles.badge} data-meaning={meaning} data-dot={hasDot || undefined}>
      {children}
    </span>
  )
}
