import { type LeadStatus, LeadStep } from '@limber/contract/marketing/leads/lead.ts'

const order: readonly LeadStatus[] = LeadStep.options

/** How far a status lies in the funnel, counted from 1. Losing interest takes nobody farther. */
export const farOf = (status: LeadStatus): number => Math.max(1, order.indexOf(status) + 1)

/** How far a lead came: a conversion counts only while it stands. */
export const farthestOf = (passed: readonly LeadStatus[], standing: LeadStatus): number =>
  Math.max(...[standing, ...passed.filter((status) => status !== 'converted')].map(farOf))
