import { z } from 'zod'
import { type BodyOf, defineCall, type QueryOf, staleRefusal } from '#kit/call.ts'
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

/** The steps of the funnel, in their order. */
export const LeadStep = LeadStatus.exclude(['not_interested'])
export type LeadStep = z.infer<typeof LeadStep>

/** What a person reads for a status. */
export const leadStatusWords: Record<LeadStatus, string> = {
  new: 'New',
  onboarding_started: 'Onboarding Started',
  onboarding_completed: 'Onboarding Completed',
  contacted: 'Contacted',
  converted: 'Converted',
  not_interested: 'Not Interested',
}

export const LeadSource = z.enum(['facebook_lead_ad', 'google_ads', 'email', 'website', 'referral', 'event', 'manual'])
export type LeadSource = z.infer<typeof LeadSource>

/** What a person reads for a source. */
export const leadSourceWords: Record<LeadSource, string> = {
  facebook_lead_ad: 'Facebook lead ad',
  google_ads: 'Google Ads',
  email: 'E-mail',
  website: 'Website',
  referral: 'Referral',
  event: 'Event',
  manual: 'Entered by hand',
}

/** Characters of a note. */
export const MAX_NOTE_LENGTH = 5_000

/** So many of the newest notes stand in a list row; the detail brings them all. */
export const NOTES_IN_LIST = 5

/** So long may a new lead wait before the clock of its first answer turns amber. */
export const FIRST_RESPONSE_HOURS = 24

/** A conversion can be undone for so long. */
export const UNDO_CONVERSION_HOURS = 24

/** Until when a conversion can be undone; nothing for a lead that is not converted. */
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
  /** When somebody first took it out of New. */
  firstResponseAt: Moment.nullable(),
  convertedAt: Moment.nullable(),
  lostReason: z.string().nullable(),
  assignee: Person.nullable(),
  /** Whom the lead became. */
  customer: Person.nullable(),
  version: Version,
  /** The newest ones, oldest first. */
  notes: z.array(LeadNote),
})
export type Lead = z.infer<typeof Lead>

/** A lead with its whole thread, its way so far, and what became of the person. */
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
      /** The person did not go on from here: the lead became part of another, which stands elsewhere. */
      endedByMerge: z.boolean(),
    }),
  ),
  /** Leads of the same person that are part of this one now, the newest merge first. */
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
  /** Other leads with the same e-mail or phone, newest first; what merged ones were known under counts too. */
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
  /** What a form asked beside name, address and number. */
  answers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** What the customer booked since; nothing while the lead is no customer. */
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
const merged = [409, 'This lead was merged into {name} meanwhile. Look again.'] as const
const stale = staleRefusal('this lead', LeadDetail)
const duplicate = [409, 'There is a lead with this {what} already: {name}.', LeadDetail] as const
const noCampaign = [422, 'This campaign does not exist.'] as const
const mayNotConvert = [403, 'You do not have permission to convert leads.'] as const
const incomplete = [
  422,
  'A customer needs a first name, a last name and an e-mail address. Add what is missing, then convert.',
] as const

/** The filter by assignee: a worker's id, `me` or `none`. */
const Assignee = z.union([IdText, z.enum(['me', 'none', ''])])

export const listLeads = defineCall({
  method: 'GET',
  path: '/api/marketing/leads',
  summary: 'Leads, the newest first, searched in name, e-mail and phone; the counts are of all leads',
  permission,
  query: z.strictObject({
    ...pageQuery({ limit: 50 }),
    /** `open`: neither converted nor lost. */
    status: LeadStatus.or(z.enum(['open', ''])).default(''),
    assigned_to: Assignee.default(''),
    campaign: IdText.or(z.literal('')).default(''),
    /** Only leads that came in this range. */
    timeRange: LeadRange.or(z.literal('')).default(''),
    /** Only leads that came to this step of the funnel, or beyond it. */
    reached: LeadStep.or(z.literal('')).default(''),
    search: z.string().trim().max(10_000).default(''),
  }),
  reply: z.object({ leads: z.array(Lead), stats: LeadStats, pagination: Pagination }),
})
export type LeadQuery = QueryOf<typeof listLeads>

export const readLead = defineCall({
  method: 'POST',
  path: '/api/marketing/lead',
  summary: 'One lead with its notes, its steps and what became of it; for a merged one, the lead that it went into',
  permission,
  reads: true,
  body: z.strictObject({ leadId: anyId }),
  reply: z.object({ lead: LeadDetail }),
  refusals: { not_found: notFound },
})

/** As people type it: spaces, brackets, dots and hyphens fall away; ten digits are a number of this country. */
export function foldPhone(text: string): string {
  const digits = text.replace(/[\s().\-/]/g, '')
  if (/^[2-9]\d{9}$/.test(digits)) return `+1${digits}`
  return /^1[2-9]\d{9}$/.test(digits) ? `+${digits}` : digits
}

const Phone = z
  .string()
  .max(40, 'must be a number as +19515550123')
  .transform(foldPhone)
  .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a number as +19515550123'))

/**
 * What people edit of a lead, in the order of the form. A merge fills in what the kept lead lacks (`fill`), or takes what
 * came with the first of the two (`first`).
 */
export const leadFields = [
  { name: 'first_name', label: 'First name', schema: Line(100), merge: 'fill', isPersonal: true, erased: 'Erased' },
  { name: 'last_name', label: 'Last name', schema: Line(100, 0), merge: 'fill', isPersonal: true, erased: 'Customer' },
  { name: 'email', label: 'E-mail', schema: Email.nullable(), merge: 'fill', isPersonal: true },
  { name: 'phone', label: 'Phone', schema: Phone.nullable(), kind: 'phone', merge: 'fill', isPersonal: true },
  { name: 'source', label: 'Source', schema: LeadSource, choiceLabels: leadSourceWords, merge: 'first' },
  { name: 'campaign_id', label: 'Campaign', schema: Id.nullable(), merge: 'first' },
] as const satisfies readonly (Field & { merge: 'fill' | 'first' })[]
export type LeadField = (typeof leadFields)[number]['name']
export const leadFieldNames = namesOf(leadFields)
export const leadLabels = labelsOf(leadFields)

const fields = shapeOf(leadFields)

export const createLead = defineCall({
  method: 'POST',
  path: '/api/marketing/leads',
  summary: 'Add a lead; one with the same e-mail or phone is shown instead',
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
    no_contact: [422, 'A lead needs an e-mail address or a phone number.'],
    no_campaign: noCampaign,
    duplicate,
  },
})
export type CreateLead = BodyOf<typeof createLead>

export const editLead = defineCall({
  method: 'PATCH',
  path: '/api/marketing/leads/:id',
  summary: 'Correct name, e-mail, phone, source or campaign of a lead',
  permission,
  params,
  // One that came without a first name may stay without.
  body: z.strictObject({ ...fields, first_name: Line(100, 0), version: Version.optional() }).partial(),
  reply: z.object({ lead: LeadDetail }),
  refusals: {
    not_found: notFound,
    merged,
    stale,
    no_name: [422, 'The first name can be corrected, but not taken away.'],
    no_contact: [422, 'A lead needs an e-mail address or a phone number.'],
    no_campaign: noCampaign,
    duplicate,
  },
})
export type EditLead = BodyOf<typeof editLead>

export const setLeadStatus = defineCall({
  method: 'PATCH',
  path: '/api/marketing/leads/status',
  summary: 'Set the status of a lead; Converted asks for the permission to convert',
  permission,
  body: z
    .strictObject({
      leadId: anyId,
      status: LeadStatus,
      /** Why a lead is not interested. */
      reason: Text(500).optional(),
      version: Version.optional(),
    })
    .refine(({ status, reason }) => reason === undefined || status === 'not_interested', {
      path: ['reason'],
      message: 'belongs to Not Interested alone',
    }),
  reply: z.object({ lead: LeadDetail, stats: LeadStats }),
  refusals: { not_found: notFound, merged, stale, may_not_convert: mayNotConvert, incomplete },
})
export type SetLeadStatus = BodyOf<typeof setLeadStatus>

export const convertLead = defineCall({
  method: 'POST',
  path: '/api/marketing/leads/:id/convert',
  summary: 'Make a customer of a lead: the account behind its e-mail, or a new one',
  permission: 'leads.convert',
  params,
  reply: z.object({ lead: LeadDetail, stats: LeadStats }),
  refusals: {
    not_found: notFound,
    merged,
    converted: [409, 'This lead is converted already.', LeadDetail],
    incomplete,
  },
})

export const undoConversion = defineCall({
  method: 'POST',
  path: '/api/marketing/leads/:id/convert/undo',
  summary:
    'Undo a conversion: the lead is as before, and an account that it opened is removed while nobody has used it',
  permission: 'leads.convert',
  params,
  reply: z.object({ lead: LeadDetail, stats: LeadStats }),
  refusals: {
    not_found: notFound,
    merged,
    not_converted: [409, 'This lead is not converted.'],
    too_late: [409, `A conversion can be undone for ${UNDO_CONVERSION_HOURS} hours. Set another status instead.`],
    merged_since: [409, 'This lead was merged with another one after it was converted. Set another status instead.'],
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
    other_worker: [403, 'A note can only be written in your own name.'],
    not_found: notFound,
    merged,
  },
})

export const assignLead = defineCall({
  method: 'PATCH',
  path: '/api/marketing/leads/:id/assignee',
  summary: 'Give a lead to a worker, or to nobody',
  permission,
  params,
  body: z.strictObject({ workerId: Id.nullable(), version: Version.optional() }),
  reply: z.object({ lead: LeadDetail }),
  refusals: { not_found: notFound, merged, stale, no_assignee: [422, 'This worker cannot look after leads.'] },
})

export const listLeadWorkers = defineCall({
  method: 'GET',
  path: '/api/marketing/lead-workers',
  summary: 'Who may be given a lead, with what each has open',
  permission,
  reply: z.array(Person.extend({ open: z.int() })),
})

export const listLeadCampaigns = defineCall({
  method: 'GET',
  path: '/api/marketing/lead-campaigns',
  summary: 'Campaigns that a lead can belong to, those that run first',
  permission,
  reply: z.array(Person),
})
