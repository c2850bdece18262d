import { z } from 'zod'
import { defineCall, type InputOf, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Day, Id, IdText, Moment, Text, Version } from '#kit/values.ts'
import { CampaignResult } from '../../growth/campaigns/result.ts'
import { Conversion } from '../leads/conversion.ts'
import {
  AdObjective,
  audienceFaultTexts,
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

/** The state of a campaign on Meta. `local`: not a Meta ad; `not_connected`: an ad, but Meta is not set up. */
export const PushState = z.enum(['local', 'not_connected', 'waiting', 'retrying', 'failed', 'done'])
export type PushState = z.infer<typeof PushState>

export const CampaignPush = z.object({
  state: PushState,
  /** The step that is running or that failed. */
  step: z.string().nullable(),
  /** Meta's error message. */
  error: z.string().nullable(),
  metaCampaignId: z.string().nullable(),
})
export type CampaignPush = z.infer<typeof CampaignPush>

export const Campaign = z.object({
  id: Id,
  name: z.string(),
  status: CampaignPhase,
  source: CampaignSource,
  /** Dollars per day, with two decimals. */
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

/** The parts of an ad. Each can change until the Meta object that contains it exists. */
export const lockableLabels = {
  source: 'source',
  meta_ad_objective: 'objective',
  start_date: 'start date',
  target_audience: 'audience',
  lead_form_fields: 'form',
  custom_questions: 'questions',
  ad_message: 'message',
  link_description: 'link description',
} as const
export type Lockable = keyof typeof lockableLabels
const Lockable = z.enum(Object.keys(lockableLabels) as [Lockable, ...Lockable[]])

export const CampaignMedia = z.object({
  url: z.string(),
  filename: z.string(),
  mimeType: z.string(),
  bytes: z.int(),
})

/** A campaign with all its fields and its results. */
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
  /** Fields that can no longer change because they are on Meta. */
  locked: z.array(Lockable),
  results: z.object({
    /** The most recent days, oldest first. */
    days: z.array(z.object({ day: Day, leads: z.int(), conversions: z.int() })),
    /** The maximum spend so far in dollars: daily budget times days. Null without a budget. */
    spent: z.string().nullable(),
    cost_per_lead: z.string().nullable(),
    cost_per_conversion: z.string().nullable(),
  }),
  /** What it changed in its zone or city; null for a campaign that was not started for one. */
  result: CampaignResult.nullable(),
})
export type CampaignDetail = z.infer<typeof CampaignDetail>

export const CampaignStats = z.object({
  /** Running campaigns, without scheduled ones. */
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
  summary: 'Campaigns, newest first, searched by name; the counts cover all campaigns',
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
    /** Whether an ad account is set up to receive lead ads. */
    isMetaConnected: z.boolean(),
  }),
})

export const exportCampaigns = exportCall(listCampaigns, 'campaigns')
export type CampaignQuery = NonNullable<InputOf<typeof listCampaigns>['query']>

export const listAllCampaigns = defineCall({
  method: 'GET',
  path: '/api/campaigns',
  summary: 'Campaigns, newest first',
  permission,
  query: z.strictObject(pageQuery({ limit: 50 })),
  reply: z.object({ campaigns: z.array(Campaign), pagination: Pagination }),
})

export const readCampaign = defineCall({
  method: 'GET',
  path: '/api/campaigns/:id',
  summary: 'One campaign with all its fields, media and results',
  permission,
  params,
  reply: z.object({ campaign: CampaignDetail }),
  refusals: { not_found: notFound },
})

const changed = z.object({ campaign: Campaign, stats: CampaignStats })

export const setCampaignStatus = defineCall({
  method: 'PATCH',
  path: '/api/marketing/campaigns/:id/status',
  summary: 'Set the status of a campaign; a campaign on Meta is updated there too',
  permission: 'campaigns.edit',
  params,
  body: z.strictObject({ status: CampaignStatus, version: Version.optional() }),
  reply: changed,
  refusals: { not_found: notFound, stale },
})

export const pushCampaign = defineCall({
  method: 'POST',
  path: '/api/campaigns/:id/push',
  summary: 'Send a campaign to Meta, or retry; objects that already exist there are kept',
  permission: 'campaigns.edit',
  params,
  reply: changed,
  refusals: {
    not_found: notFound,
    not_an_ad: [422, 'This campaign is not a Meta ad.'],
    not_connected: [503, 'Meta is not connected. Set up an ad account first.'],
  },
})

const day = Day
const optionalText = (max: number) => Text(max, 0).nullable()
/** The editable fields of a campaign. A multipart form sends lists as JSON text. */
export const campaignFields = {
  name: Text(200),
  source: CampaignSource,
  start_date: day,
  end_date: day.nullable(),
  budget: Budget.nullable(),
  ad_message: optionalText(5_000),
  notes: optionalText(5_000),
  link_description: optionalText(500),
  target_audience: TargetAudience,
  goals: z.array(Goal).max(20),
  tagged_entities: z.array(Tag).max(50),
  meta_ad_objective: AdObjective,
  lead_form_fields: z.array(LeadFormField).max(LeadFormField.options.length),
  custom_questions: CustomQuestions,
}
/** Labels of the form. */
export const campaignLabels: Record<keyof typeof campaignFields, string> = {
  name: 'Name',
  source: 'Source',
  start_date: 'Start date',
  end_date: 'End date',
  budget: 'Daily budget',
  ad_message: 'Ad message',
  notes: 'Notes',
  link_description: 'Link description',
  target_audience: 'Audience',
  goals: 'Goals',
  tagged_entities: 'Tags',
  meta_ad_objective: 'Meta ad objective',
  lead_form_fields: 'Lead form fields',
  custom_questions: 'Custom questions',
}
export const campaignFieldNames = Object.keys(campaignFields) as (keyof typeof campaignFields)[]

const audience = Object.fromEntries(
  Object.entries(audienceFaultTexts).map(([code, text]) => [code, [422, text]]),
) as unknown as Record<keyof typeof audienceFaultTexts, readonly [422, string]>
const endBeforeStart = [422, 'The end date must be on or after the start date.'] as const

const MB = 1024 * 1024
export const MAX_MEDIA = 10
/** The file types that the file picker accepts. */
export const MEDIA_TYPES = ['image/jpeg', 'image/png', 'video/mp4'] as const
/** Size limit per form field; real lists and questions are far smaller. */
export const MAX_FIELD_BYTES = 256 * 1024

export const createCampaign = defineCall({
  method: 'POST',
  path: '/api/campaigns',
  summary: 'Create a campaign from a form with media; if Meta is connected, a lead ad is sent there paused',
  permission: 'campaigns.create',
  bodyType: 'multipart',
  bodyLimit: 1_100 * MB,
  limit: { by: 'worker', times: 60, seconds: 600 },
  // The handler reads and validates the form from the stream.
  body: z.record(z.string(), z.unknown()),
  reply: z.object({ campaign: Campaign, stats: CampaignStats }),
  refusals: {
    ...audience,
    bad_questions: [422, 'Invalid custom_questions JSON: {text}'],
    end_before_start: endBeforeStart,
    bad_field: [400, '{text}'],
    malformed: [400, 'The form is malformed.'],
    field_too_long: [413, 'One of the fields is too long. Shorten it and try again.'],
    too_many_files: [413, `You can add at most ${MAX_MEDIA} files.`],
    empty_file: [422, 'The file is empty.'],
    wrong_type: [415, 'This file type is not supported. Use JPEG, PNG or MP4.'],
    damaged: [422, 'The file is damaged, or its content does not match its name.'],
    too_large: [413, '{kind} can be at most {limit} MB.'],
    too_many_pixels: [422, 'The image is larger than 40 megapixels.'],
    quota: [429, 'You have reached the limit of 5 GB per day. Try again later.'],
    storage_full: [503, 'Storage is full. The file was not saved.'],
  },
})

export const editCampaign = defineCall({
  method: 'PATCH',
  path: '/api/campaigns/:id',
  summary: 'Change a campaign; once it is on Meta, only what can still change there',
  permission: 'campaigns.edit',
  params,
  body: z.strictObject({ ...campaignFields, version: Version.optional() }).partial(),
  reply: z.object({ campaign: CampaignDetail }),
  refusals: {
    ...audience,
    not_found: notFound,
    stale: staleRefusal('this campaign', CampaignDetail),
    end_before_start: endBeforeStart,
    at_meta: [
      409,
      'This campaign is already on Meta, so its {what} can no longer change. Create a new campaign instead.',
    ],
  },
})
export type EditCampaign = NonNullable<InputOf<typeof editCampaign>['body']>

const noFile = [404, 'This file does not exist.'] as const

export const readCampaignMedia = defineCall({
  method: 'GET',
  path: '/api/campaigns/media/:name',
  summary: 'An image or video of a campaign, in full or as a byte range',
  permission,
  params: z.strictObject({ name: z.string().regex(/^[a-z0-9]{26}\.[a-z0-9]{2,4}$/, 'is not a valid file name') }),
  replyType: 'stream',
  reply: z.unknown(),
  refusals: { not_found: noFile, bad_range: [416, 'The requested range is outside the file.'] },
})
