import { z } from 'zod'
import { type BodyOf, defineCall, staleRefusal } from '#kit/call.ts'
import { Id, IdText, Version } from '#kit/values.ts'
import { type Lead, LeadDetail, type LeadField, LeadStats, LeadStatus, leadFields } from './lead.ts'

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
    stale: staleRefusal('one of these leads', LeadDetail),
    itself: [422, 'A lead cannot be merged into itself.'],
    two_customers: [
      409,
      'These leads became two customers, number {kept} and number {duplicate}. Merge the customers first.',
    ],
  },
})
export type MergeLeads = BodyOf<typeof mergeLeads>

/** What the rules of a merge look at. */
export type MergeableLead = Pick<Lead, LeadField | 'status' | 'createdAt' | 'convertedAt' | 'firstResponseAt'> &
  Record<'assignee' | 'customer', unknown>

type Side = 'kept' | 'duplicate'
/** `status` brings its time, conversion and reason; `arrival` brings who entered the lead. */
export type MergeSides = Record<LeadField | 'customer' | 'assignee' | 'firstResponse' | 'status' | 'arrival', Side>

/** Farther in the funnel is more; whoever is lost has less than anybody who is not. */
const rankOf = (status: LeadStatus) => (status === 'not_interested' ? -1 : LeadStatus.options.indexOf(status))

/** Does the duplicate's status stand? The farther one does, and of two conversions the first; else the kept one's. */
function doesDuplicateStand(kept: MergeableLead, duplicate: MergeableLead): boolean {
  if (kept.convertedAt !== null && duplicate.convertedAt !== null) return duplicate.convertedAt < kept.convertedAt
  return rankOf(duplicate.status) > rankOf(kept.status)
}

function wasDuplicateAnsweredFirst(kept: MergeableLead, duplicate: MergeableLead): boolean {
  if (duplicate.firstResponseAt === null) return false
  return kept.firstResponseAt === null || duplicate.firstResponseAt < kept.firstResponseAt
}

/** From which of two leads each part of the merged one comes: the server decides by it, and the dialog shows it before. */
export function mergeSides(kept: MergeableLead, duplicate: MergeableLead): MergeSides {
  const side = (isDuplicates: boolean): Side => (isDuplicates ? 'duplicate' : 'kept')
  // What the kept lead lacks is filled in; nothing is written over.
  const lacks = (part: LeadField | 'customer') => side(!kept[part] && !!duplicate[part])
  const status = side(doesDuplicateStand(kept, duplicate))
  const [stays, goes] = status === 'kept' ? [kept, duplicate] : [duplicate, kept]
  // The person came once, with the first touch, and was answered once.
  const arrival = side(duplicate.createdAt < kept.createdAt)
  const fields = leadFields.map(({ name, merge }) => [name, merge === 'fill' ? lacks(name) : arrival])
  return {
    ...(Object.fromEntries(fields) as Record<LeadField, Side>),
    customer: lacks('customer'),
    status,
    // Whoever brought it this far goes on looking after it.
    assignee: side((goes.assignee && !stays.assignee ? goes : stays) === duplicate),
    arrival,
    firstResponse: side(wasDuplicateAnsweredFirst(kept, duplicate)),
  }
}

/** The edited fields of the merged lead, each from its side. */
export const mergeFields = <L extends Pick<Lead, LeadField>>(sides: MergeSides, kept: L, duplicate: L) =>
  Object.fromEntries(leadFields.map(({ name }) => [name, (sides[name] === 'kept' ? kept : duplicate)[name]])) as Pick<
    L,
    LeadField
  >

/** What the kept lead will be after the merge, as far as a dialog shows it. */
export function previewMerge(kept: LeadDetail, duplicate: LeadDetail) {
  const sides = mergeSides(kept, duplicate)
  const from = (part: keyof MergeSides) => (sides[part] === 'kept' ? kept : duplicate)
  const { status, statusSince, convertedAt, lostReason } = from('status')
  return {
    ...mergeFields(sides, kept, duplicate),
    ...{ id: kept.id, status, statusSince, convertedAt, lostReason },
    campaign: from('campaign_id').campaign,
    createdAt: from('arrival').createdAt,
    customer: from('customer').customer,
    assignee: from('assignee').assignee,
    firstResponseAt: from('firstResponse').firstResponseAt,
    notes: [...kept.notes, ...duplicate.notes].sort((a, b) => a.id - b.id),
  }
}

/** Two customers cannot become one by merging their leads. */
export const areTwoCustomers = (kept: Pick<LeadDetail, 'customer'>, duplicate: Pick<LeadDetail, 'customer'>): boolean =>
  kept.customer !== null && duplicate.customer !== null && kept.customer.id !== duplicate.customer.id
