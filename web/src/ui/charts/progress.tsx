import styles from './progress.module.css'

interface Props {
  label: string
  done: number
  total: number
  /** Text such as `312 of 480`; the percentage by default. */
  counts?: string
  /** For example whether the page can be left. */
  note?: string
  isBare?: boolean
}

/** A progress bar with its counts. */
export function Progress({ label, done, total, counts, note, isBare = false }: Props) {
  const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 0
  const percent = Math.round(share * 100)
  return (
    <div className={styles.progress}>
      {!isBare && (
        <div className={styles.head}>
          <span className={styles.label}>{label}</span>
          <span className={styles.counts}>{counts ?? `${percent}%`}</span>
        </div>
      )}
      <div
        className={styles.track}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div className={styles.bar} style={{ width: `${share * 100}%` }} />
      </div>
      {note && <p className={styles.note}>{note}</p>}
    </div>
  )
}
