import { exportErrors, exportOccurrences } from '@limber/contract/tech/errors/error-log.ts'
import { exportIntegrations } from '@limber/contract/tech/integrations/integration.ts'
import { exporting, NO_COLUMN } from '#platform/exports/export.ts'

export const techExports = [
  exporting(exportErrors, {
    rows: ({ groups }) => groups,
    columns: {
      id: 'ID',
      source: 'Source',
      method: 'Method',
      path: 'Path',
      status: 'Status',
      state: 'State',
      count: 'Count',
      people: 'People',
      trend: NO_COLUMN,
      firstSeen: 'First seen',
      lastSeen: 'Last seen',
      total: 'Total count',
      newest: [
        ['Code', ({ code }) => code],
        ['Text', ({ text }) => text],
        ['Cause', ({ cause }) => cause],
      ],
      handled: [
        ['Handled', (handled) => handled?.at],
        ['Handled by', (handled) => handled?.by],
        ['Note', (handled) => handled?.note],
      ],
      reopenedAt: 'Reopened',
      timesReopened: 'Times reopened',
      version: NO_COLUMN,
    },
  }),
  exporting(exportOccurrences, {
    rows: ({ occurrences }) => occurrences,
    next: ({ next }) => next,
    columns: {
      id: 'ID',
      at: 'Time',
      url: 'URL',
      ms: 'Milliseconds',
      address: 'IP address',
      requestId: 'Request ID',
      person: [
        ['Person', (person) => person?.kind],
        ['Person ID', (person) => person?.id],
        ['Name', (person) => person?.name],
      ],
      code: 'Code',
      text: 'Text',
      cause: 'Cause',
    },
  }),
  exporting(exportIntegrations, {
    rows: ({ events }) => events,
    next: ({ next }) => next,
    columns: {
      direction: 'Direction',
      id: 'ID',
      kind: 'Kind',
      status: 'Status',
      about: 'About',
      at: 'Time',
      tries: 'Attempts',
      nextTryAt: 'Next attempt',
      lastError: 'Last error',
    },
  }),
]
