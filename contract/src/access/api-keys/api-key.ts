import { z } from 'zod'
import { defineCall, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Day, Id, IdText, Line, Moment, Version } from '#kit/values.ts'
import { ApiScope, ApiScopes } from './scopes.ts'

export const DEFAULT_REQUESTS_PER_MINUTE = 600
export const MAX_REQUESTS_PER_MINUTE = 60_000
export const MAX_NETWORKS = 20
/** A rotated secret keeps working for a week at most. */
export const MAX_OVERLAP_HOURS = 168
export const USAGE_DAYS = 30
export const MAX_API_KEYS = 200

/** The system that uses a key; it owns the external ids that come with it. */
export const ApiSource = z
  .string()
  .trim()
  .max(40, 'has more than 40 characters')
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lowercase letters, digits and single hyphens for the source.')

/** A network in CIDR notation. A single address is a network of one. */
export const Network = z
  .string()
  .trim()
  .transform((text) => (text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`))
  .pipe(z.union([z.cidrv4(), z.cidrv6()], 'Enter networks in CIDR notation, such as 203.0.113.0/24.'))

export const ApiKey = z.object({
  id: Id,
  /** The part of the key that is not secret: `lmb_<publicId>_…`. */
  publicId: z.string(),
  name: z.string(),
  source: z.string(),
  scopes: z.array(ApiScope),
  networks: z.array(z.string()),
  requestsPerMinute: z.int(),
  /** The last day on which the key works, in company time, and the moment at which that day ends. */
  expiresOn: Day.nullable(),
  expiresAt: Moment.nullable(),
  createdAt: Moment,
  /** Empty when the key was created on the command line. */
  createdBy: z.string().nullable(),
  revokedAt: Moment.nullable(),
  revokedBy: z.string().nullable(),
  lastUsedAt: Moment.nullable(),
  lastUsedAddress: z.string().nullable(),
  /** The last rotation, and when the secret before it stops working. */
  rotation: z.object({ at: Moment, by: z.string().nullable(), oldEndsAt: Moment }).nullable(),
  /** Of the last 30 days. */
  calls: z.int(),
  errors: z.int(),
  version: Version,
})
export type ApiKey = z.infer<typeof ApiKey>

export const ApiKeyUsage = z.object({
  /** One entry per day in company time, oldest first; today is the last. */
  days: z.array(z.object({ day: Day, calls: z.int(), errors: z.int() })),
  /** The most calls in one minute of today. */
  peakToday: z.int(),
})
export type ApiKeyUsage = z.infer<typeof ApiKeyUsage>

const params = z.strictObject({ id: IdText })
const one = z.object({ key: ApiKey })
/** The whole key is shown here and never again. */
const withToken = z.object({ key: ApiKey, token: z.string() })

const name = Line(60)
const expiresOn = Day.nullable()
const networks = z.array(Network).max(MAX_NETWORKS)
const requestsPerMinute = z.int().min(1).max(MAX_REQUESTS_PER_MINUTE)

const notFound = [404, 'This API key does not exist.'] as const
const nameTaken = [409, 'Another API key has this name.'] as const
const expired = [422, 'The last day of the key is in the past. Select a later day.'] as const
const revoked = [409, 'This API key is revoked. Create a new one.'] as const

export const listApiKeys = defineCall({
  method: 'GET',
  path: '/api/access/api-keys',
  summary: 'API keys by name, with their use in the last 30 days; revoked ones come last',
  permission: 'access.manage',
  reply: z.object({
    keys: z.array(ApiKey),
    /** Variables of the environment that API keys replace and that are still set. */
    deprecated: z.array(z.object({ variable: z.string(), scope: ApiScope, callsToday: z.int() })),
  }),
})

export const exportApiKeys = exportCall(listApiKeys, 'api-keys')
export type ApiKeyList = z.infer<(typeof listApiKeys)['reply']>

export const readApiKeyUsage = defineCall({
  method: 'GET',
  path: '/api/access/api-keys/:id/usage',
  summary: 'Calls and errors of an API key by day, for 30 days',
  permission: 'access.manage',
  params,
  reply: ApiKeyUsage,
  refusals: { not_found: notFound },
})

export const createApiKey = defineCall({
  method: 'POST',
  path: '/api/access/api-keys',
  summary: 'Create an API key; the reply shows it once',
  permission: 'access.manage',
  stepUp: true,
  body: z.strictObject({
    name,
    source: ApiSource,
    scopes: ApiScopes,
    expiresOn: expiresOn.default(null),
    networks: networks.default([]),
    requestsPerMinute: requestsPerMinute.default(DEFAULT_REQUESTS_PER_MINUTE),
  }),
  reply: withToken,
  refusals: {
    name_taken: nameTaken,
    expired,
    too_many: [422, `You have reached the limit of ${MAX_API_KEYS} API keys. Revoke one first.`],
  },
})

/** The source stays: external ids belong to it. */
export const updateApiKey = defineCall({
  method: 'PATCH',
  path: '/api/access/api-keys/:id',
  summary: 'Change the name, scopes, expiry, networks or limit of an API key; it applies to the next request',
  permission: 'access.manage',
  stepUp: true,
  params,
  body: z.strictObject({
    name: name.optional(),
    scopes: ApiScopes.optional(),
    expiresOn: expiresOn.optional(),
    networks: networks.optional(),
    requestsPerMinute: requestsPerMinute.optional(),
    version: Version,
  }),
  reply: one,
  refusals: {
    not_found: notFound,
    name_taken: nameTaken,
    expired,
    revoked,
    stale: staleRefusal('this API key', ApiKey),
  },
})

export const rotateApiKey = defineCall({
  method: 'POST',
  path: '/api/access/api-keys/:id/rotate',
  summary: 'Give an API key a new secret, shown once; the old one works for the hours named',
  permission: 'access.manage',
  stepUp: true,
  params,
  body: z.strictObject({ overlapHours: z.int().min(0).max(MAX_OVERLAP_HOURS) }),
  reply: withToken,
  refusals: { not_found: notFound, revoked },
})

export const revokeApiKey = defineCall({
  method: 'POST',
  path: '/api/access/api-keys/:id/revoke',
  summary: 'Revoke an API key: its next request is refused',
  permission: 'access.manage',
  stepUp: true,
  params,
  body: z.strictObject({}),
  reply: one,
  refusals: { not_found: notFound, revoked },
})

export const readOwnApiKey = defineCall({
  method: 'GET',
  path: '/api/v1/me',
  summary: 'The API key that makes this request: name, source, scopes and limits',
  permission: 'api-key',
  reply: z.object({
    id: z.string(),
    name: z.string(),
    source: z.string(),
    scopes: z.array(ApiScope),
    networks: z.array(z.string()),
    expires_at: Moment.nullable(),
    limits: z.object({ requests_per_minute: z.int() }),
  }),
  replyExample: {
    id: 'AbCdEfGh',
    name: 'Customer app',
    source: 'app',
    scopes: ['customers:read', 'customers:write'],
    networks: [],
    expires_at: null,
    limits: { requests_per_minute: 600 },
  },
})
