import { z } from 'zod'
import { type BodyOf, defineCall } from '#kit/call.ts'
import { Id, IdText, Version } from '#kit/values.ts'
import { LeadDetail, LeadStats, LeadStatus } from './lead.ts'

const merged = [409, 'This lead was merged into {name} already. Look again.'] as const

export const mergeLeads = defineCall({
  method: 'POST',
  path: '/api/marketing/leads/:id/merge',
  summary: 'Move everything of a second lead of the same person into this one; the second is no lead any more',
  permission: 'growth.tab',
  params: z.strictObject({ id: IdText }),
  body: z.strictObject({
    duplicateId: Id,
    /** Of the lead that stays. */
    version: Version.optional(),
    duplicateVersion: Version.optional(),
  }),
  reply: z.object({
    lead: LeadDetail,
    stats: LeadStats,
    moved: z.object({ notes: z.int(), steps: z.int(), answers: z.int() }),
  }),
  refusals: {
    not_found: [404, 'This lead does not exist.'],
    merged,
    stale: [409, 'Somebody changed one of these leads meanwhile. Look again.'],
    itself: [422, 'A lead cannot be merged into itself.'],
    two_customers: [
      409,
      'These leads became two customers, number {kept} and number {duplicate}. Merge the customers first.',
    ],
  },
})
export type MergeLeads = BodyOf<typeof mergeLeads>

interface Standing {
  status: LeadStatus
  createdAt: string
  convertedAt: string | null
}

/** Farther in the funnel is more; whoever is lost has less than anybody who is not. */
const rankOf = (status: LeadStatus) => (status === 'not_interested' ? -1 : LeadStatus.options.indexOf(status))

/** Does the duplicate's status stand after a merge? The farther one does, and of two conversions the first; else the kept one's. */
export function doesDuplicateStand(kept: Standing, duplicate: Standing): boolean {
  if (kept.convertedAt !== null && duplicate.convertedAt !== null) return duplicate.convertedAt < kept.convertedAt
  return rankOf(duplicate.status) > rankOf(kept.status)
}

/** Did the duplicate come first? Source and campaign belong to the first touch. */
export const didDuplicateComeFirst = (kept: Standing, duplicate: Standing): boolean =>
  duplicate.createdAt < kept.createdAt
