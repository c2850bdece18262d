import type { Dashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import {
  exportUsageFigure,
  listUsageFigure,
  usageFigures,
  usageRatios,
} from '@limber/contract/analytics/dashboard/usage-figure.ts'
import { formatInteger, formatPercent } from '@limber/contract/kit/formats/numbers.ts'
import { CustomerLink } from '#support/public.tsx'
import { FigureDialog, type FigureSet } from '#ui/figures/figure-dialog.tsx'
import type { OpenFigure } from '#ui/figures/use-figure.ts'
import { actionLabel } from '../action-label.ts'
import { msText, spanText } from '../labels.ts'

const set: FigureSet = {
  counted: usageFigures,
  ratios: usageRatios,
  list: listUsageFigure,
  file: exportUsageFigure,
  key: ['analytics', 'dashboard'],
  text: (name, value) => (name === 'responseTime' ? `${msText(value ?? 0)} ms` : formatInteger(value ?? 0)),
  nameOf: (name, row) =>
    row.userId === null ? (
      name === 'uniqueUsers' ? (
        row.name
      ) : (
        actionLabel(row.name)
      )
    ) : (
      <CustomerLink id={row.userId}>{row.name}</CustomerLink>
    ),
}

interface Props {
  state: OpenFigure
  dashboard: Dashboard
  action: string
}

/** The definition of a usage figure, and the action types or users behind it. */
export default function UsageFigure({ state, dashboard, action }: Props) {
  const { span, zone, total_events, avg_response_time, error_rate } = dashboard
  return (
    <FigureDialog
      set={set}
      query={{ timeframeEvents: span.timeframe, actionTypeFilter: action }}
      values={{
        averageResponseTime: total_events > 0 ? `${msText(avg_response_time)} ms` : '--',
        errorRate: total_events > 0 ? formatPercent(error_rate, 2) : '--',
      }}
      context={action && `Action type: ${actionLabel(action)}`}
      period={spanText(span.timeframe, span.from, span.to, zone)}
      {...state}
    />
  )
}
