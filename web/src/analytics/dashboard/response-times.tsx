import type { Dashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import type { Timeframe } from '@limber/contract/analytics/events/event.ts'
import { NativeSelect } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconClockBolt } from '@tabler/icons-react'
import { BarList } from '#ui/charts/bar-list.tsx'
import { ChartFrame } from '#ui/charts/chart-frame.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { msText, NARROW, timeframes } from '../labels.ts'
import styles from './dashboard.module.css'

const SHOWN = 11
const BUDGET = 300

interface Props {
  dashboard: Dashboard
  timeframe: Timeframe
  onTimeframe: (timeframe: Timeframe) => void
}

const keys = (
  <ul className={styles.keys}>
    <li>Average in ms</li>
    <li data-over>Above the {BUDGET} ms budget</li>
  </ul>
)

/** Response times by path, slowest first. */
export function ResponseTimes({ dashboard: { performance }, timeframe, onTimeframe }: Props) {
  const times = performance.response_times
  const isNarrow = useMediaQuery(NARROW)
  const choice = (
    <NativeSelect
      aria-label="Timeframe for performance"
      className={styles.small ?? ''}
      classNames={{ input: styles.select ?? '' }}
      data={[...timeframes]}
      value={timeframe}
      onChange={(event) => onTimeframe(event.currentTarget.value as Timeframe)}
    />
  )
  return (
    <ChartFrame
      title="Response time by path"
      kind="bars"
      file="response-times"
      actions={choice}
      table={{
        heads: ['Path', 'Average, ms', 'p95, ms', 'Events'],
        rows: times.map(({ path, avg_ms, p95_ms, events }) => [path, avg_ms, p95_ms, events]),
      }}
    >
      {times.length === 0 ? (
        <EmptyState icon={IconClockBolt} title="No requests in this period" />
      ) : (
        <div className={styles.times}>
          <BarList
            isCode
            rows={times.slice(0, SHOWN).map(({ path, avg_ms, p95_ms }) => ({
              label: path,
              value: avg_ms,
              text: `${msText(avg_ms)} ms`,
              ...(isNarrow ? {} : { note: `p95 ${msText(p95_ms)}` }),
              isOver: avg_ms > BUDGET,
            }))}
          />
          <div className={styles.foot}>
            {keys}
            {performance.paths > SHOWN && (
              <p>
                {SHOWN} slowest of {performance.paths}
              </p>
            )}
          </div>
        </div>
      )}
    </ChartFrame>
  )
}
