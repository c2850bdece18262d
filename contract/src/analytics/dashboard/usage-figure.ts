import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { type FigureDefinition, figurePage, figureReply } from '#kit/figure.ts'
import { ActionFilter, Timeframe } from '../events/event.ts'

/** The figures of the Analytics Dashboard. */
export const usageFigures = {
  totalEvents: { label: 'Total events', formula: 'Usage events in the timeframe, by action type.', unit: 'events' },
  uniqueUsers: { label: 'Unique users', formula: 'Customers and workers with at least one event in the timeframe.' },
  responseTime: {
    label: 'Response time',
    formula: 'Milliseconds that all events of the timeframe took together, by action type.',
    unit: 'milliseconds',
  },
  failedEvents: {
    label: 'Failed events',
    formula: 'Events of the timeframe that failed, by action type.',
    unit: 'events',
  },
} as const satisfies Record<string, FigureDefinition>

export type UsageFigure = keyof typeof usageFigures
const UsageFigure = z.enum(Object.keys(usageFigures) as [UsageFigure, ...UsageFigure[]])

/** Figures calculated from other figures. */
export const usageRatios = {
  averageResponseTime: {
    label: 'Average response time',
    formula: 'Response time of all events, divided by their number.',
    parts: ['responseTime', 'totalEvents'],
    signs: ['÷'],
  },
  errorRate: {
    label: 'Error rate',
    formula: 'Failed events, divided by all events.',
    parts: ['failedEvents', 'totalEvents'],
    signs: ['÷'],
  },
} as const satisfies Record<string, FigureDefinition & { parts: readonly UsageFigure[] }>

export const listUsageFigure = defineCall({
  method: 'GET',
  path: '/api/analytics/figures/:figure',
  summary: 'The action types or users behind a usage figure',
  permission: 'analytics.view',
  params: z.strictObject({ figure: UsageFigure }),
  query: z.strictObject({ timeframeEvents: Timeframe.default('week'), actionTypeFilter: ActionFilter, ...figurePage }),
  reply: z.object(figureReply),
})

export const exportUsageFigure = exportCall(listUsageFigure, 'usage-figure')
