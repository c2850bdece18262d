import type { Icon as Drawn } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Icon } from '../layout/icon.tsx'
import styles from './empty-state.module.css'

interface Props {
  icon: Drawn
  title: string
  /** What would be here. */
  children?: ReactNode
  /** The next step. */
  action?: ReactNode
  /** The heading's place on the page; a whole page that is empty has its title here. */
  as?: 'h1' | 'h2' | 'p'
  isAlert?: boolean
}

/** Says what would be here, and offers the next step. */
export function EmptyState({ icon, title, children, action, as: Heading = 'p', isAlert = false }: Props) {
  return (
    <div className={styles.blank} {...(isAlert ? { role: 'alert' } : {})}>
      <Icon of={icon} size={20} />
      <Heading className={styles.title}>{title}</Heading>
      {children && <div className={styles.words}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
