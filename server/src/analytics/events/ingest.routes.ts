import { ingestEvents } from '@limber/contract/analytics/events/event.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Route, serve } from '#platform/http/routes.ts'
import { eventSyncRoutes } from './event-sync.routes.ts'
import { EventIngest, type RejectedRow } from './ingest.ts'
import { recordRejectedEvents } from './record-rejected-events.ts'

/** The ingest endpoint for events of the customer product. */
export function ingestRoutes(): Route[] {
  const ingest = new EventIngest()
  return [
    serve(
      ingestEvents,
      async ({ body, services, request }) => {
        const { written, duplicates, rejected } = await ingest.store(services, body.events)
        if (rejected.length > 0) await recordRejectedEvents(services, request, body.events.length, rejected)
        if (rejected.length === body.events.length) throw refuseAll(rejected)
        return {
          accepted: written,
          duplicates,
          rejected: rejected.map(({ index, id, error }) => ({ index, id, error })),
        }
      },
      { transaction: 'none' },
    ),
    ...eventSyncRoutes(ingest),
  ]
}

function refuseAll(rejected: readonly RejectedRow[]) {
  const code = rejected.some((row) => row.isMalformed) ? 'all_malformed' : 'all_refused'
  return refuse(ingestEvents, code, {
    values: { first: rejected[0]?.error ?? '' },
    fields: rejected.map(({ index, error }) => ({ path: `events.${index}`, text: error })),
  })
}
