import type { LeadSource, LeadStatus } from '@limber/contract/marketing/lead.ts'
import { didDuplicateComeFirst, doesDuplicateStand } from '@limber/contract/marketing/lead-merge.ts'

/** All of a lead that a merge looks at. */
export interface MergingLead {
  id: number
  first_name: string
  last_name: string
  email: string | null
  phone: string | null
  source: LeadSource
  campaign_id: number | null
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

/** What two leads come to. */
export type Combined = Omit<MergingLead, 'id' | 'leadgen_id' | 'version'>

const standingOf = ({ status, created_at, converted_at }: MergingLead) => ({
  status,
  createdAt: created_at.toISOString(),
  convertedAt: converted_at?.toISOString() ?? null,
})

function earlier(a: Date | null, b: Date | null): Date | null {
  if (!a || !b) return a ?? b
  return a < b ? a : b
}

const isAnswered = (answers: MergingLead['answers'], one: MergingLead['answers'][number]) =>
  answers.some(({ name, value }) => name === one.name && value === one.value)

/** The kept lead as it is with what the duplicate has, and which of the two has a status that does not stay. */
export function combine(kept: MergingLead, duplicate: MergingLead) {
  const pair = [standingOf(kept), standingOf(duplicate)] as const
  const [stays, goes] = doesDuplicateStand(...pair) ? [duplicate, kept] : [kept, duplicate]
  const first = didDuplicateComeFirst(...pair) ? duplicate : kept
  const answers = duplicate.answers.filter((one) => !isAnswered(kept.answers, one))
  const lead: Combined = {
    first_name: kept.first_name || duplicate.first_name,
    last_name: kept.last_name || duplicate.last_name,
    email: kept.email ?? duplicate.email,
    phone: kept.phone ?? duplicate.phone,
    customer_id: kept.customer_id ?? duplicate.customer_id,
    answers: [...kept.answers, ...answers],
    // Whoever brought it this far goes on looking after it.
    assignee_id: stays.assignee_id ?? goes.assignee_id,
    status: stays.status,
    status_since: stays.status_since,
    converted_at: stays.converted_at,
    lost_reason: stays.lost_reason,
    farthest: Math.max(kept.farthest, duplicate.farthest),
    // The person came once, with the first touch, and was answered once.
    source: first.source,
    campaign_id: first.campaign_id,
    created_by: first.created_by,
    created_at: first.created_at,
    first_response_at: earlier(kept.first_response_at, duplicate.first_response_at),
  }
  return { lead, endedId: goes.id, answers: answers.length }
}

const told = ['status', 'assignee_id', 'source', 'campaign_id', 'customer_id'] as const
const filled = ['first_name', 'last_name', 'email', 'phone'] as const

/** What a merge changed on the kept lead, for the audit log: values where they name nobody, else which were filled in. */
export function mergeChanges(before: MergingLead, after: Combined) {
  const changed = told.filter((field) => before[field] !== after[field])
  const was = Object.fromEntries(changed.map((field) => [field, before[field]]))
  const is = Object.fromEntries(changed.map((field) => [field, after[field]]))
  const gained = filled.filter((field) => before[field] !== after[field])
  return { before: was, after: { ...is, ...(gained.length > 0 && { filled: gained }) } }
}
