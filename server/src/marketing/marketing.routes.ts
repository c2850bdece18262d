import type { Route } from '#platform/http/routes.ts'
import { campaignRoutes } from './campaigns/campaign.routes.ts'
import { createCampaignRoutes } from './campaigns/create-campaign.routes.ts'
import { leadRoutes } from './leads/lead.routes.ts'
import { leadAnalyticsRoutes } from './leads/lead-analytics.routes.ts'
import { leadMergeRoutes } from './leads/lead-merge.routes.ts'
import { leadStatusRoutes } from './leads/lead-status.routes.ts'
import { metaHookRoutes } from './meta/meta-hook.routes.ts'

export const marketingRoutes: readonly Route[] = [
  ...leadRoutes,
  ...leadStatusRoutes,
  ...leadMergeRoutes,
  ...leadAnalyticsRoutes,
  ...metaHookRoutes,
  ...campaignRoutes,
  ...createCampaignRoutes,
]
