import { paginate } from '@limber/contract/kit/page.ts'
import { conversionOf } from '@limber/contract/marketing/leads/conversion.ts'
import {
  convertLead,
  createLead,
  type LeadDetail,
  type LeadStats,
  listLeadCampaigns,
  listLeads,
  listLeadWorkers,
  noteLead,
  readLead,
  setLeadStatus,
  undoConversion,
} from '@limber/contract/marketing/leads/lead.ts'
import {
  type LeadAnalytics,
  type LeadFunnel,
  readLeadAnalytics,
  readLeadFunnel,
} from '@limber/contract/marketing/leads/lead-analytics.ts'
import { FakeServer } from '#platform/testing/testing.tsx'

export const makeLead = (over: Partial<LeadDetail> = {}): LeadDetail => ({
  id: 12,
  first_name: 'Robin',
  last_name: 'Vega',
  email: 'robin.vega@example.com',
  phone: null,
  source: 'facebook_lead_ad',
  campaign_id: null,
  campaign: null,
  status: 'new',
  createdAt: '2026-11-10T09:00:00.000Z',
  statusSince: '2026-11-10T09:00:00.000Z',
  firstResponseAt: null,
  convertedAt: null,
  lostReason: null,
  assignee: null,
  customer: null,
  version: 3,
  notes: [],
  createdBy: null,
  steps: [
    {
      ...{ id: 1, status: 'new', enteredAt: '2026-11-10T09:00:00.000Z', leftAt: null, worker: null, reason: null },
      endedByMerge: false,
    },
  ],
  merged: [],
  duplicates: [],
  answers: [],
  bookings: null,
  ...over,
})

export const figures: LeadAnalytics = {
  ...conversionOf(1, 8),
  avg_time_to_convert: 4.26,
  top_sources: [{ name: 'Website', source: 'website', count: 8, percentage: 80 }],
  // Campaign names need not be unique.
  conversion_by_campaign: [
    { id: 1, name: 'Spring', ...conversionOf(1, 4) },
    { id: 2, name: 'Spring', ...conversionOf(0, 3) },
  ],
  lead_flow: { labels: ['2026-11-09', '2026-11-10'], new: [4, 6], contacted: [2, 3], converted: [0, 1] },
  first_response_minutes: 95,
}

export const funnel: LeadFunnel = {
  steps: [
    { status: 'new', reached: 10, here: 3, hours: 5 },
    { status: 'onboarding_started', reached: 8, here: 0, hours: null },
    { status: 'onboarding_completed', reached: 7, here: 0, hours: 30 },
    { status: 'contacted', reached: 6, here: 2, hours: 50 },
    { status: 'converted', reached: 1, here: 1, hours: null },
  ],
  conversion: conversionOf(1, 10),
  lost: { count: 4, reasons: [{ reason: 'Too expensive', count: 3 }] },
}

const stats: LeadStats = { new: 5, contacted: 4, converted: 3, not_interested: 2 }

/** A fake server with one lead that it changes like the real one. */
export function fakeLeads(lead = makeLead()) {
  const state = { lead }
  const server = new FakeServer()
    .answer(listLeads, ({ query }) => {
      const leads = query.status === '' || query.status === state.lead.status ? [state.lead] : []
      return { leads, stats, pagination: paginate(1, 50, leads.length) }
    })
    .answer(readLead, () => ({ lead: state.lead }))
    .answer(listLeadWorkers, [{ id: 9, name: 'Devon Okoye', open: 4 }])
    .answer(listLeadCampaigns, [{ id: 1, name: 'Spring' }])
    .answer(readLeadAnalytics, figures)
    .answer(readLeadFunnel, funnel)
    .answer(setLeadStatus, ({ body }) => {
      state.lead = {
        ...state.lead,
        status: body.status,
        lostReason: body.reason ?? null,
        version: state.lead.version + 1,
      }
      return { lead: state.lead, stats }
    })
    .answer(convertLead, () => {
      const convertedAt = new Date().toISOString()
      state.lead = { ...state.lead, status: 'converted', convertedAt, version: state.lead.version + 1 }
      return { lead: state.lead, stats }
    })
    .answer(undoConversion, () => {
      state.lead = { ...state.lead, status: 'new', convertedAt: null, version: state.lead.version + 1 }
      return { lead: state.lead, stats }
    })
    .answer(noteLead, ({ body }) => {
      const note = {
        id: 1,
        worker_id: 7,
        worker: 'Priya Raman',
        timestamp: '2026-11-10T10:00:00.000Z',
        content: body.note,
      }
      state.lead = { ...state.lead, notes: [...state.lead.notes, note] }
      return state.lead
    })
    .answer(createLead, ({ body }) => {
      const { first_name, last_name, email, phone } = body
      state.lead = makeLead({ id: 13, first_name, last_name, email, phone })
      return { lead: state.lead, stats }
    })
  return { server, state }
}
