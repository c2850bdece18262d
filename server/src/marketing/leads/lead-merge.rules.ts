import { personalOf } from '@limber/contract/kit/fields.ts'
import {
  type Lead,
  type LeadField,
  type LeadStatus,
  leadFieldNames,
  leadFields,
} from '@limber/contract/marketing/leads/lead.ts'
import {
  type MergeableLead,
  type MergeSides,
  mergeFields,
  mergeSides,
} from '@limber/contract/marketing/leads/lead-merge.ts'

/** The columns of a lead that a merge needs. */
export interface MergingLead extends Pick<Lead, LeadField> {
  id: number
  status: LeadStatus
  farthest: number
  assignee_id: number | null
  customer_id: number | null
  lost_reason: string | null
  created_by: number | null
  created_at: Date
  status_since: Date
  first_response_at: Date | null
  converted_at: Date | null
  leadgen_id: string | null
  answers: { name: string; value: string }[]
  version: number
}

/** The columns of the merged lead. */
export type Combined = Omit<MergingLead, 'id' | 'leadgen_id' | 'version'>

const mergeableOf = (lead: MergingLead): MergeableLead => ({
  ...lead,
  createdAt: lead.created_at.toISOString(),
  convertedAt: lead.converted_at?.toISOString() ?? null,
  firstResponseAt: lead.first_response_at?.toISOString() ?? null,
  assignee: lead.assignee_id,
  customer: lead.customer_id,
})

const isAnswered = (answers: MergingLead['answers'], one: MergingLead['answers'][number]) =>
  answers.some(({ name, value }) => name === one.name && value === one.value)

/** The merged lead, the id of the lead whose status is dropped, and the number of added answers. */
export function combine(kept: MergingLead, duplicate: MergingLead) {
  const sides = mergeSides(mergeableOf(kept), mergeableOf(duplicate))
  const from = (part: keyof MergeSides) => (sides[part] === 'kept' ? kept : duplicate)
  const stays = from('status')
  const first = from('arrival')
  const answers = duplicate.answers.filter((one) => !isAnswered(kept.answers, one))
  const lead: Combined = {
    ...mergeFields(sides, kept, duplicate),
    customer_id: from('customer').customer_id,
    answers: [...kept.answers, ...answers],
    assignee_id: from('assignee').assignee_id,
    status: stays.status,
    status_since: stays.status_since,
    converted_at: stays.converted_at,
    lost_reason: stays.lost_reason,
    farthest: Math.max(kept.farthest, duplicate.farthest),
    created_by: first.created_by,
    created_at: first.created_at,
    first_response_at: from('firstResponse').first_response_at,
  }
  const endedId = stays === kept ? duplicate.id : kept.id
  return { lead, endedId, answers: answers.length }
}

const personal: readonly LeadField[] = personalOf(leadFields)
const auditedFields = [
  ...leadFieldNames.filter((name) => !personal.includes(name)),
  'status',
  'assignee_id',
  'customer_id',
] as const

/** The changes of the kept lead for the audit log. Personal fields are listed by name only. */
export function mergeChanges(before: MergingLead, after: Combined) {
  const changed = auditedFields.filter((field) => before[field] !== after[field])
  const was = Object.fromEntries(changed.map((field) => [field, before[field]]))
  const is = Object.fromEntries(changed.map((field) => [field, after[field]]))
  const gained = personal.filter((field) => before[field] !== after[field])
  return { before: was, after: { ...is, ...(gained.length > 0 && { filled: gained }) } }
}
