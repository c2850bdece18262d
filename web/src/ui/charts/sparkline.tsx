import styles from './sparkline.module.css'

interface Props {
  values: readonly number[]
  width?: number
  height?: number
  hasArea?: boolean
}

/** A small line scaled to its own minimum and maximum. The number is shown beside it. */
export function Sparkline({ values, width = 112, height = 36, hasArea = true }: Props) {
  if (values.length < 2) return <svg className={styles.spark} width={width} height={height} aria-hidden />
  const least = Math.min(...values)
  const span = Math.max(...values) - least || 1
  const points = values.map((value, place) => {
    const x = 1 + (place / (values.length - 1)) * (width - 4)
    const y = height - 3 - ((value - least) / span) * (height - 6)
    return [Math.round(x * 10) / 10, Math.round(y * 10) / 10] as const
  })
  const line = `M${points.map(([x, y]) => `${x} ${y}`).join('L')}`
  const [endX, endY] = points.at(-1) ?? [0, 0]
  return (
    <svg className={styles.spark} viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden>
      {hasArea && <path className={styles.area} d={`${line}L${endX} ${height}L1 ${height}Z`} />}
      <path className={styles.line} d={line} />
      <circle className={styles.end} cx={endX} cy={endY} r="2.25" />
    </svg>
  )
}
