import { z } from 'zod'
import { type BodyOf, defineCall, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { type Field, labelsOf, namesOf, shapeOf } from '#kit/fields.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Email, Id, IdText, Line, Moment, Version } from '#kit/values.ts'

/** Contacted, pending (the 90-day pilot), active; inactive means active without a renewal date, or ended. */
export const BusinessStatus = z.enum(['contacted', 'pending', 'active', 'inactive'])
export type BusinessStatus = z.infer<typeof BusinessStatus>

export const Business = z.object({
  id: Id,
  name: z.string(),
  custom_path: z.string(),
  admin_email: z.string(),
  zone_id: Id,
  zone_name: z.string(),
  /** The zone's time zone. Session times of the business use it. */
  time_zone: z.string(),
  rep_name: z.string().nullable(),
  location: z.string().nullable(),
  status: BusinessStatus,
  archived_at: Moment.nullable(),
  version: Version,
})
export type Business = z.infer<typeof Business>

export const BusinessRow = Business.extend({
  /** Prepaid hours that can still be scheduled. */
  available_hours: z.int(),
  scheduled_sessions: z.int(),
})
export type BusinessRow = z.infer<typeof BusinessRow>

const zone = z
  .int({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a whole number') })
  .positive()
  .max(Number.MAX_SAFE_INTEGER)

/** The editable fields of a business, in form order. Only the server validates the path: see `bad_path`. */
export const businessFields = [
  { name: 'name', label: 'Name', schema: Line(120) },
  { name: 'custom_path', label: 'Custom path', schema: z.string().max(200) },
  { name: 'admin_email', label: 'Admin email', schema: Email },
  { name: 'zone_id', label: 'Zone', schema: zone },
  { name: 'rep_name', label: 'Contact name', schema: Line(120, 0).nullish() },
  { name: 'location', label: 'Location', schema: Line(200, 0).nullish() },
] as const satisfies readonly Field[]
export const businessFieldNames = namesOf(businessFields)
export const businessLabels = labelsOf(businessFields)
export type BusinessField = (typeof businessFieldNames)[number]

const fields = shapeOf(businessFields)

const notFound = [404, 'This business does not exist.'] as const
const stale = staleRefusal('this business', Business)
const pathRefusals = {
  bad_path: [422, 'The custom path must be 2 to 60 lowercase letters, digits and single hyphens, such as mission-inn.'],
  reserved_path: [422, 'This custom path is reserved. Enter another one.'],
  path_taken: [409, 'Another business has this custom path.'],
  no_zone: [422, 'This zone does not exist.'],
} as const

export const listBusinesses = defineCall({
  method: 'GET',
  path: '/api/businesses/list',
  summary: 'Businesses by name; searches name, path and admin email',
  permission: 'businesses.manage',
  query: z.strictObject({
    ...pageQuery({ limit: 100, max: 200 }),
    search: z.string().max(200).default(''),
    state: z.enum(['current', 'archived', 'all']).default('current'),
  }),
  reply: z.object({
    businesses: z.array(BusinessRow),
    pagination: Pagination,
    /** Total prepaid hours of all matches that can still be scheduled. */
    available_hours: z.int(),
  }),
})

export const exportBusinesses = exportCall(listBusinesses, 'businesses')

export const readBusiness = defineCall({
  method: 'GET',
  path: '/api/businesses/:id',
  summary: 'One business',
  permission: 'businesses.manage',
  params: z.strictObject({ id: IdText }),
  reply: Business,
  refusals: { not_found: notFound },
})

export const createBusiness = defineCall({
  method: 'POST',
  path: '/api/businesses/create',
  summary: 'Add a business; its 90-day pilot starts today',
  permission: 'businesses.manage',
  body: z.strictObject(fields),
  reply: Business,
  refusals: pathRefusals,
})
export type CreateBusiness = BodyOf<typeof createBusiness>

export const updateBusiness = defineCall({
  method: 'POST',
  path: '/api/businesses/update',
  summary: 'Change a business',
  permission: 'businesses.manage',
  body: z.strictObject({ id: Id, ...fields, version: Version.optional() }),
  reply: Business,
  refusals: {
    ...pathRefusals,
    not_found: notFound,
    stale,
    has_upcoming: [
      409,
      'This business has {what} coming up with stretchers of {zone}. Cancel upcoming sessions first.',
    ],
    is_running: [409, 'A session with a stretcher of {zone} is in progress until {until}. Change the zone after that.'],
  },
})
export type UpdateBusiness = BodyOf<typeof updateBusiness>

/** Also deletes unused blocks and the email list, but never sessions. */
export const deleteBusiness = defineCall({
  method: 'POST',
  path: '/api/businesses/delete',
  summary: 'Delete a business that never had a session, with its unused blocks and its email list',
  permission: 'businesses.manage',
  stepUp: true,
  body: z.strictObject({ id: Id, version: Version.optional() }),
  reply: z.object({ id: Id, deleted_blocks: z.int(), deleted_emails: z.int() }),
  refusals: {
    not_found: notFound,
    stale,
    has_sessions: [409, 'This business has {what}. It cannot be deleted; archive it instead.'],
  },
})

export const archiveBusiness = defineCall({
  method: 'POST',
  path: '/api/businesses/archive',
  summary: 'Archive a business: it keeps its records and accepts no new sessions',
  permission: 'businesses.manage',
  body: z.strictObject({ id: Id, version: Version.optional() }),
  reply: Business,
  refusals: {
    not_found: notFound,
    stale,
    archived: [409, 'This business is already archived.'],
    has_upcoming: [409, 'This business has {what} coming up. Cancel upcoming sessions first.'],
    is_running: [409, 'A session of this business is in progress until {until}. Archive the business after that.'],
  },
})

export const restoreBusiness = defineCall({
  method: 'POST',
  path: '/api/businesses/restore',
  summary: 'Restore an archived business',
  permission: 'businesses.manage',
  body: z.strictObject({ id: Id, version: Version.optional() }),
  reply: Business,
  refusals: { not_found: notFound, stale, not_archived: [409, 'This business is not archived.'] },
})
