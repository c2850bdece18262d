import type { Dashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import { useMediaQuery } from '@mantine/hooks'
import { IconChartLine } from '@tabler/icons-react'
import { ChartFrame } from '#ui/charts/chart-frame.tsx'
import { TrendChart } from '#ui/charts/trend-chart.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { NARROW, names } from '../labels.ts'
import { chartPoints } from './chart-points.ts'

/** Events of the period as a line, with the previous period dashed. */
export function EventsOverTime({ dashboard }: { dashboard: Dashboard }) {
  const isNarrow = useMediaQuery(NARROW) ?? false
  const points = chartPoints(dashboard, isNarrow)
  const { current, previous } = names[dashboard.span.timeframe]
  const isEmpty = dashboard.total_events === 0 && dashboard.previous.total_events === 0
  return (
    <ChartFrame
      title="Events over time"
      file="events-over-time"
      legend={[
        { label: current, series: 1 },
        { label: previous, series: 'prev' },
      ]}
      table={{
        heads: ['When', current, previous],
        rows: points.map((point) => [point.title, point.value, point.before]),
        keys: dashboard.events_over_time.timestamps,
      }}
    >
      {isEmpty ? (
        <EmptyState icon={IconChartLine} title="No events in this period">
          Usage events appear here within seconds.
        </EmptyState>
      ) : (
        <TrendChart label="Events over time" points={points} valueName={current} beforeName={previous} />
      )}
    </ChartFrame>
  )
}
