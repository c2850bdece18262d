import type { HealthTrends } from '@limber/contract/growth/overview/health.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { Sparkline } from '#ui/charts/sparkline.tsx'
import styles from './overview.module.css'

type Points = HealthTrends['userGrowth']
export type Trends = Omit<HealthTrends, 'span'>

interface Props {
  /** Undefined while loading. */
  points: Points | undefined
  label: string
  /** Each point counts one day. Today is incomplete and would look like a drop. */
  isCount?: boolean
  empty: string
}

/** The trend of a number, or a message that there is none. */
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
        {isCount && ' per day'}
      </figcaption>
    </figure>
  )
}
