import { z } from 'zod'
import { defineCall, type InputOf, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Day, Id, IdText, Line, Moment, Text, Version } from '#kit/values.ts'

/** Expired: after the last valid day. Revoked: permanently withdrawn. */
export const CertificationStatus = z.enum(['valid', 'expired', 'revoked'])
export type CertificationStatus = z.infer<typeof CertificationStatus>

export const Certification = z.object({
  id: Id,
  shortId: z.string(),
  /** `user_id` and `userId` are the same user. */
  user_id: Id,
  userId: Id,
  userName: z.string(),
  userEmail: z.string(),
  certificationTypeId: Id,
  certificationName: z.string(),
  name: z.string(),
  instructor: z.string(),
  dateIssued: Day,
  validUntil: Day.nullable(),
  status: CertificationStatus,
  revoked: z.object({ at: Moment, reason: z.string(), by: z.string().nullable() }).nullable(),
  /** When the public page was first opened. After that the certification can only be revoked. */
  openedAt: Moment.nullable(),
  issuedBy: z.string().nullable(),
  /** The public page. */
  verificationUrl: z.url(),
  version: Version,
})
export type Certification = z.infer<typeof Certification>

export const CertificationFilter = z.enum(['all', 'valid', 'expiring', 'expired', 'revoked'])
export type CertificationFilter = z.infer<typeof CertificationFilter>

export const CertificationSort = z.enum(['issued', 'until', 'user', 'type'])
export type CertificationSort = z.infer<typeof CertificationSort>

/** How many days before the last valid day a stretcher gets a warning by email. */
export const WARNING_DAYS = [60, 30, 7] as const

/** A certification counts as expiring when its last valid day is within this many days. */
export const EXPIRING_DAYS = 30

export const listCertifications = defineCall({
  method: 'GET',
  path: '/certifications',
  summary: 'List certifications with search and filters, newest first by default',
  permission: 'businesses.manage',
  query: z.strictObject({
    ...pageQuery({ limit: 20 }),
    search: z.string().trim().max(200).default(''),
    status: CertificationFilter.default('all'),
    type: IdText.optional(),
    user: IdText.optional(),
    sort: CertificationSort.default('issued'),
    order: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: z.object({
    certifications: z.array(Certification),
    pagination: Pagination,
    /** Counts all certifications, regardless of the filter. */
    counts: z.object({ valid: z.int(), expiring: z.int(), expired: z.int(), revoked: z.int() }),
  }),
})

export const exportCertifications = exportCall(listCertifications, 'certifications', {
  path: '/api/certifications/export',
})

// Forms send ids as text, programs as numbers.
const AnyId = z.union([Id, IdText], {
  error: (issue) => (issue.input === undefined ? 'is required' : 'must be a whole number'),
})

const draft = {
  userId: AnyId.optional(),
  user_id: AnyId.optional(),
  certificationTypeId: AnyId,
  name: Line(120),
  instructor: Line(120),
  /** Defaults to today. */
  dateIssued: Day.optional(),
  /** Defaults to the validity of the type. Null: it does not expire. */
  validUntil: Day.nullable().optional(),
  version: Version.optional(),
}

interface UserIds {
  userId?: number | undefined
  user_id?: number | undefined
}

/** Merges `userId` and `user_id` into one. Neither, or two different users, is an error. */
function mergeUserIds<T extends UserIds>({ userId, user_id, ...rest }: T, context: z.RefinementCtx) {
  const user = userId ?? user_id
  const fault =
    user === undefined ? 'is required' : user_id !== undefined && user !== user_id ? 'must match user_id' : undefined
  if (fault) context.addIssue({ code: 'custom', path: ['userId'], message: fault })
  return { ...rest, userId: user ?? 0 }
}

const CertificationDraft = z.strictObject(draft).transform(mergeUserIds)

const params = z.strictObject({ id: IdText })
const notFound = [404, 'This certification does not exist.'] as const
const stale = staleRefusal('this certification', Certification)
const revoked = [409, 'This certification was revoked and can no longer be changed.'] as const
const draftRefusals = {
  no_user: [422, 'There is no user with this ID.'],
  closed_user: [422, 'This account was merged or erased. Select another user.'],
  no_type: [422, 'There is no certification type with this ID.'],
  future: [422, 'The issue date cannot be in the future.'],
  ends_before: [422, 'The last valid day cannot be before the issue date.'],
  retired: [422, 'This certification type is retired. Select another type.'],
  courses_missing: [422, '{name} has not completed these courses yet: {courses}.'],
} as const

export const readCertification = defineCall({
  method: 'GET',
  path: '/certifications/:id',
  summary: 'One certification',
  permission: 'businesses.manage',
  params,
  reply: Certification,
  refusals: { not_found: notFound },
})

export const createCertification = defineCall({
  method: 'POST',
  path: '/certifications',
  summary: 'Issue a certification and publish its page',
  permission: 'businesses.manage',
  body: CertificationDraft,
  reply: Certification,
  refusals: draftRefusals,
})
export type CertificationInput = InputOf<typeof createCertification>['body']

export const updateCertification = defineCall({
  method: 'PUT',
  path: '/certifications/:id',
  summary: 'Change a certification; its user and type are fixed once its link was opened',
  permission: 'businesses.manage',
  params,
  body: CertificationDraft,
  reply: Certification,
  refusals: {
    ...draftRefusals,
    not_found: notFound,
    stale,
    revoked,
    opened: [
      409,
      'The link of this certification was opened, so its user and type cannot change. Revoke it and issue a new one.',
    ],
  },
})

export const revokeCertification = defineCall({
  method: 'POST',
  path: '/certifications/:id/revoke',
  summary: 'Revoke a certification; its public page shows this immediately',
  permission: 'businesses.manage',
  params,
  body: z.strictObject({ reason: Text(500), version: Version.optional() }),
  reply: Certification,
  refusals: { not_found: notFound, stale, revoked: [409, 'This certification is already revoked.'] },
})

export const deleteCertification = defineCall({
  method: 'DELETE',
  path: '/certifications/:id',
  summary: 'Delete a certification, or revoke it if its link was opened',
  permission: 'businesses.manage',
  params,
  reply: z.object({ id: Id, outcome: z.enum(['deleted', 'revoked']) }),
  refusals: {
    not_found: notFound,
    kept: [
      409,
      'This certification cannot be deleted. Its link was opened, so its public page must keep showing that it was revoked.',
    ],
  },
})

export const DueCertification = z.object({
  userId: Id,
  userName: z.string(),
  certificationTypeId: Id,
  certificationName: z.string(),
  /** When the last needed course was completed. */
  completedAt: Moment,
})

export type DueCertification = z.infer<typeof DueCertification>

export const CertificationRenewal = z.object({
  certificationId: Id,
  userId: Id,
  userName: z.string(),
  certificationTypeId: Id,
  certificationName: z.string(),
  /** Stretchers need it for on-site sessions. */
  isRequired: z.boolean(),
  /** The last valid day. */
  validUntil: Day,
})
export type CertificationRenewal = z.infer<typeof CertificationRenewal>

/** For how many days a certification that is not required counts as lapsed. */
export const LAPSED_DAYS = 90

export const listDueCertifications = defineCall({
  method: 'GET',
  path: '/api/certifications/due',
  summary: 'Certifications of stretchers to decide about, up to 50 of each kind',
  permission: 'businesses.manage',
  reply: z.object({
    /** Every course was completed after the last one was issued. The longest waiting first. */
    due: z.array(DueCertification),
    /** Lapsed, or about to expire, without a longer one of the same type. Required ones that lapsed first. */
    renewals: z.array(CertificationRenewal),
  }),
})

export const Holder = z.object({ id: Id, name: z.string(), email: z.string(), isStretcher: z.boolean() })
export type Holder = z.infer<typeof Holder>

/** Finds users who can receive a certification. Merged and erased accounts are left out. */
export const findHolders = defineCall({
  method: 'GET',
  path: '/api/certifications/holders',
  summary: 'Find up to eight users by ID, name or email, stretchers first',
  permission: 'businesses.manage',
  query: z.strictObject({ search: z.string().trim().min(1).max(200) }),
  reply: z.object({ holders: z.array(Holder) }),
})
