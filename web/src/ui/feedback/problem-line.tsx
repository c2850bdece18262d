import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Icon } from '../layout/icon.tsx'
import styles from './problem-line.module.css'

/** A one-line error next to what failed; renders nothing without an error. */
export function ProblemLine({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <span className={styles.problem} role="alert">
      <Icon of={IconAlertCircle} size={14} />
      <span>{children}</span>
    </span>
  )
}
