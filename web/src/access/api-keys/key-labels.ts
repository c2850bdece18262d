import type { ApiKey } from '@limber/contract/access/api-keys/api-key.ts'
import { type ApiResource, type ApiScope, apiResources, apiScopes } from '@limber/contract/access/api-keys/scopes.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { daysBetween } from '@limber/contract/kit/days.ts'
import { formatPercent, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Meaning } from '#ui/feedback/status.tsx'
import { momentText } from '#ui/format/moment-text.ts'

const EXPIRES_SOON_DAYS = 14
const UNUSED_DAYS = 30

export const resourceLabel = (resource: ApiResource) => `${resource.charAt(0).toUpperCase()}${resource.slice(1)}`

/** `events:write` as people read it: `events: write`. */
export const scopeLabel = (scope: ApiScope) => scope.replace(':', ': ')

/** The resources by what a key may do with them. */
export function resourcesByAccess(scopes: readonly ApiScope[]) {
  const may = (resource: ApiResource, access: 'read' | 'write') => scopes.includes(`${resource}:${access}`)
  return {
    both: apiResources.filter((resource) => may(resource, 'read') && may(resource, 'write')),
    read: apiResources.filter((resource) => may(resource, 'read') && !may(resource, 'write')),
    write: apiResources.filter((resource) => may(resource, 'write') && !may(resource, 'read')),
  }
}

const MAX_NAMES = 5

function names(resources: readonly ApiResource[]): string {
  if (resources.length === apiResources.length) return 'everything'
  if (resources.length <= MAX_NAMES) return resources.join(', ')
  const shown = resources.slice(0, MAX_NAMES - 1)
  return `${shown.join(', ')}, ${resources.length - shown.length} more`
}

/** Scopes in one line: `customers, bookings`, `leads: write`, `everything: read`. */
export function scopesLabel(scopes: readonly ApiScope[]): string {
  if (scopes.length === apiScopes.length) return 'everything'
  const { both, read, write } = resourcesByAccess(scopes)
  if (both.length + write.length === 0) return `${names(read)}: read`
  if (both.length + read.length === 0) return `${names(write)}: write`
  return names(apiResources.filter((resource) => scopes.some((scope) => scope.startsWith(`${resource}:`))))
}

/** The part of calls that failed: `0.02%`, `3.1%`. */
export function errorRate({ calls, errors }: Pick<ApiKey, 'calls' | 'errors'>): string {
  if (calls === 0) return '–'
  const percent = (errors / calls) * 100
  return formatPercent(Number(percent.toFixed(percent < 0.1 ? 2 : 1)))
}

export const isEnded = ({ revokedAt, expiresAt }: ApiKey, now: Date) =>
  revokedAt !== null || (expiresAt !== null && new Date(expiresAt) <= now)

/** What a person needs to know about a key first. */
export function keyStatus(key: ApiKey, now: Date): { meaning: Meaning; text: string } {
  const today = companyDay(now)
  if (key.revokedAt) return { meaning: 'red', text: 'Revoked' }
  if (isEnded(key, now)) return { meaning: 'red', text: 'Expired' }
  if (key.rotation && new Date(key.rotation.oldEndsAt) > now) {
    const { oldEndsAt } = key.rotation
    const isToday = companyDay(new Date(oldEndsAt)) === today
    return { meaning: 'amber', text: `Rotating until ${momentText(oldEndsAt, isToday ? 'time' : 'moment', now)}` }
  }
  const left = key.expiresOn === null ? undefined : daysBetween(today, key.expiresOn)
  if (left === 0) return { meaning: 'amber', text: 'Expires today' }
  if (left !== undefined && left <= EXPIRES_SOON_DAYS)
    return { meaning: 'amber', text: `Expires in ${pluralize(left, 'day')}` }
  if (!key.lastUsedAt) return { meaning: 'plain', text: 'Never used' }
  const unused = daysBetween(companyDay(new Date(key.lastUsedAt)), today)
  if (unused >= UNUSED_DAYS) return { meaning: 'plain', text: `Unused for ${pluralize(unused, 'day')}` }
  return { meaning: 'green', text: 'Active' }
}
