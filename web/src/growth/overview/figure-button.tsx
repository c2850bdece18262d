import type { ReactNode } from 'react'
import type { AnyFigure } from './figure-labels.ts'
import styles from './overview.module.css'

interface Props {
  figure: AnyFigure
  label: string
  value: ReactNode
  onOpen: (figure: AnyFigure) => void
  isLarge?: boolean
}

/** A number that opens its definition and the rows behind it. */
export function FigureButton({ figure, label, value, onOpen, isLarge = false }: Props) {
  return (
    <button type="button" className={styles.figure} data-large={isLarge || undefined} onClick={() => onOpen(figure)}>
      <span className={styles.label}>{label}</span>
      <span className={styles.value}>{value}</span>
    </button>
  )
}
