import { z } from 'zod'
import { type BodyOf, defineCall, type QueryOf, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { type Field, labelsOf, namesOf, shapeOf } from '#kit/fields.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Email, Id, IdText, Line, Moment, Text, Version } from '#kit/values.ts'
import { LeadRange } from './lead-range.ts'

export const LeadStatus = z.enum([
  'new',
  'onboarding_started',
  'onboarding_completed',
  'contacted',
  'converted',
  'not_interested',
])
export type LeadStatus = z.infer<typeof LeadStatus>

/** The steps of the funnel, in order. */
export const LeadStep = LeadStatus.exclude(['not_interested'])
export type LeadStep = z.infer<typeof LeadStep>

export const leadStatusLabels: Record<LeadStatus, string> = {
  new: 'New',
  onboarding_started: 'Onboarding Started',
  onboarding_completed: 'Onboarding Completed',
  contacted: 'Contacted',
  converted: 'Converted',
  not_interested: 'Not Interested',
}

export const LeadSource = z.enum(['facebook_lead_ad', 'google_ads', 'email', 'website', 'referral', 'event', 'manual'])
export type LeadSource = z.infer<typeof LeadSource>

export const leadSourceLabels: Record<LeadSource, string> = {
  facebook_lead_ad: 'Facebook lead ad',
  google_ads: 'Google Ads',
  email: 'Email',
  website: 'Website',
  referral: 'Referral',
  event: 'Event',
  manual: 'Entered manually',
}

export const MAX_NOTE_LENGTH = 5_000

/** A list row contains at most this many of the newest notes; the detail has all of them. */
export const NOTES_IN_LIST = 5

/** A new lead without a first response for longer than this is late. */
export const FIRST_RESPONSE_HOURS = 24

/** A conversion can be undone for this long. */
export const UNDO_CONVERSION_HOURS = 24

/** When undo ends; null for a lead that is not converted. */
export const undoConversionUntil = ({ convertedAt }: { convertedAt: string | null }): Date | null =>
  convertedAt === null ? null : new Date(Date.parse(convertedAt) + UNDO_CONVERSION_HOURS * 3_600_000)

const Person = z.object({ id: Id, name: z.string() })

export const LeadNote = z.object({
  id: Id,
  worker_id: Id,
  worker: z.string(),
  timestamp: Moment,
  content: z.string(),
})
export type LeadNote = z.infer<typeof LeadNote>

export const Lead = z.object({
  id: Id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  source: LeadSource,
  campaign_id: Id.nullable(),
  campaign: z.string().nullable(),
  status: LeadStatus,
  createdAt: Moment,
  statusSince: Moment,
  /** When the lead first left New. */
  firstResponseAt: Moment.nullable(),
  convertedAt: Moment.nullable(),
  lostReason: z.string().nullable(),
  assignee: Person.nullable(),
  /** The customer account of a converted lead. */
  customer: Person.nullable(),
  version: Version,
  /** The newest notes, oldest first. */
  notes: z.array(LeadNote),
})
export type Lead = z.infer<typeof Lead>

/** A lead with all its notes, its status history and its bookings. */
export const LeadDetail = Lead.extend({
  createdBy: Person.nullable(),
  steps: z.array(
    z.object({
      id: Id,
      status: LeadStatus,
      enteredAt: Moment,
      leftAt: Moment.nullable(),
      worker: z.string().nullable(),
      reason: z.string().nullable(),
      /** The step ended because the lead was merged into another one. */
      endedByMerge: z.boolean(),
    }),
  ),
  /** Leads that were merged into this one, newest merge first. */
  merged: z.array(
    z.object({
      id: Id,
      name: z.string(),
      email: z.string().nullable(),
      phone: z.string().nullable(),
      source: LeadSource,
      createdAt: Moment,
      mergedAt: Moment,
      worker: z.string(),
    }),
  ),
  /** Other leads with the same email or phone, newest first. Contacts of merged leads count too. */
  duplicates: z.array(
    z.object({
      id: Id,
      name: z.string(),
      status: LeadStatus,
      source: LeadSource,
      createdAt: Moment,
      why: z.enum(['same e-mail', 'same phone']),
    }),
  ),
  /** Answers to other form questions than name, email and phone. */
  answers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The customer's bookings; null while the lead is not a customer. */
  bookings: z.object({ total: z.int(), completed: z.int(), firstAt: Moment.nullable() }).nullable(),
})
export type LeadDetail = z.infer<typeof LeadDetail>

export const LeadStats = z.object({
  new: z.int(),
  contacted: z.int(),
  converted: z.int(),
  not_interested: z.int(),
})
export type LeadStats = z.infer<typeof LeadStats>

const permission = 'growth.tab' as const
const params = z.strictObject({ id: IdText })
const anyId = z.union([Id, IdText])
const notFound = [404, 'This lead does not exist.'] as const
const merged = [409, 'This lead was merged into {name}. Reload and try again.'] as const
const stale = staleRefusal('this lead', LeadDetail)
const duplicate = [409, 'A lead with this {what} already exists: {name}.', LeadDetail] as const
const noCampaign = [422, 'This campaign does not exist.'] as const
const mayNotConvert = [403, 'You do not have permission to convert leads.'] as const
const incomplete = [
  422,
  'A customer needs a first name, a last name and an email address. Add what is missing, then convert.',
] as const

/** A worker's id, `me` or `none`. */
const Assignee = z.union([IdText, z.enum(['me', 'none', ''])])

export const listLeads = defineCall({
  method: 'GET',
  path: '/api/marketing/leads',
  summary: 'Leads, newest first, searched by name, email and phone; the counts cover all leads',
  permission,
  query: z.strictObject({
    ...pageQuery({ limit: 50 }),
    /** `open`: neither converted nor lost. */
    status: LeadStatus.or(z.enum(['open', ''])).default(''),
    assigned_to: Assignee.default(''),
    campaign: IdText.or(z.literal('')).default(''),
    /** Only leads created in this range. */
    timeRange: LeadRange.or(z.literal('')).default(''),
    /** Only leads that reached this funnel step or a later one. */
    reached: LeadStep.or(z.literal('')).default(''),
    search: z.string().trim().max(10_000).default(''),
  }),
  reply: z.object({ leads: z.array(Lead), stats: LeadStats, pagination: Pagination }),
})
export type LeadQuery = QueryOf<typeof listLeads>

export const exportLeads = exportCall(listLeads, 'leads')

export const readLead = defineCall({
  method: 'POST',
  path: '/api/marketing/lead',
  summary: 'One lead with its notes, steps and bookings; for a merged lead, the lead it was merged into',
  permission,
  reads: true,
  body: z.strictObject({ leadId: anyId }),
  reply: z.object({ lead: LeadDetail }),
  refusals: { not_found: notFound },
})

/** Removes spaces, brackets, dots and hyphens. Ten digits are a US number. */
export function normalizePhone(text: string): string {
  const digits = text.replace(/[\s().\-/]/g, '')
  if (/^[2-9]\d{9}$/.test(digits)) return `+1${digits}`
  return /^1[2-9]\d{9}$/.test(digits) ? `+${digits}` : digits
}

const Phone = z
  .string()
  .max(40, 'must be a phone number such as (951) 555-0142')
  .transform(normalizePhone)
  .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number such as (951) 555-0142'))

/**
 * The editable fields of a lead, in form order. On a merge, `fill` fills in what the kept lead lacks; `first` takes the
 * value of the lead that was created first.
 */
export const leadFields = [
  { name: 'first_name', label: 'First name', schema: Line(100), merge: 'fill', isPersonal: true, erased: 'Erased' },
  { name: 'last_name', label: 'Last name', schema: Line(100, 0), merge: 'fill', isPersonal: true, erased: 'Customer' },
  { name: 'email', label: 'Email', schema: Email.nullable(), merge: 'fill', isPersonal: true },
  { name: 'phone', label: 'Phone', schema: Phone.nullable(), kind: 'phone', merge: 'fill', isPersonal: true },
  { name: 'source', label: 'Source', schema: LeadSource, choiceLabels: leadSourceLabels, merge: 'first' },
  { name: 'campaign_id', label: 'Campaign', schema: Id.nullable(), merge: 'first' },
] as const satisfies readonly (Field & { merge: 'fill' | 'first' })[]
export type LeadField = (typeof leadFields)[number]['name']
export const leadFieldNames = namesOf(leadFields)
export const leadLabels = labelsOf(leadFields)

const fields = shapeOf(leadFields)

export const createLead = defineCall({
  method: 'POST',
  path: '/api/marketing/leads',
  summary: 'Add a lead, unless one with the same email or phone exists',
  permission: 'leads.create',
  body: z.strictObject({
    ...fields,
    last_name: fields.last_name.default(''),
    email: fields.email.default(null),
    phone: fields.phone.default(null),
    source: fields.source.default('manual'),
    campaign_id: fields.campaign_id.default(null),
    note: Text(MAX_NOTE_LENGTH).optional(),
  }),
  reply: z.object({ lead: LeadDetail, stats: LeadStats }),
  refusals: {
    no_contact: [422, 'Enter an email address or a phone number.'],
    no_campaign: noCampaign,
    duplicate,
  },
})

export const editLead = defineCall({
  method: 'PATCH',
  path: '/api/marketing/leads/:id',
  summary: 'Edit the name, email, phone, source or campaign of a lead',
  permission,
  params,
  // A lead that arrived without a first name may stay without one.
  body: z.strictObject({ ...fields, first_name: Line(100, 0), version: Version.optional() }).partial(),
  reply: z.object({ lead: LeadDetail }),
  refusals: {
    not_found: notFound,
    merged,
    stale,
    no_name: [422, 'The first name cannot be removed. Enter a first name.'],
    no_contact: [422, 'Enter an email address or a phone number.'],
    no_campaign: noCampaign,
    duplicate,
  },
})
export type EditLead = BodyOf<typeof editLead>

export const setLeadStatus = defineCall({
  method: 'PATCH',
  path: '/api/marketing/leads/status',
  summary: 'Set the status of a lead; Converted requires the permission to convert',
  permission,
  body: z
    .strictObject({
      leadId: anyId,
      status: LeadStatus,
      /** Why the person is not interested. */
      reason: Text(500).optional(),
      version: Version.optional(),
    })
    .refine(({ status, reason }) => reason === undefined || status === 'not_interested', {
      path: ['reason'],
      message: 'is only allowed with Not Interested',
    }),
  reply: z.object({ lead: LeadDetail, stats: LeadStats }),
  refusals: { not_found: notFound, merged, stale, may_not_convert: mayNotConvert, incomplete },
})
export type SetLeadStatus = BodyOf<typeof setLeadStatus>

export const convertLead = defineCall({
  method: 'POST',
  path: '/api/marketing/leads/:id/convert',
  summary: 'Convert a lead to a customer: link the account with its email, or create one',
  permission: 'leads.convert',
  params,
  reply: z.object({ lead: LeadDetail, stats: LeadStats }),
  refusals: {
    not_found: notFound,
    merged,
    converted: [409, 'This lead is already converted.', LeadDetail],
    incomplete,
  },
})

export const undoConversion = defineCall({
  method: 'POST',
  path: '/api/marketing/leads/:id/convert/undo',
  summary:
    'Undo a conversion: restore the status of the lead, and delete the account it created if the account is unused',
  permission: 'leads.convert',
  params,
  reply: z.object({ lead: LeadDetail, stats: LeadStats }),
  refusals: {
    not_found: notFound,
    merged,
    not_converted: [409, 'This lead is not converted.'],
    too_late: [409, `A conversion can only be undone for ${UNDO_CONVERSION_HOURS} hours. Set another status instead.`],
    merged_since: [409, 'This lead was merged with another lead after its conversion. Set another status instead.'],
    account_used: [
      409,
      'The customer account is in use ({what}), so the conversion cannot be undone. Set another status instead.',
    ],
  },
})

export const noteLead = defineCall({
  method: 'POST',
  path: '/api/marketing/leads/:id/notes',
  summary: 'Add a note to a lead',
  permission,
  params,
  body: z.strictObject({ note: Text(MAX_NOTE_LENGTH), workerId: anyId.nullish() }),
  reply: LeadDetail,
  refusals: {
    no_worker: [400, 'No worker info'],
    other_worker: [403, 'You can only add notes under your own name.'],
    not_found: notFound,
    merged,
  },
})

export const assignLead = defineCall({
  method: 'PATCH',
  path: '/api/marketing/leads/:id/assignee',
  summary: 'Assign a lead to a worker, or unassign it',
  permission,
  params,
  body: z.strictObject({ workerId: Id.nullable(), version: Version.optional() }),
  reply: z.object({ lead: LeadDetail }),
  refusals: { not_found: notFound, merged, stale, no_assignee: [422, 'This worker cannot be assigned leads.'] },
})

export const listLeadWorkers = defineCall({
  method: 'GET',
  path: '/api/marketing/lead-workers',
  summary: 'Workers who can be assigned leads, with their open leads',
  permission,
  reply: z.array(Person.extend({ open: z.int() })),
})

export const listLeadCampaigns = defineCall({
  method: 'GET',
  path: '/api/marketing/lead-campaigns',
  summary: 'Campaigns that a lead can belong to, running ones first',
  permission,
  reply: z.array(Person),
})
