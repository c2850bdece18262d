import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import styles from './bar-list.module.css'

export interface BarRow {
  /** Identifies the row when labels can repeat. */
  id?: number
  label: string
  /** Shown on hover; the label by default. */
  title?: string
  value: number
  /** The formatted value. */
  text?: string
  note?: string
  /** Drawn in the second series color, for example above a budget. */
  isOver?: boolean
}

/** Horizontal bars with label and value. */
export function BarList({ rows, isCode = false }: { rows: readonly BarRow[]; isCode?: boolean }) {
  const greatest = Math.max(1, ...rows.map((row) => row.value))
  return (
    <ul className={styles.list}>
      {rows.map((row) => (
        <li key={row.id ?? row.label} className={styles.row}>
          <span className={styles.label} data-code={isCode || undefined} title={row.title ?? row.label}>
            {row.label}
          </span>
          <span className={styles.track} aria-hidden>
            {row.value > 0 && (
              <span
                className={styles.bar}
                data-over={row.isOver || undefined}
                style={{ width: `${(row.value / greatest) * 100}%` }}
              />
            )}
          </span>
          <span className={styles.value}>
            {row.text ?? formatInteger(row.value)}
            {row.note && <span className={styles.note}>{row.note}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
