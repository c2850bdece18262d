import { z } from 'zod'
import { defineCall, staleRefusal } from '#kit/call.ts'
import { weekStarts } from '#kit/company-time.ts'
import { Email, Line, Moment, Version } from '#kit/values.ts'
import { NOT_OWNER } from './owner.ts'

const MB = 1024 * 1024
export const MAX_LOGO_BYTES = 2 * MB
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const

/** Empty text: not filled in. */
const optional = (max: number) => Line(max, 0)

export const companyFields = {
  name: Line(80),
  legal_name: optional(120),
  address_line: optional(120),
  city: optional(80),
  state: optional(40),
  postal_code: optional(12),
  phone: optional(40),
  /** Where replies to emails go. */
  reply_to: z.union([z.literal(''), Email]),
  time_zone: z.string().max(64),
  week_starts_on: z.enum(weekStarts),
}

export const Company = z.object({
  name: z.string(),
  legal_name: z.string(),
  address_line: z.string(),
  city: z.string(),
  state: z.string(),
  postal_code: z.string(),
  phone: z.string(),
  reply_to: z.string(),
  time_zone: z.string(),
  week_starts_on: z.enum(weekStarts),
  /** The path of the logo. */
  logo: z.string().nullable(),
  /** Null until someone fills in the profile. */
  saved_at: Moment.nullable(),
  version: Version,
})
export type Company = z.infer<typeof Company>

export const readCompany = defineCall({
  method: 'GET',
  path: '/api/company',
  summary: 'Read the company profile',
  permission: 'access.manage',
  reply: z.object({
    company: Company,
    /** The deprecated COMPANY_ADDRESS, while it is used because the profile has no address. */
    address_from_environment: z.string().nullable(),
    is_guide_hidden: z.boolean(),
  }),
})

const stale = staleRefusal('the company profile', Company)

export const updateCompany = defineCall({
  method: 'PATCH',
  path: '/api/company',
  summary: 'Change the company profile; its time zone applies everywhere at once',
  permission: 'access.manage',
  stepUp: true,
  body: z.strictObject({ ...companyFields, version: Version }),
  reply: z.object({ company: Company }),
  refusals: {
    not_owner: NOT_OWNER,
    stale,
    bad_time_zone: [422, 'This is not a time zone name. Use a name such as America/Los_Angeles.'],
    uneven_time_zone: [422, 'Usage is counted by full hours, so the time zone must differ from UTC by full hours.'],
  },
})

export const uploadLogo = defineCall({
  method: 'POST',
  path: '/api/company/logo',
  summary: 'Replace the logo of the company',
  permission: 'access.manage',
  stepUp: true,
  bodyType: 'multipart',
  bodyLimit: MAX_LOGO_BYTES + 10_000,
  limit: { by: 'worker', times: 30, seconds: 600 },
  body: z.strictObject({ file: z.custom<object>() }),
  reply: z.object({ company: Company }),
  refusals: {
    not_owner: NOT_OWNER,
    malformed: [400, "The upload couldn't be read. Try again."],
    wrong_type: [422, 'Use a PNG, JPEG or WebP image.'],
    damaged: [422, 'This image is damaged. Use another one.'],
    too_large: [413, 'The logo must be at most 2 MB.'],
    quota: [429, 'You have uploaded too much today. Try again tomorrow.'],
    storage_full: [503, 'There is no space left for files. Ask whoever runs the server.'],
  },
})

export const removeLogo = defineCall({
  method: 'DELETE',
  path: '/api/company/logo',
  summary: 'Remove the logo of the company',
  permission: 'access.manage',
  stepUp: true,
  reply: z.object({ company: Company }),
  refusals: { not_owner: NOT_OWNER },
})

/** Public, because verification pages show it. */
export const readLogo = defineCall({
  method: 'GET',
  path: '/api/company/logo/:name',
  summary: 'Get the logo of the company',
  permission: 'public',
  params: z.strictObject({ name: z.string().max(60) }),
  limit: { by: 'address', times: 120, seconds: 60 },
  reply: z.unknown(),
  replyType: 'stream',
  refusals: {
    not_found: [404, 'This logo no longer exists.'],
    bad_range: [416, 'The file has no such range.'],
  },
})
