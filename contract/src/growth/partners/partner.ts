import { z } from 'zod'
import { type BodyOf, defineCall, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { Dollars } from '#kit/dollars.ts'
import { exportCall } from '#kit/export.ts'
import { formatInteger } from '#kit/formats/numbers.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Day, Email, Id, IdText, Line, Moment, Text, Version } from '#kit/values.ts'

/** The stage of a partnership. Inactive means active without a renewal date, or ended with a reason. */
export const PartnerStatus = z.enum(['contacted', 'pending', 'active', 'inactive'])
export type PartnerStatus = z.infer<typeof PartnerStatus>
export const PartnerKind = z.enum(['business', 'school'])
export type PartnerKind = z.infer<typeof PartnerKind>

/** How many email addresses a reply contains. The total is a separate field. */
export const EMAILS_SHOWN = 100
export const PILOT_DAYS = 90

export const PartnerBusiness = z.object({
  id: Id,
  name: z.string(),
  kind: PartnerKind,
  status: PartnerStatus,
  repName: z.string().nullable(),
  repEmail: z.string(),
  /** The first 100 addresses of the list. */
  emailList: z.array(z.string()),
  emailListSize: z.int(),
  timesContacted: z.int(),
  lastContact: Moment.nullable(),
  /** Customers on the list who booked or had a session in the last 30 days. */
  activeUsers: z.int(),
  /** On-site sessions that took place. */
  onSiteSessions: z.int(),
  /** Booked slots of those sessions plus completed sessions of customers on the list. */
  totalUserSessions: z.int(),
  /** Completed payments of customers on the list, less refunds. */
  totalRevenue: Dollars,
  /** Average rating of all those sessions. */
  avgRating: z.number().nullable(),
  renewalDate: Day.nullable(),
  pilotEndsOn: Day.nullable(),
  /** Why the partnership ended. */
  endedReason: z.string().nullable(),
  version: Version,
})
export type PartnerBusiness = z.infer<typeof PartnerBusiness>

const permission = 'growth.tab'
const notFound = [404, 'This partner does not exist.'] as const

export const listPartners = defineCall({
  method: 'GET',
  path: '/api/marketing/partner/businesses',
  summary: 'Partners by name, with the results of the partnership',
  permission,
  query: z.strictObject({
    ...pageQuery({ limit: 50 }),
    status: PartnerStatus.or(z.literal('')).default(''),
    kind: PartnerKind.or(z.literal('')).default(''),
    search: z.string().trim().max(100).default(''),
  }),
  reply: z.object({
    businesses: z.array(PartnerBusiness),
    pagination: Pagination,
    /** Totals by kind, independent of the filter. */
    kinds: z.object({ business: z.int(), school: z.int() }),
  }),
})

export const exportPartners = exportCall(listPartners, 'partners')

const PartnerNote = z.object({
  id: Id,
  note: z.string(),
  /** The status that started with this note. */
  status: PartnerStatus.nullable(),
  by: z.string().nullable(),
  at: Moment,
})

export const PartnerDetail = PartnerBusiness.extend({
  /** Newest first. */
  notes: z.array(PartnerNote),
})
export type PartnerDetail = z.infer<typeof PartnerDetail>

const params = z.strictObject({ id: IdText })

export const readPartner = defineCall({
  method: 'GET',
  path: '/api/marketing/partner/businesses/:id',
  summary: 'One partner with its notes',
  permission,
  params,
  reply: PartnerDetail,
  refusals: { not_found: notFound },
})

export const changePartner = defineCall({
  method: 'PATCH',
  path: '/api/marketing/partner/businesses/:id',
  summary: 'Change the status of a partnership, with a dated note; or mark the partner as a school',
  permission,
  params,
  body: z.strictObject({
    status: PartnerStatus.optional(),
    /** Why the partnership ended. Required for `inactive`. */
    reason: Text(500, 0).optional(),
    /** Required for `active`. */
    renewalDate: Day.optional(),
    /** Added to the dated note that every change creates. */
    note: Text(1500, 0).optional(),
    kind: PartnerKind.optional(),
    version: Version.optional(),
  }),
  reply: PartnerDetail,
  refusals: {
    not_found: notFound,
    stale: staleRefusal('this partner', PartnerDetail),
    archived: [409, 'This partner is archived. Restore it in the business administration first.'],
    no_reason: [422, 'Enter the reason why the partnership ended.'],
    no_renewal: [422, 'An active partner needs a renewal date.'],
    past_renewal: [422, 'The renewal date is in the past.'],
  },
})
export type ChangePartner = BodyOf<typeof changePartner>

export const notePartner = defineCall({
  method: 'POST',
  path: '/api/marketing/partner/businesses/:id/notes',
  summary: 'Add a dated note to a partner',
  permission,
  params,
  body: z.strictObject({ note: Text(2000) }),
  reply: PartnerDetail,
  refusals: { not_found: notFound },
})

export const SessionParticipant = z.object({
  slotTime: z.string(),
  name: z.string(),
  email: z.string(),
  rating: z.int().nullable(),
})
export type SessionParticipant = z.infer<typeof SessionParticipant>

export const PartnerSession = z.object({
  id: Id,
  businessId: Id,
  business: z.string(),
  /** Date and time in the time zone of the partner's zone. */
  date: Day,
  time: z.string(),
  location: z.string().nullable(),
  /** Minutes. */
  slotLength: z.int().nullable(),
  /** The person to contact and their email. */
  contact: z.string(),
  contactEmail: z.string(),
  assignedStretcher: z.string().nullable(),
  participants: z.array(SessionParticipant),
})
export type PartnerSession = z.infer<typeof PartnerSession>

const sessions = {
  method: 'GET',
  permission,
  query: z.strictObject({
    ...pageQuery({ limit: 10 }),
    kind: PartnerKind.or(z.literal('')).default(''),
    businessId: IdText.optional(),
  }),
  reply: z.object({ sessions: z.array(PartnerSession), pagination: Pagination }),
} as const

export const listUpcomingSessions = defineCall({
  ...sessions,
  path: '/api/marketing/partner/upcoming-sessions',
  summary: 'On-site sessions that have not ended, the next one first',
})

export const listPastSessions = defineCall({
  ...sessions,
  path: '/api/marketing/partner/past-sessions',
  summary: 'On-site sessions that took place, newest first',
})
export type PartnerSessions = ReplyOf<typeof listPastSessions>

export const exportUpcomingSessions = exportCall(listUpcomingSessions, 'upcoming-sessions')
export const exportPastSessions = exportCall(listPastSessions, 'past-sessions')

/** The server refuses more recipients than this. Above the other limit it requires a recent passkey check. */
export const MAX_RECIPIENTS = 1_000
export const PASSKEY_ABOVE = 100

export const sendOutreach = defineCall({
  method: 'POST',
  path: '/api/marketing/partner/send-email',
  summary: 'Send an email to partners; addresses that opted out are skipped',
  permission,
  limit: { by: 'worker', times: 30, seconds: 60 },
  body: z.strictObject({
    // The server checks the maximum, so that the refusal has its own text.
    recipients: z.array(Email).min(1, 'needs at least one address').max(50_000),
    subject: Line(200),
    header: Line(200, 0).default(''),
    body: Text(20_000),
    businessId: Id.nullable().default(null),
  }),
  bodyLimit: 1_048_576,
  reply: z.object({
    success: z.literal(true),
    /** How many emails were queued. */
    sent: z.int(),
    /** How many addresses opted out or cannot be reached. */
    skipped: z.int(),
    /** The skipped addresses. */
    skippedAddresses: z.array(z.string()),
  }),
  refusals: {
    not_found: notFound,
    too_many: [413, `Write to at most ${formatInteger(MAX_RECIPIENTS)} people at once.`],
    nobody_left: [422, 'Everyone on this list has opted out or cannot be reached. Nothing was sent.'],
  },
})
export type SendOutreach = BodyOf<typeof sendOutreach>
