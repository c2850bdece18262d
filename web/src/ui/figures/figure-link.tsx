import type { ReactNode } from 'react'
import styles from './figure-link.module.css'

interface Props {
  /** The name of the figure and of the record it belongs to. */
  label: string
  children: ReactNode
  onOpen: () => void
}

/** A number in a table or card that opens its definition and the rows behind it. */
export const FigureLink = ({ label, children, onOpen }: Props) => (
  <button type="button" className={styles.number} title={`${label}: definition and rows`} onClick={onOpen}>
    {children}
  </button>
)
