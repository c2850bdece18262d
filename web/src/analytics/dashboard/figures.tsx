import type { Dashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import { formatInteger, formatPercent, formatPoints } from '@limber/contract/kit/formats/numbers.ts'
import { Change } from '#ui/charts/change.tsx'
import { type Stat, StatStrip } from '#ui/charts/stat-strip.tsx'
import type { OpenFigure } from '#ui/figures/use-figure.ts'
import { msText } from '../labels.ts'

/** Rounds first, so that a change that shows as zero has no direction. */
const rounded = (difference: number, decimals: number) => Number(difference.toFixed(decimals))

function relative(now: number, before: number) {
  if (before === 0) return undefined
  const percent = rounded(((now - before) / before) * 100, 1)
  return <Change by={percent} text={formatPercent(Math.abs(percent), 1)} />
}

// The last step is incomplete and would look like a drop.
const finished = (counts: readonly number[]) => counts.slice(0, -1)

const before = (isAny: boolean, text: string) => (isAny ? `previously ${text}` : 'none previously')

/** The four figures with their change from the previous period. */
export function Figures({ dashboard, onOpen }: { dashboard: Dashboard; onOpen: OpenFigure['onOpen'] }) {
  const { previous, trends } = dashboard
  const hadEvents = previous.total_events > 0
  const hasEvents = dashboard.total_events > 0
  const slower = rounded(dashboard.avg_response_time - previous.avg_response_time, 1)
  const worse = rounded(dashboard.error_rate - previous.error_rate, 2)
  const stats: Stat[] = [
    {
      id: 'events',
      label: 'Total events',
      value: formatInteger(dashboard.total_events),
      change: relative(dashboard.total_events, previous.total_events),
      note: before(hadEvents, formatInteger(previous.total_events)),
      trend: finished(trends.total_events),
      onOpen: () => onOpen('totalEvents'),
    },
    {
      id: 'users',
      label: 'Unique users',
      value: formatInteger(dashboard.unique_users),
      change: relative(dashboard.unique_users, previous.unique_users),
      note: before(previous.unique_users > 0, formatInteger(previous.unique_users)),
      trend: finished(trends.unique_users),
      onOpen: () => onOpen('uniqueUsers'),
    },
    {
      id: 'time',
      label: 'Average response time',
      value: hasEvents ? msText(dashboard.avg_response_time) : '--',
      ...(hasEvents ? { unit: 'ms' } : {}),
      change: hasEvents && hadEvents && <Change by={slower} text={`${msText(Math.abs(slower))} ms`} good="down" />,
      note: before(hadEvents, `${msText(previous.avg_response_time)} ms`),
      trend: trends.avg_response_time,
      onOpen: () => onOpen('averageResponseTime'),
    },
    {
      id: 'errors',
      label: 'Error rate',
      value: hasEvents ? formatPercent(dashboard.error_rate, 2) : '--',
      change: hasEvents && hadEvents && <Change by={worse} text={formatPoints(Math.abs(worse), 2)} good="down" />,
      note: before(hadEvents, formatPercent(previous.error_rate, 2)),
      trend: trends.error_rate,
      onOpen: () => onOpen('errorRate'),
    },
  ]
  const shown = hasEvents ? stats : stats.map(({ trend: _, ...stat }) => stat)
  return <StatStrip label="Figures" stats={shown} />
}
