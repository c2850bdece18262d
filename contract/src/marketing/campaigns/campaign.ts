import { z } from 'zod'
import { defineCall, type InputOf, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Day, Id, IdText, Moment, Text, Version } from '#kit/values.ts'
import { Conversion } from '../leads/conversion.ts'
import {
  AdObjective,
  audienceWords,
  Budget,
  CampaignPhase,
  CampaignSource,
  CampaignStatus,
  CustomQuestion,
  CustomQuestions,
  Goal,
  LeadFormField,
  Tag,
  TargetAudience,
} from './campaign-values.ts'

/** How a campaign stands at Meta. `local`: it does not belong there; `not_connected`: it would, but nothing is set up. */
export const PushState = z.enum(['local', 'not_connected', 'waiting', 'retrying', 'failed', 'done'])
export type PushState = z.infer<typeof PushState>

export const CampaignPush = z.object({
  state: PushState,
  /** What is being done, or could not be done. */
  step: z.string().nullable(),
  /** What Meta said, in words. */
  error: z.string().nullable(),
  metaCampaignId: z.string().nullable(),
})
export type CampaignPush = z.infer<typeof CampaignPush>

export const Campaign = z.object({
  id: Id,
  name: z.string(),
  status: CampaignPhase,
  source: CampaignSource,
  /** Dollars a day, with two decimals. */
  budget: z.string().nullable(),
  start_date: Day,
  end_date: Day.nullable(),
  ...Conversion.shape,
  converted_leads: z.int(),
  tagged_entities: z.array(z.string()),
  push: CampaignPush,
  createdAt: Moment,
  version: Version,
})
export type Campaign = z.infer<typeof Campaign>

/** What an ad is made of; each can change until the thing at Meta that holds it is there. */
export const lockWords = {
  source: 'source',
  meta_ad_objective: 'objective',
  start_date: 'start date',
  target_audience: 'audience',
  lead_form_fields: 'form',
  custom_questions: 'questions',
  ad_message: 'message',
  link_description: 'link description',
} as const
export type Lockable = keyof typeof lockWords
const Lockable = z.enum(Object.keys(lockWords) as [Lockable, ...Lockable[]])

export const CampaignMedia = z.object({
  url: z.string(),
  filename: z.string(),
  mimeType: z.string(),
  bytes: z.int(),
})

/** A campaign with everything that was written into it, and what came of it. */
export const CampaignDetail = Campaign.extend({
  ad_message: z.string().nullable(),
  target_audience: TargetAudience,
  goals: z.array(Goal),
  notes: z.string().nullable(),
  link_description: z.string().nullable(),
  meta_ad_objective: AdObjective.nullable(),
  lead_form_fields: z.array(LeadFormField),
  custom_questions: z.array(CustomQuestion),
  media: z.array(CampaignMedia),
  createdBy: z.string().nullable(),
  /** What can no longer change because it is at Meta. */
  locked: z.array(Lockable),
  results: z.object({
    /** The last so many days of it, the oldest first. */
    days: z.array(z.object({ day: Day, leads: z.int(), conversions: z.int() })),
    /** Budget a day times the days so far: what it may have cost at most. Dollars; nothing without a budget. */
    spent: z.string().nullable(),
    cost_per_lead: z.string().nullable(),
    cost_per_conversion: z.string().nullable(),
  }),
})
export type CampaignDetail = z.infer<typeof CampaignDetail>

export const CampaignStats = z.object({
  /** Those that run: scheduled ones are not among them. */
  active: z.int(),
  completed: z.int(),
  total_leads: z.int(),
  total_conversions: z.int(),
})
export type CampaignStats = z.infer<typeof CampaignStats>

const permission = 'growth.tab' as const
const params = z.strictObject({ id: IdText })
const notFound = [404, 'This campaign does not exist.'] as const
const stale = staleRefusal('this campaign', Campaign)

export const listCampaigns = defineCall({
  method: 'GET',
  path: '/api/marketing/campaigns',
  summary: 'Campaigns, the newest first, searched by name; the counts are of all campaigns',
  permission,
  query: z.strictObject({
    ...pageQuery({ limit: 24 }),
    status: CampaignPhase.or(z.literal('')).default(''),
    search: z.string().trim().max(10_000).default(''),
  }),
  reply: z.object({
    campaigns: z.array(Campaign),
    stats: CampaignStats,
    pagination: Pagination,
    /** Is there an ad account that lead ads are sent to? */
    isMetaConnected: z.boolean(),
  }),
})
export type CampaignList = ReplyOf<typeof listCampaigns>
export type CampaignQuery = NonNullable<InputOf<typeof listCampaigns>['query']>

export const listAllCampaigns = defineCall({
  method: 'GET',
  path: '/api/campaigns',
  summary: 'Campaigns, the newest first',
  permission,
  query: z.strictObject(pageQuery({ limit: 50 })),
  reply: z.object({ campaigns: z.array(Campaign), pagination: Pagination }),
})

export const readCampaign = defineCall({
  method: 'GET',
  path: '/api/campaigns/:id',
  summary: 'One campaign with everything written into it, its media and its results',
  permission,
  params,
  reply: z.object({ campaign: CampaignDetail }),
  refusals: { not_found: notFound },
})

const changed = z.object({ campaign: Campaign, stats: CampaignStats })

export const setCampaignStatus = defineCall({
  method: 'PATCH',
  path: '/api/marketing/campaigns/:id/status',
  summary: 'Set the status of a campaign; one that is at Meta is switched there too',
  permission: 'campaigns.edit',
  params,
  body: z.strictObject({ status: CampaignStatus, version: Version.optional() }),
  reply: changed,
  refusals: { not_found: notFound, stale },
})

export const pushCampaign = defineCall({
  method: 'POST',
  path: '/api/campaigns/:id/push',
  summary: 'Try again to bring a campaign to Meta; what is there already stays',
  permission: 'campaigns.edit',
  params,
  reply: changed,
  refusals: {
    not_found: notFound,
    not_an_ad: [422, 'This campaign does not belong to Meta.'],
    not_connected: [503, 'No ad account is set up here.'],
  },
})

const day = Day
const words = (max: number) => Text(max, 0).nullable()
/** What can be written into a campaign. Lists come as JSON text in a form. */
export const campaignFields = {
  name: Text(200),
  source: CampaignSource,
  start_date: day,
  end_date: day.nullable(),
  budget: Budget.nullable(),
  ad_message: words(5_000),
  notes: words(5_000),
  link_description: words(500),
  target_audience: TargetAudience,
  goals: z.array(Goal).max(20),
  tagged_entities: z.array(Tag).max(50),
  meta_ad_objective: AdObjective,
  lead_form_fields: z.array(LeadFormField).max(LeadFormField.options.length),
  custom_questions: CustomQuestions,
}
export const campaignFieldNames = Object.keys(campaignFields) as (keyof typeof campaignFields)[]

const audience = Object.fromEntries(
  Object.entries(audienceWords).map(([code, text]) => [code, [422, text]]),
) as unknown as Record<keyof typeof audienceWords, readonly [422, string]>
const endBeforeStart = [422, 'The end date lies before the start date.'] as const

const MB = 1024 * 1024
export const MAX_MEDIA = 10
/** What a file picker offers. */
export const MEDIA_TYPES = ['image/jpeg', 'image/png', 'video/mp4'] as const
/** The most bytes of a field; lists and questions are far below. */
export const MAX_FIELD_BYTES = 256 * 1024

export const createCampaign = defineCall({
  method: 'POST',
  path: '/api/campaigns',
  summary: 'Create a campaign from a form with its media; when Meta is connected, a lead ad is sent there, paused',
  permission: 'campaigns.create',
  bodyType: 'multipart',
  bodyLimit: 1_100 * MB,
  limit: { by: 'worker', times: 60, seconds: 600 },
  // The handler reads the form from the stream; here stands what a form may hold.
  body: z.record(z.string(), z.unknown()),
  reply: z.object({ campaign: Campaign, stats: CampaignStats }),
  refusals: {
    ...audience,
    bad_questions: [422, 'Invalid custom_questions JSON: {text}'],
    end_before_start: endBeforeStart,
    bad_field: [400, '{text}'],
    malformed: [400, 'This form is not well formed.'],
    field_too_long: [413, 'A field of this form is too long.'],
    too_many_files: [413, `At most ${MAX_MEDIA} files can be added.`],
    empty_file: [422, 'The file is empty.'],
    wrong_type: [415, 'This kind of file cannot be used. Use JPEG, PNG or MP4.'],
    damaged: [422, 'The file is damaged or not what its name says.'],
    too_large: [413, '{kind} may have at most {limit} MB.'],
    too_many_pixels: [422, 'The picture has more than 40 megapixels.'],
    quota: [429, 'You have uploaded 5 GB within a day. Go on tomorrow.'],
    storage_full: [503, 'There is no room for this file.'],
  },
})

export const editCampaign = defineCall({
  method: 'PATCH',
  path: '/api/campaigns/:id',
  summary: 'Change what is written into a campaign; of one that is at Meta only what can change there',
  permission: 'campaigns.edit',
  params,
  body: z.strictObject({ ...campaignFields, version: Version.optional() }).partial(),
  reply: z.object({ campaign: CampaignDetail }),
  refusals: {
    ...audience,
    not_found: notFound,
    stale: staleRefusal('this campaign', CampaignDetail),
    end_before_start: endBeforeStart,
    at_meta: [409, 'This campaign is at Meta already: its {what} can no longer change. Create a new one instead.'],
  },
})
export type EditCampaign = NonNullable<InputOf<typeof editCampaign>['body']>

const noFile = [404, 'This file does not exist.'] as const

export const readCampaignMedia = defineCall({
  method: 'GET',
  path: '/api/campaigns/media/:name',
  summary: 'A picture or a film of a campaign, whole or a range of it',
  permission,
  params: z.strictObject({ name: z.string().regex(/^[a-z0-9]{26}\.[a-z0-9]{2,4}$/, 'is not the name of a file') }),
  replyType: 'stream',
  reply: z.unknown(),
  refusals: { not_found: noFile, bad_range: [416, 'The file has no such part.'] },
})
