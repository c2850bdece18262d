import type { HealthTrends } from '@limber/contract/growth/health.ts'
import { Sparkline } from '#ui/sparkline.tsx'
import styles from './overview.module.css'

type Points = HealthTrends['userGrowth']

interface Props {
  /** Nothing while it is read, or when that failed: silently, as the number beside it says enough. */
  points: Points | undefined
  label: string
  empty: string
}

/** The course of a number, or the words that there is none. */
export function Trend({ points, label, empty }: Props) {
  const values = points?.map(({ count }) => count) ?? []
  if (!values.some((value) => value > 0)) return <p className={styles.none}>{empty}</p>
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return (
    <figure className={styles.trend}>
      <Sparkline values={values} width={260} height={44} />
      <figcaption>
        {label}, {least.toLocaleString('en-US')} to {most.toLocaleString('en-US')} a day
      </figcaption>
    </figure>
  )
}
