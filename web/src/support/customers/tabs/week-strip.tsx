import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { UserAnalytics } from '@limber/contract/support/customers/user.ts'
import { Tooltip } from '@mantine/core'
import { ChartFrame } from '#ui/charts/chart-frame.tsx'
import { dayText } from '#ui/format/day-text.ts'
import styles from './week-strip.module.css'

// Leaves room for the figure above the bar.
const MAX_BAR_HEIGHT = 92

/** Twelve weeks as bars with the figure on hover, also as a table and CSV. */
export function WeekStrip({ weeks }: Pick<UserAnalytics, 'weeks'>) {
  const max = Math.max(1, ...weeks.map(({ actions }) => actions))
  const labelOf = (week: string, actions: number) => `Week of ${dayText(week)}: ${pluralize(actions, 'action')}`
  return (
    <ChartFrame
      title="Actions per week"
      kind="bars"
      file="actions-per-week"
      table={{
        heads: ['Week of', 'Actions'],
        rows: weeks.map(({ week, actions }) => [dayText(week), actions]),
        keys: weeks.map(({ week }) => week),
      }}
    >
      <ul className={styles.strip}>
        {weeks.map(({ week, actions }, place) => (
          <li key={week} className={styles.week}>
            <Tooltip label={labelOf(week, actions)}>
              <span className={styles.track} role="img" aria-label={labelOf(week, actions)}>
                <span className={styles.value} aria-hidden>
                  {formatInteger(actions)}
                </span>
                <span className={styles.bar} style={{ height: `${(actions / max) * MAX_BAR_HEIGHT}px` }} />
              </span>
            </Tooltip>
            <span className={styles.day} data-minor={place % 2 === 1 || undefined} aria-hidden>
              {dayText(week)}
            </span>
          </li>
        ))}
      </ul>
    </ChartFrame>
  )
}
