import type { Route } from '#platform/http/routes.ts'
import { campaignRoutes } from './campaign.routes.ts'
import { createCampaignRoutes } from './create-campaign.routes.ts'
import { leadRoutes } from './lead.routes.ts'
import { leadAnalyticsRoutes } from './lead-analytics.routes.ts'
import { leadMergeRoutes } from './lead-merge.routes.ts'
import { leadStatusRoutes } from './lead-status.routes.ts'
import { metaHookRoutes } from './meta-hook.routes.ts'

export const marketingRoutes: readonly Route[] = [
  ...leadRoutes,
  ...leadStatusRoutes,
  ...leadMergeRoutes,
  ...leadAnalyticsRoutes,
  ...metaHookRoutes,
  ...campaignRoutes,
  ...createCampaignRoutes,
]
