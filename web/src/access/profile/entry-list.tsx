import type { ReactNode } from 'react'
import styles from './entry-list.module.css'

interface ListProps {
  label: string
  /** Smaller rows. */
  isTight?: boolean
  children: ReactNode
}

/** A list of short records with dividers. */
export function EntryList({ label, isTight = false, children }: ListProps) {
  return (
    <ul className={styles.list} aria-label={label} data-tight={isTight || undefined}>
      {children}
    </ul>
  )
}

interface Props {
  title: ReactNode
  /** Details in muted text. */
  children?: ReactNode
  actions?: ReactNode
}

export function Entry({ title, children, actions }: Props) {
  return (
    <li className={styles.entry}>
      <div className={styles.text}>
        <div className={styles.title}>{title}</div>
        {children && <div className={styles.meta}>{children}</div>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </li>
  )
}
