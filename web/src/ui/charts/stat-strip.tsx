import type { CSSProperties, ReactNode } from 'react'
import { Sparkline } from './sparkline.tsx'
import styles from './stat-strip.module.css'

export interface Stat {
  id: string
  label: string
  /** `--` when unknown. */
  value: ReactNode
  unit?: string
  change?: ReactNode
  /** Muted text after the change. */
  note?: string
  trend?: readonly number[]
  /** The number opens to its definition and rows. */
  onOpen?: () => void
}

interface Props {
  label: string
  stats: readonly Stat[]
  /** With `onChoose`, each stat is a button that filters. Pressing the selected one again clears the filter. */
  chosen?: string | null
  onChoose?: (id: string | null) => void
  /** Value, label and note on one line, for stats above a list that fills the window. */
  isSlim?: boolean
}

function Figure({ stat }: { stat: Stat }) {
  return (
    <>
      <span className={styles.label}>{stat.label}</span>
      <span className={styles.value}>
        {stat.value}
        {stat.unit && <small className={styles.unit}>{stat.unit}</small>}
      </span>
      {(stat.change || stat.note) && (
        <span className={styles.change}>
          {stat.change}
          {stat.note && <span className={styles.note}>{stat.note}</span>}
        </span>
      )}
      {stat.trend && (
        <span className={styles.trend}>
          <Sparkline values={stat.trend} />
        </span>
      )}
    </>
  )
}

/** Stats in one bordered strip; buttons when they filter or open. */
export function StatStrip({ label, stats, chosen, onChoose, isSlim = false }: Props) {
  // On phones two stats share a row. With an odd number the first has its own row.
  const columns = {
    '--columns': Math.min(stats.length, 6),
    '--few': stats.length === 2 || stats.length > 3 ? 2 : 1,
  } as CSSProperties
  return (
    <section
      className={styles.strip}
      aria-label={label}
      data-dense={stats.length > 4 || undefined}
      data-slim={isSlim || undefined}
      data-odd={(stats.length > 3 && stats.length % 2 === 1) || undefined}
      style={columns}
    >
      {stats.map((stat) =>
        onChoose || stat.onOpen ? (
          <button
            key={stat.id}
            type="button"
            className={styles.stat}
            aria-pressed={onChoose && stat.id === chosen}
            onClick={stat.onOpen ?? (() => onChoose?.(stat.id === chosen ? null : stat.id))}
          >
            <Figure stat={stat} />
          </button>
        ) : (
          <div key={stat.id} className={styles.stat}>
            <Figure stat={stat} />
          </div>
        ),
      )}
    </section>
  )
}
