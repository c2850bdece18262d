import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import styles from './stacked-bar.module.css'

export interface BarPart {
  label: string
  value: number
  /** The formatted value, such as `8 h`. */
  text?: string
  series: 1 | 2 | 3 | 4 | 'prev'
}

/** Parts of a total in one bar, with a legend below. */
export function StackedBar({ parts }: { parts: readonly BarPart[] }) {
  const isEmpty = parts.every((part) => part.value === 0)
  return (
    <div className={styles.holder}>
      <div className={styles.bar} aria-hidden>
        {isEmpty && <span className={styles.none} />}
        {parts
          .filter((part) => part.value > 0)
          .map((part) => (
            <span key={part.label} style={{ flexGrow: part.value, background: `var(--series-${part.series})` }} />
          ))}
      </div>
      <ul className={styles.legend}>
        {parts.map((part) => (
          <li key={part.label} className={styles.entry}>
            <span className={styles.square} style={{ background: `var(--series-${part.series})` }} />
            {part.text ?? formatInteger(part.value)} {part.label}
          </li>
        ))}
      </ul>
    </div>
  )
}
