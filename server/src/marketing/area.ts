import type { Area } from '#platform/area.ts'
import { withExports } from '#platform/exports/export.ts'
import { campaignRoutes } from './campaigns/campaign.routes.ts'
import { campaignHistory } from './campaigns/campaign-history.queries.ts'
import { createCampaignRoutes } from './campaigns/create-campaign.routes.ts'
import { marketingExports } from './exports.ts'
import { leadRoutes } from './leads/lead.routes.ts'
import { leadAnalyticsRoutes } from './leads/lead-analytics.routes.ts'
import { eraseLeads, moveLeadsToCustomer } from './leads/lead-customer.queries.ts'
import { leadHistory } from './leads/lead-history.queries.ts'
import { leadMergeRoutes } from './leads/lead-merge.routes.ts'
import { leadStatusRoutes } from './leads/lead-status.routes.ts'
import { leadSources } from './leads/lead-timeline.queries.ts'
import { marketingJobs, marketingSchedules } from './meta/fetch-meta-lead.ts'
import { adsProbe } from './meta/meta.probe.ts'
import { metaHookRoutes } from './meta/meta-hook.routes.ts'
import { adChannel } from './meta/push-campaign.ts'
import { leadFileBatch, leadSyncRoutes, readLeadsForFile } from './sync/lead-sync.ts'

export const marketingArea: Area = {
  routes: () =>
    withExports(
      [
        ...leadRoutes,
        ...leadStatusRoutes,
        ...leadMergeRoutes,
        ...leadAnalyticsRoutes,
        ...leadSyncRoutes,
        ...metaHookRoutes,
        ...campaignRoutes,
        ...createCampaignRoutes,
      ],
      marketingExports,
    ),
  fileBatches: new Map([['leads', leadFileBatch]]),
  fileReaders: new Map([['leads', readLeadsForFile]]),
  jobs: marketingJobs,
  schedules: marketingSchedules,
  probes: [adsProbe],
  channels: adChannel,
  timeline: leadSources,
  histories: [leadHistory, campaignHistory],
  onErase: eraseLeads,
  onMerge: moveLeadsToCustomer,
}
