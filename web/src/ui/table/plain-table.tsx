import { type ReactNode, useRef } from 'react'
import { cx } from '../layout/class-names.ts'
import { useOverflow } from '../layout/use-overflow.ts'
import styles from './plain-table.module.css'

interface Props {
  label: string
  children: ReactNode
  /** For dialogs: bordered, compact rows, scrolls by itself. */
  isFramed?: boolean
}

/** A small table without paging. It scrolls sideways when needed, also with the keyboard. */
export function PlainTable({ label, children, isFramed = false }: Props) {
  const wrapper = useRef<HTMLDivElement>(null)
  const isWide = useOverflow(wrapper)
  return (
    <div
      ref={wrapper}
      className={cx(styles.wrapper, isFramed && styles.framed)}
      {...(isWide || isFramed ? { tabIndex: 0, role: 'group', 'aria-label': label } : {})}
    >
      <table className={styles.table} aria-label={label}>
        {children}
      </table>
    </div>
  )
}

/** The class of number cells. */
export const figure = styles.figure
