import { pickFields } from '@limber/contract/kit/fields.ts'
import { type Lead, type LeadDetail, type LeadStats, leadFields } from '@limber/contract/marketing/leads/lead.ts'
import type { LeadDetailRow, LeadRow, StatusCounts } from './lead.queries.ts'

const moment = (text: string) => new Date(text).toISOString()

export const presentLead = (row: LeadRow): Lead => ({
  id: row.id,
  ...pickFields(leadFields, row),
  campaign: row.campaign,
  status: row.status,
  createdAt: row.created_at.toISOString(),
  statusSince: row.status_since.toISOString(),
  firstResponseAt: row.first_response_at?.toISOString() ?? null,
  convertedAt: row.converted_at?.toISOString() ?? null,
  lostReason: row.lost_reason,
  assignee: row.assignee,
  customer: row.customer,
  version: row.version,
  notes: row.notes.map(({ created_at, ...note }) => ({ ...note, timestamp: moment(created_at) })),
})

export const presentLeadDetail = (row: LeadDetailRow): LeadDetail => ({
  ...presentLead(row),
  createdBy: row.created_by,
  steps: row.steps.map(({ entered_at, left_at, ended_by_merge, ...step }) => ({
    ...step,
    endedByMerge: ended_by_merge,
    enteredAt: moment(entered_at),
    leftAt: left_at === null ? null : moment(left_at),
  })),
  merged: row.merged.map(({ created_at, merged_at, ...one }) => ({
    ...one,
    createdAt: moment(created_at),
    mergedAt: moment(merged_at),
  })),
  duplicates: row.duplicates.map(({ created_at, is_same_email, ...other }) => ({
    ...other,
    createdAt: moment(created_at),
    why: is_same_email ? 'same e-mail' : 'same phone',
  })),
  answers: row.answers,
  bookings: row.bookings && {
    total: row.bookings.total,
    completed: row.bookings.completed,
    firstAt: row.bookings.first_at === null ? null : moment(row.bookings.first_at),
  },
})

export const presentStats = ({ new: fresh, contacted, converted, not_interested }: StatusCounts): LeadStats => ({
  new: fresh,
  contacted,
  converted,
  not_interested,
})
