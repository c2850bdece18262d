import { LeadStatus, LeadStep } from '@limber/contract/marketing/leads/lead.ts'
import { LeadRange } from '@limber/contract/marketing/leads/lead-range.ts'
import { z } from 'zod'

/** The search parameters of the leads screen. */
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
  /** The time range of funnel and analytics; empty means `DEFAULT_RANGE`. */
  range: LeadRange.or(z.literal('')).catch(''),
  /** Filters by a funnel step: leads that reached it, or leads that are in it now (`standing`). */
  reached: LeadStep.or(z.literal('')).catch(''),
  standing: LeadStatus.or(z.literal('')).catch(''),
  panel: z.enum(['', 'analytics']).catch(''),
})
export type LeadSearch = z.output<typeof LeadSearch>

export const DEFAULT_RANGE: LeadRange = '30d'

/** The leads that a number in the funnel counts. */
export type FunnelPart = Pick<LeadSearch, 'reached' | 'standing'>

export const noFilter = { q: '', status: '', assignee: '', campaign: 0, reached: '', standing: '', page: 1 } as const

export type ChangeSearch = (change: Partial<LeadSearch>, how?: { replace?: boolean }) => void
