import { z } from 'zod'
import { CertificationStatus } from '#certifications/certification.ts'
import { defineCall, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { type Field, labelsOf, shapeOf } from '#kit/fields.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Day, Email, Id, IdText, Line, Moment, Text, Version } from '#kit/values.ts'

export const StretcherStatus = z.enum(['active', 'in_training', 'inactive'])
export type StretcherStatus = z.infer<typeof StretcherStatus>

/** Whether a stretcher can take a session today, and if not, why. */
export const Readiness = z.enum(['ready', 'in_training', 'not_certified', 'inactive'])
export type Readiness = z.infer<typeof Readiness>

export const Stretcher = z.object({
  id: Id,
  /** The user account that they sign in with. */
  userId: Id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  zone: z.object({ id: Id, name: z.string() }).nullable(),
  status: StretcherStatus,
  readiness: Readiness,
  hiredAt: Moment,
  /** Required courses the stretcher is enrolled in, and how many of them are completed. */
  training: z.object({ required: z.int(), completed: z.int() }),
  /** `expiring` counts the valid ones that expire within 30 days. */
  certifications: z.object({ valid: z.int(), expiring: z.int(), expired: z.int(), revoked: z.int() }),
  /** Sessions that have not started yet. */
  upcoming: z.object({ bookings: z.int(), onsite: z.int(), nextAt: Moment.nullable() }),
  version: Version,
})
export type Stretcher = z.infer<typeof Stretcher>

export const StretcherDetail = Stretcher.extend({
  dateOfBirth: Day.nullable(),
  trainedAt: Moment.nullable(),
  deactivated: z.object({ at: Moment, reason: z.string().nullable(), by: z.string().nullable() }).nullable(),
  certificationList: z.array(
    z.object({
      id: Id,
      shortId: z.string(),
      certificationName: z.string(),
      dateIssued: Day,
      validUntil: Day.nullable(),
      status: CertificationStatus,
    }),
  ),
  /** What sessions take: the required courses of the stretcher, and every required certification, by name. */
  requirements: z.object({
    courses: z.array(z.object({ id: z.string(), courseName: z.string(), completedAt: Moment.nullable() })),
    certifications: z.array(
      z.object({
        /** The certification type. */
        id: Id,
        certificationName: z.string(),
        state: z.enum(['valid', 'expiring', 'expired', 'missing']),
        /** The last valid day. Null if there is none, or if it does not expire. */
        validUntil: Day.nullable(),
        /** The courses that the type needs. */
        courses: z.array(z.object({ id: z.string(), courseName: z.string(), completedAt: Moment.nullable() })),
      }),
    ),
  }),
  /** The next ten sessions. */
  sessions: z.array(
    z.object({
      kind: z.enum(['booking', 'onsite']),
      id: Id,
      startsAt: Moment,
      endsAt: Moment,
      /** The business of an on-site session, the zone of a booking. */
      place: z.string(),
      businessId: Id.nullable(),
      /** The first required certification that is missing on that day, for an on-site session. */
      lacks: z.string().nullable(),
    }),
  ),
})
export type StretcherDetail = z.infer<typeof StretcherDetail>

export const StretcherFilter = z.enum(['all', 'active', 'in_training', 'inactive', 'not_certified'])
export type StretcherFilter = z.infer<typeof StretcherFilter>

export const listStretchers = defineCall({
  method: 'GET',
  path: '/api/stretchers',
  summary: 'List stretchers by name, with search and filters',
  permission: 'businesses.manage',
  query: z.strictObject({
    ...pageQuery({ limit: 20 }),
    search: z.string().trim().max(200).default(''),
    status: StretcherFilter.default('all'),
    /** `none`: stretchers without a zone. */
    zone: z.union([z.literal('none'), IdText]).optional(),
    sort: z.enum(['name', 'hired']).default('name'),
    order: z.enum(['asc', 'desc']).default('asc'),
  }),
  reply: z.object({
    stretchers: z.array(Stretcher),
    pagination: Pagination,
    /** Counts all stretchers, regardless of the filter. `not_certified`: active without a required certification. */
    counts: z.object({ active: z.int(), in_training: z.int(), inactive: z.int(), not_certified: z.int() }),
  }),
})

export const exportStretchers = exportCall(listStretchers, 'stretchers')

const params = z.strictObject({ id: IdText })
const notFound = [404, 'This stretcher does not exist.'] as const
const stale = staleRefusal('this stretcher', StretcherDetail)
const birthRefusals = {
  bad_birth: [422, 'Enter a valid date of birth.'],
  too_young: [422, 'A stretcher must be at least 18 years old.'],
} as const

export const readStretcher = defineCall({
  method: 'GET',
  path: '/api/stretchers/:id',
  summary: 'One stretcher with certifications and upcoming sessions',
  permission: 'businesses.manage',
  params,
  reply: StretcherDetail,
  refusals: { not_found: notFound },
})

/** Leaves out inactive stretchers. */
export const listByZone = defineCall({
  method: 'POST',
  path: '/api/stretchers/by-zone',
  summary: 'List the stretchers of a zone by name',
  permission: 'businesses.manage',
  reads: true,
  body: z.strictObject({ zone_id: Id }),
  reply: z.object({ stretchers: z.array(z.object({ id: Id, name: z.string(), readiness: Readiness })) }),
  refusals: { no_zone: [404, 'This zone does not exist.'] },
})

const NeedsTraining = z.boolean().default(true)
const hireReply = z.object({ stretcher: Stretcher, enrolledCourses: z.int(), message: z.string() })

export const onboardStretcher = defineCall({
  method: 'POST',
  path: '/api/stretchers/onboard-stretcher',
  summary: 'Open an account for a new stretcher',
  permission: 'businesses.manage',
  body: z.strictObject({
    firstName: Line(100),
    lastName: Line(100),
    email: Email,
    dateOfBirth: Day,
    needsTraining: NeedsTraining,
  }),
  reply: hireReply,
  refusals: {
    ...birthRefusals,
    is_stretcher: [409, '{name} is already a stretcher.'],
    is_user: [409, 'A user with this email already exists. Use Promote Existing User.'],
  },
})

export const promoteToStretcher = defineCall({
  method: 'POST',
  path: '/api/stretchers/promote-to-stretcher',
  summary: 'Make an existing user a stretcher',
  permission: 'businesses.manage',
  body: z.strictObject({ email: Email, needsTraining: NeedsTraining }),
  reply: hireReply,
  refusals: {
    no_user: [404, 'There is no user with this email.'],
    is_stretcher: [409, '{name} is already a stretcher.'],
    was_stretcher: [409, '{name} is an inactive stretcher. Activate them in the list instead.'],
    blocked: [409, 'This account is blocked. Unblock it first.'],
  },
})

/** The editable fields of a stretcher, in the order of the form. */
export const stretcherFields = [
  { name: 'firstName', label: 'First name', schema: Line(100) },
  { name: 'lastName', label: 'Last name', schema: Line(100) },
  { name: 'dateOfBirth', label: 'Date of birth', schema: Day.nullable(), kind: 'day' },
  { name: 'zoneId', label: 'Zone', schema: Id.nullable() },
] as const satisfies readonly Field[]
export const stretcherLabels = labelsOf(stretcherFields)

export const updateStretcher = defineCall({
  method: 'PATCH',
  path: '/api/stretchers/:id',
  summary: 'Change the name, date of birth or zone of a stretcher',
  permission: 'businesses.manage',
  params,
  body: z.strictObject({ ...shapeOf(stretcherFields), version: Version.optional() }),
  reply: StretcherDetail,
  refusals: {
    ...birthRefusals,
    not_found: notFound,
    stale,
    no_zone: [422, 'This zone does not exist.'],
    has_onsite: [409, '{name} has {what} scheduled in {zone}. Assign another stretcher first.'],
  },
})

export const deactivateStretcher = defineCall({
  method: 'POST',
  path: '/api/stretchers/:id/deactivate',
  summary: 'Deactivate a stretcher; their upcoming bookings become unassigned',
  permission: 'businesses.manage',
  params,
  body: z.strictObject({
    reason: Text(500),
    /** The number of upcoming bookings the worker saw. The call is refused when it has changed. */
    bookings: z.int().nonnegative().default(0),
    version: Version.optional(),
  }),
  reply: z.object({ stretcher: StretcherDetail, releasedBookings: z.int() }),
  refusals: {
    not_found: notFound,
    stale,
    inactive: [409, '{name} is already inactive.'],
    has_onsite: [409, '{name} has {what} scheduled. Assign another stretcher or cancel first.'],
    has_bookings: [409, '{name} now has {what} scheduled that would become unassigned. Reload and confirm again.'],
  },
})

export const activateStretcher = defineCall({
  method: 'POST',
  path: '/api/stretchers/:id/activate',
  summary: 'Reactivate a stretcher, who works again or continues their training',
  permission: 'businesses.manage',
  params,
  body: z.strictObject({ reason: Text(500), version: Version.optional() }),
  reply: StretcherDetail,
  refusals: { not_found: notFound, stale, not_inactive: [409, '{name} is not inactive.'] },
})

export const finishTraining = defineCall({
  method: 'POST',
  path: '/api/stretchers/:id/finish-training',
  summary: 'Mark the training of a stretcher as finished',
  permission: 'businesses.manage',
  params,
  body: z.strictObject({ reason: Text(500), version: Version.optional() }),
  reply: StretcherDetail,
  refusals: { not_found: notFound, stale, not_training: [409, '{name} is not in training.'] },
})
