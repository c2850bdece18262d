import { CampaignPhase } from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { z } from 'zod'

/** The search parameters of the campaigns screen. */
export const CampaignSearch = z.object({
  q: z.string().max(100).catch(''),
  status: CampaignPhase.or(z.literal('')).catch(''),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
  /** A zone or city to start a campaign for. */
  place: z.string().max(120).catch(''),
  campaign: z.coerce.number().int().min(0).catch(0),
})
