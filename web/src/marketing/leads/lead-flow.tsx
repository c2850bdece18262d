import { formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import type { LeadAnalytics } from '@limber/contract/marketing/leads/lead-analytics.ts'
import { useMediaQuery } from '@mantine/hooks'
import { IconChartLine } from '@tabler/icons-react'
import { now } from '#platform/clock.ts'
import { ChartFrame } from '#ui/charts/chart-frame.tsx'
import { TrendChart } from '#ui/charts/trend-chart.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { statusLabels } from './lead-labels.ts'

const DAY = 86_400_000

/** A point that covers several days shows a date range. */
function titleOf(labels: readonly string[], index: number): string {
  const [label = '', next] = labels.slice(index, index + 2)
  const isSingle = labels.length > 1 && Date.parse(labels[1] ?? '') - Date.parse(labels[0] ?? '') === DAY
  if (isSingle) return dayText(label)
  const last = next ? new Date(Date.parse(next) - DAY).toISOString().slice(0, 10) : undefined
  return last ? formatDayRange(label, last, { now: now() }) : `${dayText(label)} – today`
}

/** New, contacted and converted leads over time. */
export function LeadFlow({ flow }: { flow: LeadAnalytics['lead_flow'] }) {
  const isNarrow = useMediaQuery('(max-width: 767px)') ?? false
  const { labels } = flow
  const every = Math.ceil(labels.length / (isNarrow ? 4 : 8))
  const points = labels.map((label, place) => ({
    tick: place % every === 0 ? dayText(label) : '',
    title: titleOf(labels, place),
    value: flow.new[place] ?? 0,
    others: [flow.contacted[place] ?? 0, flow.converted[place] ?? 0],
  }))
  const isEmpty = [...flow.new, ...flow.contacted, ...flow.converted].every((value) => value === 0)
  return (
    <ChartFrame
      title="Lead Flow"
      file="lead-flow"
      legend={[
        { label: statusLabels.new, series: 1 },
        { label: statusLabels.contacted, series: 2 },
        { label: statusLabels.converted, series: 3 },
      ]}
      table={{
        heads: ['Date', statusLabels.new, statusLabels.contacted, statusLabels.converted],
        rows: points.map(({ title, value, others }) => [title, value, ...others]),
        keys: labels,
      }}
    >
      {isEmpty ? (
        <EmptyState icon={IconChartLine} title="No lead activity in this period">
          New, contacted and converted leads will appear here.
        </EmptyState>
      ) : (
        <TrendChart
          label="Lead Flow"
          points={points}
          valueName={statusLabels.new}
          otherNames={[statusLabels.contacted, statusLabels.converted]}
        />
      )}
    </ChartFrame>
  )
}
