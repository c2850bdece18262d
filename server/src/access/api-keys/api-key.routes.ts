import {
  createApiKey,
  listApiKeys,
  MAX_API_KEYS,
  readApiKeyUsage,
  readOwnApiKey,
  revokeApiKey,
  rotateApiKey,
  USAGE_DAYS,
  updateApiKey,
} from '@limber/contract/access/api-keys/api-key.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { DAY, shift } from '#platform/clock.ts'
import type { Work } from '#platform/db/work.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { keyLimitName } from '#platform/security/admit-api-key.ts'
import { deprecatedKeys } from '#platform/security/admit-by-key.ts'
import { presentApiKey } from './api-key.present.ts'
import { countKeys, findKeyRow, type LockedKey, listKeyRows, lockKey, updateKey } from './api-key.queries.ts'
import { endOfDay, lastDayBefore } from './api-key.rules.ts'
import { findPeak, listDeprecatedUse, listUsageDays } from './api-key-usage.queries.ts'
import { createKey, revoke, rotateKey } from './change-key.ts'

/** Revoked keys stay in the list for this long. */
const SHOWN_AFTER_REVOCATION = 30 * DAY

const firstUsageDay = (now: Date) => addDays(companyDay(now), 1 - USAGE_DAYS)

async function show({ db, now }: Pick<Work, 'db' | 'now'>, id: number) {
  const row = await findKeyRow(db, id, firstUsageDay(now))
  if (!row) throw refuse(updateApiKey, 'not_found')
  return presentApiKey(row)
}

const settingsOf = ({ name, scopes, expires_at, networks, requests_per_minute }: LockedKey) => ({
  name,
  scopes,
  expiresOn: expires_at && lastDayBefore(expires_at),
  networks,
  requestsPerMinute: requests_per_minute,
})

export const apiKeyRoutes = [
  serve(listApiKeys, async ({ db, now, services: { config } }) => {
    const rows = await listKeyRows(db, firstUsageDay(now), shift(now, -SHOWN_AFTER_REVOCATION))
    const used = new Map((await listDeprecatedUse(db, companyDay(now))).map((row) => [row.variable, row.calls]))
    return {
      keys: rows.map(presentApiKey),
      deprecated: deprecatedKeys(config).map(({ variable, scope }) => ({
        variable,
        scope,
        callsToday: used.get(variable) ?? 0,
      })),
    }
  }),

  serve(readApiKeyUsage, async ({ params: { id }, db, now }) => {
    if (!(await findKeyRow(db, id, firstUsageDay(now)))) throw refuse(readApiKeyUsage, 'not_found')
    const today = endOfDay(addDays(companyDay(now), -1))
    return {
      days: await listUsageDays(db, id, firstUsageDay(now)),
      peakToday: await findPeak(db, keyLimitName(id), today),
    }
  }),

  serve(
    createApiKey,
    async (context) => {
      const { body, db, now, worker } = context
      if (body.expiresOn !== null && endOfDay(body.expiresOn) <= now) throw refuse(createApiKey, 'expired')
      if ((await countKeys(db)) >= MAX_API_KEYS) throw refuse(createApiKey, 'too_many')
      const made = await createKey(context, body, worker.workerId)
      if (!made) throw refuse(createApiKey, 'name_taken')
      return { key: await show(context, made.id), token: made.token }
    },
    { isSecret: true },
  ),

  serve(updateApiKey, async (context) => {
    const { params, body, db, now, audit, publish } = context
    const { version, expiresOn, requestsPerMinute, ...same } = body
    const find = lockKey(db, params.id)
    const before = await loadForUpdate(updateApiKey, find, version, () => show(context, params.id))
    if (before.revoked_at) throw refuse(updateApiKey, 'revoked')
    const expires_at = expiresOn ? endOfDay(expiresOn) : null
    // An expired key can be renamed without a new last day.
    if (expires_at && expires_at <= now && expires_at.getTime() !== before.expires_at?.getTime())
      throw refuse(updateApiKey, 'expired')
    await updateKey(db, params.id, {
      ...(same.name !== undefined && { name: same.name }),
      ...(same.scopes && { scopes: same.scopes }),
      ...(same.networks && { networks: same.networks }),
      ...(expiresOn !== undefined && { expires_at }),
      ...(requestsPerMinute !== undefined && { requests_per_minute: requestsPerMinute }),
    })
    const key = await show(context, params.id)
    const { name, scopes, networks } = key
    const after = { name, scopes, expiresOn: key.expiresOn, networks, requestsPerMinute: key.requestsPerMinute }
    audit({
      action: 'api_key_changed',
      subject: 'api_key',
      subjectId: params.id,
      before: settingsOf(before),
      after,
    })
    publish('api-keys')
    return { key }
  }).expecting({ api_keys_name: 'name_taken' }),

  serve(
    rotateApiKey,
    async (context) => {
      const { params, body, db, worker } = context
      const key = await lockKey(db, params.id)
      if (!key) throw refuse(rotateApiKey, 'not_found')
      if (key.revoked_at) throw refuse(rotateApiKey, 'revoked')
      const token = await rotateKey(context, key, body.overlapHours, worker.workerId)
      return { key: await show(context, params.id), token }
    },
    { isSecret: true },
  ),

  serve(revokeApiKey, async (context) => {
    const { params, db, worker } = context
    const key = await lockKey(db, params.id)
    if (!key) throw refuse(revokeApiKey, 'not_found')
    if (key.revoked_at) throw refuse(revokeApiKey, 'revoked')
    await revoke(context, params.id, worker.workerId)
    return { key: await show(context, params.id) }
  }),

  serve(readOwnApiKey, ({ apiKey }) => ({
    id: apiKey.publicId,
    name: apiKey.name,
    source: apiKey.source,
    scopes: [...apiKey.scopes],
    networks: [...apiKey.networks],
    expires_at: apiKey.expiresAt?.toISOString() ?? null,
    limits: { requests_per_minute: apiKey.requestsPerMinute },
  })),
]
