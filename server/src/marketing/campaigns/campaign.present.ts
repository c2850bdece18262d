import type { Campaign, CampaignDetail, CampaignPush } from '@limber/contract/marketing/campaigns/campaign.ts'
import {
  CustomQuestion,
  campaignPhase,
  Goal,
  LeadFormField,
  TargetAudience,
} from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { conversionOf } from '@limber/contract/marketing/leads/conversion.ts'
import type { z } from 'zod'
import type { CampaignDetailRow, CampaignRow } from './campaign.queries.ts'
import { costsOf, dollars } from './campaign.rules.ts'
import { lockedOf } from './campaign-change.rules.ts'

/** The state on Meta, which also depends on whether Meta is connected. */
function presentPush(row: CampaignRow, isConnected: boolean): CampaignPush {
  const isAd = row.source === 'facebook_lead_ad'
  const isThere = row.meta_campaign_id !== null
  const state = !isAd
    ? 'local'
    : isConnected || isThere
      ? (row.push_state ?? (isThere ? 'done' : 'local'))
      : 'not_connected'
  const isOpen = state === 'failed' || state === 'retrying' || state === 'waiting'
  return {
    state,
    step: isOpen ? row.push_step : null,
    error: state === 'failed' || state === 'retrying' ? row.push_error : null,
    metaCampaignId: row.meta_campaign_id,
  }
}

interface Environment {
  isConnected: boolean
  today: string
}

export const presentCampaign = (row: CampaignRow, { isConnected, today }: Environment): Campaign => ({
  id: row.id,
  name: row.name,
  status: campaignPhase(row, today),
  source: row.source,
  budget: row.budget === null ? null : dollars(row.budget),
  start_date: row.start_date,
  end_date: row.end_date,
  ...conversionOf(row.conversions, row.leads),
  converted_leads: row.conversions,
  tagged_entities: row.tagged_entities,
  push: presentPush(row, isConnected),
  createdAt: row.created_at.toISOString(),
  version: row.version,
})

/** Skips entries that were stored in another format. */
const readList = <T>(schema: z.ZodType<T>, value: unknown): T[] =>
  (Array.isArray(value) ? value : []).flatMap((one) => {
    const read = schema.safeParse(one)
    return read.success ? [read.data] : []
  })

export const readAudience = (value: unknown): TargetAudience => {
  const read = TargetAudience.safeParse(value)
  return read.success ? read.data : TargetAudience.parse({})
}

export const presentCampaignDetail = (
  row: CampaignDetailRow,
  days: CampaignDetail['results']['days'],
  result: CampaignDetail['result'],
  environment: Environment,
): CampaignDetail => ({
  ...presentCampaign(row, environment),
  ad_message: row.ad_message,
  target_audience: readAudience(row.target_audience),
  goals: readList(Goal, row.goals),
  notes: row.notes,
  link_description: row.link_description,
  meta_ad_objective: row.meta_ad_objective,
  lead_form_fields: readList(LeadFormField, row.lead_form_fields),
  custom_questions: readList(CustomQuestion, row.custom_questions),
  media: row.media.map(({ name, filename, mime_type, bytes }) => ({
    url: `/api/campaigns/media/${name}`,
    filename,
    mimeType: mime_type,
    bytes,
  })),
  createdBy: row.created_by_name,
  locked: lockedOf(row.meta_campaign_id, row.push_state === null ? undefined : row),
  results: { days, ...costsOf(row, environment.today) },
  result,
})
