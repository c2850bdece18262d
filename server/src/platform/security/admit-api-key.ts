import type { CallDefinition } from '@limber/contract/kit/call.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HOUR } from '../clock.ts'
import { writeAuditRow } from '../db/work.ts'
import { type Refusal, refusals } from '../http/refusal.ts'
import { actorOf } from '../http/request-facts.ts'
import type { ApiKeyCaller, ApiKeyFinder } from '../http/routes.ts'
import type { Services } from '../services.ts'
import { describeError } from '../telemetry/log.ts'
import { normalizeIp } from './client-address.ts'
import { judgeTries } from './limits.ts'

export const KEY_WINDOW_SECONDS = 60

/** The rate limit's name for a key. */
export const keyLimitName = (keyId: number | '') => `api-key ${keyId}`

/** Refuses a program whose API key may not make the call. Cookies are ignored. */
export async function admitApiKey(
  services: Services,
  keys: ApiKeyFinder,
  call: CallDefinition,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const now = services.clock.now()
  const key = await findKey(keys, request, reply, now)
  request.apiKey = key
  // Not counted: a stolen key must not use up its owner's requests.
  if (!key.isAllowedHere) throw await audited(services, call, request, key, refusals.network())
  const { requestsPerMinute } = key
  const counted = judgeTries(key.tries, requestsPerMinute, KEY_WINDOW_SECONDS, now)
  reply.header('ratelimit-limit', String(requestsPerMinute))
  reply.header('ratelimit-remaining', String(counted.left))
  reply.header('ratelimit-reset', String(counted.retryAfter))
  if (counted.isOver) throw refusals.tooMany(counted.retryAfter)
  if (call.scope && !key.scopes.has(call.scope))
    throw await audited(services, call, request, key, refusals.scope(call.scope))
}

async function findKey(
  keys: ApiKeyFinder,
  { headers, ip }: FastifyRequest,
  reply: FastifyReply,
  now: Date,
): Promise<ApiKeyCaller> {
  const token = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const address = normalizeIp(ip)
  const key = token ? await keys.find(token, address === 'unknown' ? null : address, now) : undefined
  if (key && !key.isRevoked && !key.isExpired) return key
  reply.header('www-authenticate', 'Bearer')
  if (!token) throw refusals.noApiKey()
  // A caller with the right secret may learn why the key no longer works.
  throw key?.isRevoked ? refusals.keyRevoked() : key ? refusals.keyExpired() : refusals.badApiKey()
}

const AUDIT_EVERY = 1 * HOUR
const auditedAt = new WeakMap<Services, Map<string, number>>()

/** Audits a refusal, once per hour for a key, call and reason, because programs keep retrying. */
async function audited(
  services: Services,
  { method, path }: CallDefinition,
  request: FastifyRequest,
  key: ApiKeyCaller,
  refusal: Refusal,
): Promise<Refusal> {
  const known = auditedAt.get(services) ?? new Map<string, number>()
  auditedAt.set(services, known)
  const name = `${key.id} ${method} ${path} ${refusal.code}`
  const now = services.clock.now().getTime()
  if (now - (known.get(name) ?? Number.NEGATIVE_INFINITY) < AUDIT_EVERY) return refusal
  known.set(name, now)
  const entry = { action: refusal.code, outcome: 'refused', reason: refusal.template } as const
  await writeAuditRow(services, actorOf(`${method} ${path}`, request), entry).catch((problem) =>
    services.log.warn('refusal not recorded', describeError(problem)),
  )
  return refusal
}
