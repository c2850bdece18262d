import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Day, Id } from '#kit/values.ts'
import { Conversion } from './conversion.ts'
import { LeadSource, LeadStep } from './lead.ts'
import { LeadRange } from './lead-range.ts'

const permission = 'growth.tab' as const
const query = z.strictObject({ timeRange: LeadRange.default('30d') })

/** Rates are percentages from 0 to 100, and 0 without leads. */
export const readLeadAnalytics = defineCall({
  method: 'GET',
  path: '/api/marketing/analytics',
  summary: 'Lead conversion in a time range, by source and by campaign, and the lead flow',
  permission,
  query,
  reply: z.object({
    ...Conversion.shape,
    /** Average days from creation to conversion, over leads converted in the range; 0 without any. */
    avg_time_to_convert: z.number(),
    top_sources: z.array(z.object({ name: z.string(), source: LeadSource, count: z.int(), percentage: z.number() })),
    conversion_by_campaign: z.array(z.object({ id: Id, name: z.string(), ...Conversion.shape })),
    lead_flow: z.object({
      /** The first day of each point. */
      labels: z.array(Day),
      new: z.array(z.int()),
      contacted: z.array(z.int()),
      converted: z.array(z.int()),
    }),
    /** Median minutes until the first response; null without any. */
    first_response_minutes: z.number().nullable(),
  }),
})
export type LeadAnalytics = ReplyOf<typeof readLeadAnalytics>

export const FunnelStep = z.object({
  status: LeadStep,
  /** Leads of the range that reached this step or a later one; for Converted, those that are converted now. */
  reached: z.int(),
  /** Leads of the range that are in this step now. */
  here: z.int(),
  /** Median hours in this step, over leads that left it; null without any. */
  hours: z.number().nullable(),
})
export type FunnelStep = z.infer<typeof FunnelStep>

export const readLeadFunnel = defineCall({
  method: 'GET',
  path: '/api/marketing/funnel',
  summary: 'How far the leads of a time range got, and how long each step takes',
  permission,
  query,
  reply: z.object({
    steps: z.array(FunnelStep),
    conversion: Conversion,
    lost: z.object({ count: z.int(), reasons: z.array(z.object({ reason: z.string(), count: z.int() })) }),
  }),
})
export type LeadFunnel = ReplyOf<typeof readLeadFunnel>
