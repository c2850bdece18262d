import { exportUsageFigure, usageFigures } from '@limber/contract/analytics/dashboard/usage-figure.ts'
import { exportEvents } from '@limber/contract/analytics/events/event.ts'
import { exporting, walkAfter } from '#platform/exports/export.ts'
import { figureColumns, figureFile } from '#platform/figures/figure.queries.ts'
import { readFilter } from './dashboard/dashboard.routes.ts'
import { companyTime } from './dashboard/local-time.rules.ts'
import { windowOf } from './dashboard/window.rules.ts'
import { presentEvent } from './events/event.present.ts'
import { type EventRow, findEventsAfter } from './events/event.queries.ts'

export const analyticsExports = [
  exporting(exportUsageFigure, {
    rows: ({ rows }) => rows,
    columns: figureColumns,
    file: ({ params: { figure } }) => figureFile(usageFigures[figure]),
  }),
  exporting(exportEvents, {
    rows: ({ events }) => events,
    async *batches({ query: { timeframeEvents, actionTypeFilter }, db, now }, limit) {
      const { daysFrom, to } = windowOf(timeframeEvents, now, companyTime).current
      const page = { from: new Date(daysFrom), to: new Date(to), type: readFilter(actionTypeFilter), limit }
      for await (const rows of walkAfter<EventRow>(limit, (last) => findEventsAfter(db, { ...page, last })))
        yield rows.map(presentEvent)
    },
    columns: {
      id: 'ID',
      createdAt: 'Time',
      action_type: 'Action',
      event_outcome: 'Outcome',
      method: 'Method',
      url: 'URL',
      path: 'Path',
      response_status: 'Status',
      response_time: 'Milliseconds',
      ip_address: 'IP address',
      source: 'Source',
      user_id: 'Customer ID',
      user: [
        ['User kind', (user) => user?.kind],
        ['User ID', (user) => user?.id],
        ['User', (user) => user?.name],
      ],
    },
  }),
]
