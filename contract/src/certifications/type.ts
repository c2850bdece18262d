import { z } from 'zod'
import { defineCall, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Id, IdText, Line, Version } from '#kit/values.ts'
import { Key } from '#training/values.ts'

/** A course that a certification needs. */
export const NeededCourse = z.object({ id: z.string(), courseName: z.string() })

export const CertificationType = z.object({
  id: Id,
  certificationName: z.string(),
  description: z.string(),
  /** How many months a certification is valid. Null: it does not expire. */
  validMonths: z.int().nullable(),
  /** Stretchers need a valid one for on-site sessions. */
  isRequired: z.boolean(),
  /** Can no longer be issued. Existing certifications stay valid. */
  isRetired: z.boolean(),
  /** The courses that must be completed before it is issued. */
  courses: z.array(NeededCourse),
  /** Certifications of this type, and how many of them are valid today. */
  certifications: z.int(),
  valid: z.int(),
  version: Version,
})
export type CertificationType = z.infer<typeof CertificationType>

const fields = {
  certificationName: Line(120),
  description: z.string().trim().max(1000, 'must be at most 1,000 characters').default(''),
  validMonths: z.int().min(1, 'must be at least 1').max(240, 'must be at most 240').nullable().default(null),
  isRequired: z.boolean().default(false),
  /** The keys of the courses that it needs. Left out, they do not change. */
  courses: z.array(Key).max(20, 'must be at most 20 courses').optional(),
}
const params = z.strictObject({ id: IdText })
const notFound = [404, 'This certification type does not exist.'] as const
const nameTaken = [409, 'Another certification type has this name.'] as const
const noCourse = [422, 'One of these courses does not exist. Reload and select again.'] as const
const stale = staleRefusal('this certification type', CertificationType)

/** Not paged: there are at most 200 types. */
export const listCertificationTypes = defineCall({
  method: 'GET',
  path: '/certifications/types',
  summary: 'List certification types by name, with the number of certifications',
  permission: 'businesses.manage',
  reply: z.object({
    types: z.array(CertificationType),
    /** The courses that a type can need, by name. */
    courses: z.array(NeededCourse),
  }),
})

export const exportCertificationTypes = exportCall(listCertificationTypes, 'certification-types', {
  path: '/api/certifications/types/export',
})

export const createCertificationType = defineCall({
  method: 'POST',
  path: '/certifications/types',
  summary: 'Add a certification type',
  permission: 'businesses.manage',
  body: z.strictObject(fields),
  reply: CertificationType,
  refusals: {
    name_taken: nameTaken,
    no_course: noCourse,
    too_many: [422, 'You have reached the limit of 200 certification types. Delete an unused one first.'],
  },
})

export const updateCertificationType = defineCall({
  method: 'PUT',
  path: '/certifications/types/:id',
  summary: 'Change a certification type; issued certifications keep their last valid day',
  permission: 'businesses.manage',
  params,
  body: z.strictObject({ ...fields, isRetired: z.boolean().default(false), version: Version.optional() }),
  reply: CertificationType,
  refusals: { not_found: notFound, name_taken: nameTaken, no_course: noCourse, stale },
})

export const deleteCertificationType = defineCall({
  method: 'DELETE',
  path: '/certifications/types/:id',
  summary: 'Delete an unused certification type',
  permission: 'businesses.manage',
  params,
  reply: z.object({ id: Id }),
  refusals: {
    not_found: notFound,
    in_use: [409, 'This type is used by {what} and cannot be deleted. Retire it instead.'],
  },
})
