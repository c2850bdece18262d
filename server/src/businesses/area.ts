import type { Area } from '#platform/area.ts'
import { withExports } from '#platform/exports/export.ts'
import { blockRoutes } from './blocks/block.routes.ts'
import { blockHistory } from './blocks/block-history.queries.ts'
import { businessRoutes } from './business/business.routes.ts'
import { businessHistory } from './business/business-history.queries.ts'
import { onsiteCalendarRoutes } from './calendar/onsite-calendar.routes.ts'
import { allowedEmailRoutes } from './emails/allowed-email.routes.ts'
import { businessesExports } from './exports.ts'
import { calendarFeedRoutes } from './feeds/calendar-feed.routes.ts'
import { onsiteRoutes } from './sessions/onsite.routes.ts'
import { eraseParticipant, mergeParticipant } from './sessions/participant.queries.ts'
import { participantSources } from './sessions/participant-timeline.queries.ts'
import { sessionHistory } from './sessions/session-history.queries.ts'
import { businessFileBatches, businessFileReaders } from './sync/business-import.ts'
import { businessSyncRoutes } from './sync/business-sync.ts'
import { participantSyncRoutes } from './sync/participant-sync.ts'
import { sessionSyncRoutes } from './sync/session-sync.ts'
import { rezoneJob } from './zones/rezone.ts'
import { zoneRoutes } from './zones/zone.routes.ts'
import { zoneHistory } from './zones/zone-history.queries.ts'

export const businessesArea: Area = {
  routes: () =>
    withExports(
      [
        ...businessRoutes,
        ...blockRoutes,
        ...allowedEmailRoutes,
        ...onsiteRoutes,
        ...onsiteCalendarRoutes,
        ...calendarFeedRoutes,
        ...zoneRoutes,
        ...businessSyncRoutes,
        ...sessionSyncRoutes,
        ...participantSyncRoutes,
      ],
      businessesExports,
    ),
  fileBatches: businessFileBatches,
  fileReaders: businessFileReaders,
  jobs: [rezoneJob],
  timeline: participantSources,
  histories: [businessHistory, blockHistory, sessionHistory, zoneHistory],
  onErase: eraseParticipant,
  onMerge: mergeParticipant,
}
