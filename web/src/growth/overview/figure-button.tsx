import type { ReactNode } from 'react'
import type { AnyFigure } from './figure-words.ts'
import styles from './overview.module.css'

interface Props {
  figure: AnyFigure
  label: string
  value: ReactNode
  onOpen: (figure: AnyFigure) => void
  isLarge?: boolean
}

/** A number that opens to what it means and to the rows behind it. */
export function FigureButton({ figure, label, value, onOpen, isLarge = false }: Props) {
  return (
    <button type="button" className={styles.figure} data-large={isLarge || undefined} onClick={() => onOpen(figure)}>
      <span className={styles.label}>{label}</span>
      <span className={styles.value}>{value}</span>
    </button>
  )
}
