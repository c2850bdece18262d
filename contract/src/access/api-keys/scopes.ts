import { z } from 'zod'

/** What an API key can be allowed to read or write. */
export const apiResources = [
  'customers',
  'bookings',
  'transactions',
  'credits',
  'rewards',
  'referrals',
  'participants',
  'stretchers',
  'zones',
  'businesses',
  'sessions',
  'certifications',
  'leads',
  'tickets',
  'events',
  'training',
  'payroll',
  'webhooks',
] as const
export type ApiResource = (typeof apiResources)[number]
export type ApiAccess = 'read' | 'write'
export type ApiScope = `${ApiResource}:${ApiAccess}`

/** Every scope, in the order in which screens list them. */
export const apiScopes: readonly ApiScope[] = apiResources.flatMap((resource): ApiScope[] => [
  `${resource}:read`,
  `${resource}:write`,
])
export const ApiScope = z.enum(apiScopes as [ApiScope, ...ApiScope[]])

/** A list of scopes without repetitions, in the order of `apiScopes`. */
export const ApiScopes = z
  .array(ApiScope)
  .min(1, 'Select at least one scope.')
  .max(apiScopes.length)
  .transform((chosen) => apiScopes.filter((scope) => chosen.includes(scope)))
