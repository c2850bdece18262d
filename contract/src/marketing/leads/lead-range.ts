import { z } from 'zod'

/** Full days in the company's time zone including today, by creation date of the lead. */
export const LeadRange = z.enum(['7d', '30d', '90d', '1y'])
export type LeadRange = z.infer<typeof LeadRange>

export const leadRangeLabels: Record<LeadRange, string> = {
  '7d': 'Last 7 Days',
  '30d': 'Last 30 Days',
  '90d': 'Last 90 Days',
  '1y': 'Last Year',
}
