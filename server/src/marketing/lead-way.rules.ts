import type { LeadStatus } from '@limber/contract/marketing/lead.ts'

/** The steps of the funnel in their order; who is not interested stays as far as they came. */
export const leadWay = ['new', 'onboarding_started', 'onboarding_completed', 'contacted', 'converted'] as const

const order: readonly LeadStatus[] = leadWay

/** How far a status lies on the way, counted from 1. */
export const farOf = (status: LeadStatus): number => Math.max(1, order.indexOf(status) + 1)
