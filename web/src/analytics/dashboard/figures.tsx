import type { Dashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import { formatInteger, formatPercent, formatPoints } from '@limber/contract/kit/formats/numbers.ts'
import { Change } from '#ui/charts/change.tsx'
import { type Stat, StatStrip } from '#ui/charts/stat-strip.tsx'
import { msText } from '../words.ts'

/** What shows as no change is none. */
const seen = (difference: number, decimals: number) => Number(difference.toFixed(decimals))

function relative(now: number, before: number) {
  if (before === 0) return undefined
  const percent = seen(((now - before) / before) * 100, 1)
  return <Change by={percent} text={formatPercent(Math.abs(percent), 1)} />
}

// The last step is still going on: counted so far, it would look like a fall.
const finished = (counts: readonly number[]) => counts.slice(0, -1)

const before = (isAny: boolean, text: string) => (isAny ? `${text} before` : 'none before')

/** The four figures with their change against the period before. */
export function Figures({ dashboard }: { dashboard: Dashboard }) {
  const { previous, trends } = dashboard
  const wasThere = previous.total_events > 0
  const isThere = dashboard.total_events > 0
  const slower = seen(dashboard.avg_response_time - previous.avg_response_time, 1)
  const worse = seen(dashboard.error_rate - previous.error_rate, 2)
  const stats: Stat[] = [
    {
      id: 'events',
      label: 'Total events',
      value: formatInteger(dashboard.total_events),
      change: relative(dashboard.total_events, previous.total_events),
      note: before(wasThere, formatInteger(previous.total_events)),
      trend: finished(trends.total_events),
    },
    {
      id: 'users',
      label: 'Unique users',
      value: formatInteger(dashboard.unique_users),
      change: relative(dashboard.unique_users, previous.unique_users),
      note: before(previous.unique_users > 0, formatInteger(previous.unique_users)),
      trend: finished(trends.unique_users),
    },
    {
      id: 'time',
      label: 'Average response time',
      value: isThere ? msText(dashboard.avg_response_time) : '--',
      ...(isThere ? { unit: 'ms' } : {}),
      change: isThere && wasThere && <Change by={slower} text={`${msText(Math.abs(slower))} ms`} good="down" />,
      note: before(wasThere, `${msText(previous.avg_response_time)} ms`),
      trend: trends.avg_response_time,
    },
    {
      id: 'errors',
      label: 'Error rate',
      value: isThere ? formatPercent(dashboard.error_rate, 2) : '--',
      change: isThere && wasThere && <Change by={worse} text={formatPoints(Math.abs(worse), 2)} good="down" />,
      note: before(wasThere, formatPercent(previous.error_rate, 2)),
      trend: trends.error_rate,
    },
  ]
  const shown = isThere ? stats : stats.map(({ trend: _, ...stat }) => stat)
  return <StatStrip label="Figures" stats={shown} />
}
