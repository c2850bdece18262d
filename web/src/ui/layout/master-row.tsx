import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Path, type SearchOf, withSearch } from '#platform/routing/links.ts'
import styles from './master-row.module.css'

interface Props<P extends Path> {
  /** The search parameters that select the record. */
  search: SearchOf<P>
  isOpen: boolean
  isUnread?: boolean
  children: ReactNode
}

/** One row of a master list: a link, highlighted when its record is open. */
export function MasterRow<P extends Path>({ search, isOpen, isUnread = false, children }: Props<P>) {
  return (
    <Link
      {...withSearch<P>(search)}
      className={styles.row ?? ''}
      data-row
      data-unread={isUnread || undefined}
      activeProps={{}}
      aria-current={isOpen ? 'true' : undefined}
    >
      {children}
    </Link>
  )
}
