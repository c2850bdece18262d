import { readLeadAnalytics, readLeadFunnel } from '@limber/contract/marketing/leads/lead-analytics.ts'
import { serve } from '#platform/http/routes.ts'
import { presentAnalytics, presentFunnel } from './lead-analytics.present.ts'
import {
  countCohort,
  countContacted,
  countConversions,
  countReached,
  findFirstResponse,
  findLostReasons,
  findStepHours,
} from './lead-analytics.queries.ts'
import { windowOf } from './lead-range.rules.ts'

const MAX_REASONS = 8

export const leadAnalyticsRoutes = [
  serve(readLeadAnalytics, async ({ query, db, now }) => {
    const window = windowOf(query.timeRange, now)
    return presentAnalytics(window, {
      cohort: await countCohort(db, window),
      conversions: await countConversions(db, window),
      contacted: await countContacted(db, window),
      firstResponse: await findFirstResponse(db, window),
    })
  }),

  serve(readLeadFunnel, async ({ query, db, now }) => {
    const window = windowOf(query.timeRange, now)
    return presentFunnel({
      reached: await countReached(db, window),
      reasons: await findLostReasons(db, window, MAX_REASONS),
      stepHours: await findStepHours(db, window),
    })
  }),
]
