import type { Icon as Drawn } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Icon } from '../layout/icon.tsx'
import styles from './empty-state.module.css'

interface Props {
  icon: Drawn
  title: string
  /** What will appear here. */
  children?: ReactNode
  /** The next step. */
  action?: ReactNode
  /** The heading level; an empty page has its title here. */
  as?: 'h1' | 'h2' | 'p'
  isAlert?: boolean
}

/** Says what will appear here and offers the next step. */
export function EmptyState({ icon, title, children, action, as: Heading = 'p', isAlert = false }: Props) {
  return (
    <div className={styles.blank} {...(isAlert ? { role: 'alert' } : {})}>
      <Icon of={icon} size={20} />
      <Heading className={styles.title}>{title}</Heading>
      {children && <div className={styles.text}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
