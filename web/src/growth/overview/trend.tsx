import type { HealthTrends } from '@limber/contract/growth/overview/health.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { Sparkline } from '#ui/charts/sparkline.tsx'
import styles from './overview.module.css'

type Points = HealthTrends['userGrowth']
export type Trends = Omit<HealthTrends, 'span'>

interface Props {
  /** Nothing while it is read. */
  points: Points | undefined
  label: string
  /** Each point counts what happened on its day: the present one is not over, and would look like a fall after others. */
  isCount?: boolean
  empty: string
}

/** The course of a number, or the words that there is none. */
export function Trend({ points, label, empty, isCount = false }: Props) {
  if (!points) return <p className={styles.none} aria-hidden />
  const past = points.slice(0, -1)
  const days = isCount && past.some(({ count }) => count > 0) ? past : points
  const values = days.map(({ count }) => count)
  if (!values.some((value) => value > 0)) return <p className={styles.none}>{empty}</p>
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return (
    <figure className={styles.trend}>
      <Sparkline values={values} width={352} height={48} />
      <figcaption>
        {label}, {formatInteger(least)} to {formatInteger(most)}
        {isCount && ' a day'}
      </figcaption>
    </figure>
  )
}
