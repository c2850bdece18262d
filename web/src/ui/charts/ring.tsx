import styles from './ring.module.css'

interface Props {
  /** From 0 to 1; null when unknown. */
  share: number | null
  label: string
  series?: 1 | 2 | 3 | 4
  size?: number
}

const RADIUS = 34
const ROUND = 2 * Math.PI * RADIUS

/** A share as a ring, with its percentage and label. */
export function Ring({ share, label, series = 1, size = 84 }: Props) {
  const part = Math.min(1, Math.max(0, share ?? 0))
  return (
    <figure className={styles.ring}>
      <svg viewBox="0 0 84 84" width={size} height={size} aria-hidden>
        <circle cx="42" cy="42" r={RADIUS} fill="none" stroke="var(--fill)" strokeWidth="8" />
        <circle
          cx="42"
          cy="42"
          r={RADIUS}
          fill="none"
          stroke={`var(--series-${series})`}
          strokeWidth="8"
          strokeDasharray={`${part * ROUND} ${ROUND}`}
          transform="rotate(-90 42 42)"
        />
      </svg>
      <figcaption className={styles.text}>
        <b className={styles.share}>{share === null ? '--' : `${Math.round(part * 100)}%`}</b>
        <span className={styles.label}>{label}</span>
      </figcaption>
    </figure>
  )
}
