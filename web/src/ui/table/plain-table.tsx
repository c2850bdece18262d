import { type ReactNode, useRef } from 'react'
import { cx } from '../layout/class-names.ts'
import { useOverflow } from '../layout/use-overflow.ts'
import styles from './plain-table.module.css'

interface Props {
  label: string
  children: ReactNode
  /** In a dialog: a border of its own, lower rows, and it scrolls in itself. */
  isFramed?: boolean
}

/** A table of a few rows that are all there. It scrolls sideways in itself; then the keyboard can scroll it too. */
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

/** Marks the cells of figures. */
export const figure = styles.figure
