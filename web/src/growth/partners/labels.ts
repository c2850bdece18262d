import type { PartnerStatus } from '@limber/contract/growth/partners/partner.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const statusLabels: Record<PartnerStatus, string> = {
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

export const tableLabels: Record<PartnerStatus, { title: string; empty: string }> = {
  contacted: { title: 'Contacted', empty: 'No businesses contacted' },
  pending: { title: 'Pending 90-Day Pilot', empty: 'No businesses pending' },
  active: { title: 'Active Businesses', empty: 'No businesses active' },
  inactive: { title: 'Inactive Businesses', empty: 'No businesses inactive' },
}

/** The default text of an outreach email. */
export const OUTREACH_TEMPLATE = `Hello,

We bring one-on-one stretching to the workplace: a trained stretcher, a table, and sessions of 10 to 20 minutes between meetings. No one needs to change clothes or leave the building.

New partners start with a 90-day pilot. You choose a room and a day, and we take care of the rest. At the end you get a report on how many people came and how they rated it.

Would you have time for a short call next week?

Best regards,
The Limber team`
