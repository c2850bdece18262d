import { LeadStatus } from '@limber/contract/marketing/lead.ts'
import { LeadRange } from '@limber/contract/marketing/lead-analytics.ts'
import { z } from 'zod'

/** What the URL of the leads keeps. */
export const LeadSearch = z.object({
  q: z.string().max(100).catch(''),
  status: LeadStatus.or(z.literal('')).catch(''),
  /** A worker's id, `me` or `none`. */
  assignee: z
    .string()
    .regex(/^(me|none|[1-9]\d{0,15})?$/)
    .catch(''),
  campaign: z.coerce.number().int().min(0).catch(0),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
  lead: z.coerce.number().int().min(0).catch(0),
  range: LeadRange.catch('30d'),
  panel: z.enum(['', 'analytics']).catch(''),
})
export type LeadSearch = z.output<typeof LeadSearch>
export type ChangeSearch = (change: Partial<LeadSearch>, how?: { replace?: boolean }) => void
