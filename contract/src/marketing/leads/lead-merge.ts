import { z } from 'zod'
import { type BodyOf, defineCall, staleRefusal } from '#kit/call.ts'
import { Id, IdText, Version } from '#kit/values.ts'
import { type Lead, LeadDetail, type LeadField, LeadStats, LeadStatus, leadFields } from './lead.ts'

const merged = [409, 'This lead was merged into {name}. Reload and try again.'] as const

export const mergeLeads = defineCall({
  method: 'POST',
  path: '/api/marketing/leads/:id/merge',
  summary: 'Merge a duplicate lead of the same person into this one',
  permission: 'growth.tab',
  params: z.strictObject({ id: IdText }),
  body: z.strictObject({
    duplicateId: Id,
    /** The version of the kept lead. */
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
      'These leads belong to two customers, number {kept} and number {duplicate}. Merge the customers first.',
    ],
  },
})
export type MergeLeads = BodyOf<typeof mergeLeads>

/** The part of a lead that the merge rules read. */
export type MergeableLead = Pick<Lead, LeadField | 'status' | 'createdAt' | 'convertedAt' | 'firstResponseAt'> &
  Record<'assignee' | 'customer', unknown>

type Side = 'kept' | 'duplicate'
/** `status` includes its time, conversion and reason; `arrival` includes who created the lead. */
export type MergeSides = Record<LeadField | 'customer' | 'assignee' | 'firstResponse' | 'status' | 'arrival', Side>

/** A later funnel step ranks higher; a lost lead ranks lowest. */
const rankOf = (status: LeadStatus) => (status === 'not_interested' ? -1 : LeadStatus.options.indexOf(status))

/** The status further down the funnel wins; of two conversions, the earlier one; in a tie, the kept lead's. */
function usesDuplicateStatus(kept: MergeableLead, duplicate: MergeableLead): boolean {
  if (kept.convertedAt !== null && duplicate.convertedAt !== null) return duplicate.convertedAt < kept.convertedAt
  return rankOf(duplicate.status) > rankOf(kept.status)
}

function usesDuplicateResponse(kept: MergeableLead, duplicate: MergeableLead): boolean {
  if (duplicate.firstResponseAt === null) return false
  return kept.firstResponseAt === null || duplicate.firstResponseAt < kept.firstResponseAt
}

/** Decides which of the two leads supplies each part of the result. Used by the server and by the preview dialog. */
export function mergeSides(kept: MergeableLead, duplicate: MergeableLead): MergeSides {
  const side = (isDuplicates: boolean): Side => (isDuplicates ? 'duplicate' : 'kept')
  // Only empty values are filled in; nothing is overwritten.
  const fillFrom = (part: LeadField | 'customer') => side(!kept[part] && !!duplicate[part])
  const status = side(usesDuplicateStatus(kept, duplicate))
  const [statusLead, otherLead] = status === 'kept' ? [kept, duplicate] : [duplicate, kept]
  // The person arrived once, with the earlier lead.
  const arrival = side(duplicate.createdAt < kept.createdAt)
  const fields = leadFields.map(({ name, merge }) => [name, merge === 'fill' ? fillFrom(name) : arrival])
  return {
    ...(Object.fromEntries(fields) as Record<LeadField, Side>),
    customer: fillFrom('customer'),
    status,
    // The worker who got the lead this far keeps it.
    assignee: side((otherLead.assignee && !statusLead.assignee ? otherLead : statusLead) === duplicate),
    arrival,
    firstResponse: side(usesDuplicateResponse(kept, duplicate)),
  }
}

/** The editable fields of the merged lead. */
export const mergeFields = <L extends Pick<Lead, LeadField>>(sides: MergeSides, kept: L, duplicate: L) =>
  Object.fromEntries(leadFields.map(({ name }) => [name, (sides[name] === 'kept' ? kept : duplicate)[name]])) as Pick<
    L,
    LeadField
  >

/** The kept lead after the merge, as the dialog shows it. */
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

/** Merging leads must not merge two customers. */
export const areTwoCustomers = (kept: Pick<LeadDetail, 'customer'>, duplicate: Pick<LeadDetail, 'customer'>): boolean =>
  kept.customer !== null && duplicate.customer !== null && kept.customer.id !== duplicate.customer.id
