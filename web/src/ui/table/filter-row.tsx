import type { ReactNode } from 'react'
import styles from './filter-row.module.css'

interface Props {
  children: ReactNode
  /** A line below, where nothing else draws one. */
  hasLine?: boolean
}

/** Filters above a list: the search first, which takes the room that is left. */
export function FilterRow({ children, hasLine }: Props) {
  return (
    <div className={styles.filters} {...(hasLine && { 'data-line': true })}>
      {children}
    </div>
  )
}
