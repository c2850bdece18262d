import { z } from 'zod'

/** Whole days of the company, today included, by when a lead came. */
export const LeadRange = z.enum(['7d', '30d', '90d', '1y'])
export type LeadRange = z.infer<typeof LeadRange>

/** What a person reads for a range. */
export const leadRangeWords: Record<LeadRange, string> = {
  '7d': 'Last 7 Days',
  '30d': 'Last 30 Days',
  '90d': 'Last 90 Days',
  '1y': 'Last Year',
}
