import type { ReactNode } from 'react'
import styles from './filter-row.module.css'

interface Props {
  children: ReactNode
  /** Draws a line below. */
  hasLine?: boolean
}

/** Filters above a list. The search comes first and takes the remaining width. */
export function FilterRow({ children, hasLine }: Props) {
  return (
    <div className={styles.filters} {...(hasLine && { 'data-line': true })}>
      {children}
    </div>
  )
}
