import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Icon } from '../layout/icon.tsx'
import styles from './problem-line.module.css'

/** What went wrong, in one line where it went wrong; nothing while nothing did. */
export function ProblemLine({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <span className={styles.problem} role="alert">
      <Icon of={IconAlertCircle} size={14} />
      <span>{children}</span>
    </span>
  )
}
