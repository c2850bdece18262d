import { cx } from '../layout/class-names.ts'
import styles from './skeleton.module.css'

const widths = [72, 54, 64, 48, 60]

/** Gray bars in the shape of a list: image, two lines, a number. */
export function ListSkeleton({ rows = 4, hasPicture = true }: { rows?: number; hasPicture?: boolean }) {
  return (
    <div className={styles.list} role="status" aria-label="Loading" data-bones="list">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change order
        <div className={styles.row} key={row}>
          {hasPicture && <span className={cx(styles.bone, styles.picture)} />}
          <div className={styles.lines}>
            <span className={styles.bone} style={{ width: `${widths[row % widths.length]}%` }} />
            <span
              className={cx(styles.bone, styles.thin)}
              style={{ width: `${(widths[(row + 3) % widths.length] ?? 50) - 20}%` }}
            />
          </div>
          <span className={cx(styles.bone, styles.figure)} />
        </div>
      ))}
    </div>
  )
}

/** Gray bars in the shape of a paragraph or a form. */
export function TextSkeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className={styles.list} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change order
        <span className={styles.bone} key={line} style={{ width: `${(widths[line % widths.length] ?? 60) + 20}%` }} />
      ))}
    </div>
  )
}

/** One gray block of a given height, for charts and images. */
export function BlockSkeleton({ height }: { height: number }) {
  return <div className={styles.bone} role="status" aria-label="Loading" style={{ height, width: '100%' }} />
}

/** A gray bar inside a table cell. */
export function CellSkeleton({ row, column }: { row: number; column: number }) {
  return (
    <span
      className={cx(styles.bone, styles.cell)}
      data-bones="cell"
      style={{ width: `${widths[(row + column) % widths.length]}%` }}
    />
  )
}
