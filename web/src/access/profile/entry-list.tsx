import type { ReactNode } from 'react'
import styles from './entry-list.module.css'

interface ListProps {
  label: string
  /** Lower rows, for lines of one kind. */
  isTight?: boolean
  children: ReactNode
}

/** Short records, one below the other, divided by hairlines. */
export function EntryList({ label, isTight = false, children }: ListProps) {
  return (
    <ul className={styles.list} aria-label={label} data-tight={isTight || undefined}>
      {children}
    </ul>
  )
}

interface Props {
  title: ReactNode
  /** What else is known of it, muted. */
  children?: ReactNode
  actions?: ReactNode
}

/** One of them: what it is, what is known of it, what can be done. */
export function Entry({ title, children, actions }: Props) {
  return (
    <li className={styles.entry}>
      <div className={styles.words}>
        <div className={styles.title}>{title}</div>
        {children && <div className={styles.meta}>{children}</div>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </li>
  )
}
