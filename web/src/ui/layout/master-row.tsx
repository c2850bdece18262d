import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './master-row.module.css'

interface Props {
  /** The search parameters of the record: the selection is in the URL. */
  search: Record<string, string | number>
  isOpen: boolean
  isUnread?: boolean
  children: ReactNode
}

/** One row of a master list: a link, lit when its record is open. */
export function MasterRow({ search, isOpen, isUnread = false, children }: Props) {
  return (
    <Link
      to="."
      search={((before: object) => ({ ...before, ...search })) as never}
      resetScroll={false}
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
