import { type LeadStatus, LeadStep } from '@limber/contract/marketing/leads/lead.ts'

const order: readonly LeadStatus[] = LeadStep.options

/** The position of a status in the funnel, from 1. Not Interested counts as 1. */
export const funnelPosition = (status: LeadStatus): number => Math.max(1, order.indexOf(status) + 1)

/** The furthest step a lead reached. A conversion counts only while the lead is converted. */
export const furthestPosition = (passed: readonly LeadStatus[], standing: LeadStatus): number =>
  Math.max(...[standing, ...passed.filter((status) => status !== 'converted')].map(funnelPosition))
