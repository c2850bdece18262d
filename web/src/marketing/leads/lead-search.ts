import { LeadStatus, LeadStep } from '@limber/contract/marketing/leads/lead.ts'
import { LeadRange } from '@limber/contract/marketing/leads/lead-range.ts'
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
  /** The range of funnel and analytics; `DEFAULT_RANGE` unless told. */
  range: LeadRange.or(z.literal('')).catch(''),
  /** Leads of the range that a step of the funnel counts: those who came to it, or those who are there now. */
  reached: LeadStep.or(z.literal('')).catch(''),
  standing: LeadStatus.or(z.literal('')).catch(''),
  panel: z.enum(['', 'analytics']).catch(''),
})
export type LeadSearch = z.output<typeof LeadSearch>

export const DEFAULT_RANGE: LeadRange = '30d'

/** Which leads a number of the funnel counts. */
export type FunnelPart = Pick<LeadSearch, 'reached' | 'standing'>

/** Nothing narrows the list. */
export const noFilter = { q: '', status: '', assignee: '', campaign: 0, reached: '', standing: '', page: 1 } as const

export type ChangeSearch = (change: Partial<LeadSearch>, how?: { replace?: boolean }) => void
