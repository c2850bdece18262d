import {
  type EditLead,
  type LeadField,
  type LeadStatus,
  type LeadStep,
  leadFieldNames,
  undoConversionUntil,
} from '@limber/contract/marketing/leads/lead.ts'

/** The display name. Not every form asks for a name. */
export const nameOf = (lead: { first_name: string; last_name: string; email: string | null; phone: string | null }) =>
  `${lead.first_name} ${lead.last_name}`.trim() || lead.email || lead.phone || 'Unknown'

export const canBeUndone = (convertedAt: Date, now: Date) =>
  now <= (undoConversionUntil({ convertedAt: convertedAt.toISOString() }) ?? now)

interface Filter {
  pattern: string | undefined
  status: LeadStatus | 'open' | ''
  assignee: number | 'none' | ''
  campaign: number | ''
  created: object | undefined
  reached: LeadStep | ''
}

/** The number of matching leads, if the status counts already tell; otherwise undefined. */
export function totalOf(counts: Record<LeadStatus, number>, filter: Filter): number | undefined {
  const { pattern, status, assignee, campaign, created, reached } = filter
  if (pattern !== undefined || assignee !== '' || campaign !== '' || status === 'open' || created || reached !== '')
    return undefined
  return status ? counts[status] : Object.values(counts).reduce((sum, count) => sum + count, 0)
}

type Change = Omit<EditLead, 'version'>

/** The fields of an edit that differ from the lead, and what they were. */
export function changesOf(before: Record<LeadField, unknown>, edit: Change) {
  const changed = leadFieldNames.filter((field) => edit[field] !== undefined && edit[field] !== before[field])
  const change: Change = Object.fromEntries(changed.map((field) => [field, edit[field]]))
  return { change, was: Object.fromEntries(changed.map((field) => [field, before[field]])) }
}
