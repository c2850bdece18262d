import type { PartnerStatus } from '@limber/contract/growth/partners/partner.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const statusWords: Record<PartnerStatus, string> = {
  contacted: 'Contacted',
  pending: 'Pending 90-Day Pilot',
  active: 'Active',
  inactive: 'Inactive',
}

export const statusMeaning: Record<PartnerStatus, Meaning> = {
  contacted: 'blue',
  pending: 'amber',
  active: 'green',
  inactive: 'plain',
}

export const tableWords: Record<PartnerStatus, { title: string; empty: string }> = {
  contacted: { title: 'Contacted', empty: 'No businesses contacted' },
  pending: { title: 'Pending 90-Day Pilot', empty: 'No businesses pending' },
  active: { title: 'Active Businesses', empty: 'No businesses active' },
  inactive: { title: 'Inactive Businesses', empty: 'No businesses inactive' },
}

/** What an outreach mail says until somebody writes their own. */
export const OUTREACH_TEMPLATE = `Hello,

we bring one-on-one stretching to the workplace: a trained stretcher, a table, and sessions of ten to twenty minutes between two meetings. Nobody needs to change or to leave the building.

New partners begin with a 90-day pilot. You name a room and a day; we see to the rest, and at the end you have figures on how many people came and what they thought of it.

Would a short call next week suit you?

Kind regards,
the Limber team`
