import { labelsOf } from '@limber/contract/kit/fields.ts'
import { exportCampaigns } from '@limber/contract/marketing/campaigns/campaign.ts'
import { exportLeads, leadFields } from '@limber/contract/marketing/leads/lead.ts'
import { exporting, listed, NO_COLUMN, walkAfter } from '#platform/exports/export.ts'
import { presentLead } from './leads/lead.present.ts'
import { findLeadsAfter } from './leads/lead.queries.ts'
import { leadsOf } from './leads/lead.routes.ts'

export const marketingExports = [
  exporting(exportLeads, {
    rows: ({ leads }) => leads,
    async *batches({ query, db, worker, now }, limit) {
      const filter = leadsOf(query, worker.workerId, now)
      for await (const rows of walkAfter<Awaited<ReturnType<typeof findLeadsAfter>>[number]>(limit, (last) =>
        findLeadsAfter(db, filter, last, limit),
      ))
        yield rows.map(presentLead)
    },
    columns: {
      id: 'ID',
      ...labelsOf(leadFields),
      campaign_id: 'Campaign ID',
      campaign: 'Campaign',
      status: 'Status',
      createdAt: 'Created',
      statusSince: 'Status since',
      firstResponseAt: 'First response',
      convertedAt: 'Converted',
      lostReason: 'Lost reason',
      assignee: [
        ['Assignee ID', (worker) => worker?.id],
        ['Assignee', (worker) => worker?.name],
      ],
      customer: [
        ['Customer ID', (customer) => customer?.id],
        ['Customer', (customer) => customer?.name],
      ],
      version: NO_COLUMN,
      notes: [['Newest note', (notes) => notes.at(-1)?.content]],
    },
  }),
  exporting(exportCampaigns, {
    rows: ({ campaigns }) => campaigns,
    columns: {
      id: 'ID',
      name: 'Name',
      status: 'Status',
      source: 'Source',
      budget: 'Budget',
      start_date: 'Start',
      end_date: 'End',
      total_leads: 'Leads',
      conversions: 'Conversions',
      conversion_rate: 'Conversion rate',
      converted_leads: 'Converted leads',
      tagged_entities: [['Tags', listed]],
      push: [
        ['Ads', ({ state }) => state],
        ['Ads error', ({ error }) => error],
        ['Meta campaign ID', ({ metaCampaignId }) => metaCampaignId],
      ],
      createdAt: 'Created',
      version: NO_COLUMN,
    },
  }),
]
