import { formatCompact, formatNumber } from '@limber/contract/kit/formats/numbers.ts'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { axisSteps } from './scale.ts'
import styles from './trend-plot.module.css'

export interface TrendPoint {
  /** The label below the axis; empty for none. */
  tick: string
  /** The exact period, shown in the tooltip. */
  title: string
  value: number
  before?: number | null
  /** Values of more lines with the same unit, in the order of `otherNames`. */
  others?: readonly number[]
}

export interface TrendProps {
  label: string
  points: readonly TrendPoint[]
  valueName: string
  beforeName?: string
  /** Names of the other lines, drawn in the second to fourth series colors. */
  otherNames?: readonly string[]
  /** Formats a value in the tooltip and on the axis. */
  format?: (value: number) => string
  height?: number
}

const pathOf = (values: readonly (number | null | undefined)[], top: number) =>
  values
    .map((value, place) => {
      if (value === null || value === undefined) return ''
      const isStart = place === 0 || values[place - 1] === null || values[place - 1] === undefined
      const x = values.length > 1 ? (place / (values.length - 1)) * 100 : 50
      return `${isStart ? 'M' : 'L'}${x.toFixed(2)} ${(100 - (value / top) * 100).toFixed(2)}`
    })
    .join('')

/** HTML axes around a stretching SVG plot. The crosshair follows the pointer or the arrow keys. */
export default function TrendPlot(props: TrendProps) {
  const {
    label,
    points,
    valueName,
    beforeName = 'Previous period',
    otherNames = [],
    format = formatNumber,
    height = 232,
  } = props
  const [at, setAt] = useState<number | null>(null)
  const steps = axisSteps(
    Math.max(0, ...points.flatMap((point) => [point.value, point.before ?? 0, ...(point.others ?? [])])),
  )
  const top = steps.at(-1) ?? 1
  const line = pathOf(
    points.map((point) => point.value),
    top,
  )
  const point = at === null ? undefined : points[at]
  const x = at === null || points.length < 2 ? 50 : (at / (points.length - 1)) * 100

  const spoken = ({ title, value, others = [] }: TrendPoint) =>
    [`${title}: ${format(value)}`, ...otherNames.map((name, place) => `${name} ${format(others[place] ?? 0)}`)].join(
      ', ',
    )
  const follow = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const share = box.width > 0 ? (event.clientX - box.left) / box.width : 0
    setAt(Math.round(Math.min(1, Math.max(0, share)) * (points.length - 1)))
  }
  const walk = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    setAt(Math.min(points.length - 1, Math.max(0, (at ?? (step > 0 ? -1 : points.length)) + step)))
  }
  return (
    <div className={styles.plot}>
      <div className={styles.y} aria-hidden>
        {[...steps].reverse().map((step) => (
          <span key={step}>{format === formatNumber ? formatCompact(step) : format(step)}</span>
        ))}
      </div>
      <div
        className={styles.box}
        style={{ height }}
        role="slider"
        tabIndex={0}
        aria-label={`${label}. Use the arrow keys to move through the values`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, points.length - 1)}
        aria-valuenow={at ?? 0}
        aria-valuetext={point ? spoken(point) : 'No value selected'}
        onPointerMove={follow}
        onPointerLeave={() => setAt(null)}
        onBlur={() => setAt(null)}
        onKeyDown={walk}
      >
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
          {steps.map((step) => (
            <line
              key={step}
              className={step === 0 ? styles.zero : styles.grid}
              x1="0"
              x2="100"
              y1={100 - (step / top) * 100}
              y2={100 - (step / top) * 100}
            />
          ))}
          {line && <path className={styles.area} d={`${line}L100 100L0 100Z`} />}
          <path
            className={styles.before}
            d={pathOf(
              points.map((one) => one.before),
              top,
            )}
          />
          {otherNames.map((name, place) => (
            <path
              key={name}
              className={styles.line}
              style={{ stroke: `var(--series-${place + 2})` }}
              d={pathOf(
                points.map((one) => one.others?.[place]),
                top,
              )}
            />
          ))}
          <path className={styles.line} d={line} />
          {point && <line className={styles.cross} x1={x} x2={x} y1="0" y2="100" />}
        </svg>
        {point && (
          <>
            <span className={styles.point} style={{ left: `${x}%`, top: `${100 - (point.value / top) * 100}%` }} />
            <div
              className={styles.tip}
              style={x > 50 ? { right: `calc(${100 - x}% + 12px)` } : { left: `calc(${x}% + 12px)` }}
            >
              <span className={styles.when}>{point.title}</span>
              <span className={styles.entry}>
                {valueName}
                <b>{format(point.value)}</b>
              </span>
              {otherNames.map((name, place) => (
                <span key={name} className={styles.entry}>
                  {name}
                  <b>{format(point.others?.[place] ?? 0)}</b>
                </span>
              ))}
              {point.before !== undefined && point.before !== null && (
                <span className={styles.entry}>
                  {beforeName}
                  <b>{format(point.before)}</b>
                </span>
              )}
            </div>
          </>
        )}
      </div>
      <div className={styles.x} aria-hidden>
        {points.map((one, place) => (
          <span
            key={one.title}
            className={styles.tick}
            style={{ left: `${points.length > 1 ? (place / (points.length - 1)) * 100 : 50}%` }}
          >
            {one.tick}
          </span>
        ))}
      </div>
    </div>
  )
}
