import { z } from 'zod'
import { type BodyOf, defineCall, type QueryOf, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { Dollars } from '#kit/dollars.ts'
import { formatInteger } from '#kit/formats/numbers.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Day, Email, Id, IdText, Line, Moment, Text, Version } from '#kit/values.ts'

/** How far a partnership is. Inactive: active without a day of renewal, or ended with a reason. */
export const PartnerStatus = z.enum(['contacted', 'pending', 'active', 'inactive'])
export type PartnerStatus = z.infer<typeof PartnerStatus>
export const PartnerKind = z.enum(['business', 'school'])
export type PartnerKind = z.infer<typeof PartnerKind>

/** How many addresses of a list a reply carries; how many there are is said beside it. */
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
  /** People on the list who booked or had a session within 30 days. */
  activeUsers: z.int(),
  /** On-site sessions that took place. */
  onSiteSessions: z.int(),
  /** Slots taken at those, and completed sessions of people on the list. */
  totalUserSessions: z.int(),
  /** Completed payments of people on the list, less refunds. */
  totalRevenue: Dollars,
  /** Mean of the ratings of all those sessions. */
  avgRating: z.number().nullable(),
  renewalDate: Day.nullable(),
  pilotEndsOn: Day.nullable(),
  /** Why it ended. */
  endedReason: z.string().nullable(),
  version: Version,
})
export type PartnerBusiness = z.infer<typeof PartnerBusiness>

const permission = 'growth.tab'
const notFound = [404, 'This partner does not exist.'] as const

export const listPartners = defineCall({
  method: 'GET',
  path: '/api/marketing/partner/businesses',
  summary: 'Partners by name, with what came of the partnership',
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
    /** How many there are of each kind, whatever is asked for. */
    kinds: z.object({ business: z.int(), school: z.int() }),
  }),
})
export type PartnerQuery = QueryOf<typeof listPartners>
export type PartnerList = ReplyOf<typeof listPartners>

const PartnerNote = z.object({
  id: Id,
  note: z.string(),
  /** The status that began with this note. */
  status: PartnerStatus.nullable(),
  by: z.string().nullable(),
  at: Moment,
})

export const PartnerDetail = PartnerBusiness.extend({
  /** The newest first. */
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
  summary: 'Move a partnership on, with a dated note; or say that the partner is a school',
  permission,
  params,
  body: z.strictObject({
    status: PartnerStatus.optional(),
    /** Why it ended; needed for `inactive`. */
    reason: Text(500, 0).optional(),
    /** Needed for `active`. */
    renewalDate: Day.optional(),
    /** Beside the dated line that every change leaves. */
    note: Text(1500, 0).optional(),
    kind: PartnerKind.optional(),
    version: Version.optional(),
  }),
  reply: PartnerDetail,
  refusals: {
    not_found: notFound,
    stale: staleRefusal('this partner', PartnerDetail),
    archived: [409, 'This partner is archived. Restore it in the business administration first.'],
    no_reason: [422, 'Say why the partnership ended.'],
    no_renewal: [422, 'An active partner needs a day of renewal.'],
    past_renewal: [422, 'The day of renewal lies in the past.'],
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
  /** Day and time by the clocks of the partner's zone. */
  date: Day,
  time: z.string(),
  location: z.string().nullable(),
  /** Minutes. */
  slotLength: z.int().nullable(),
  /** Whom to ask, and how. */
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
  summary: 'On-site sessions that have not ended, the next first',
})

export const listPastSessions = defineCall({
  ...sessions,
  path: '/api/marketing/partner/past-sessions',
  summary: 'On-site sessions that took place, the newest first',
})
export type PartnerSessions = ReplyOf<typeof listPastSessions>

/** More than this many recipients are refused; above the other number a fresh passkey is asked for. */
export const MAX_RECIPIENTS = 1_000
export const PASSKEY_ABOVE = 100

export const sendOutreach = defineCall({
  method: 'POST',
  path: '/api/marketing/partner/send-email',
  summary: 'Write to partners; opted-out addresses are left out',
  permission,
  limit: { by: 'worker', times: 30, seconds: 60 },
  body: z.strictObject({
    // How many there may be is checked by the server, which says so in words.
    recipients: z.array(Email).min(1, 'needs at least one address').max(50_000),
    subject: Line(200),
    header: Line(200, 0).default(''),
    body: Text(20_000),
    businessId: Id.nullable().default(null),
  }),
  bodyLimit: 1_048_576,
  reply: z.object({
    success: z.literal(true),
    /** How many mails were posted. */
    sent: z.int(),
    /** How many addresses had opted out or cannot be reached. */
    skipped: z.int(),
    /** Which ones. */
    skippedAddresses: z.array(z.string()),
  }),
  refusals: {
    not_found: notFound,
    too_many: [413, `Write to at most ${formatInteger(MAX_RECIPIENTS)} people at once.`],
    nobody_left: [422, 'Everybody on this list has opted out of such mails, or cannot be reached. Nothing was sent.'],
  },
})
export type SendOutreach = BodyOf<typeof sendOutreach>
