import { codeOf } from '@limber/contract/access/permissions.ts'
import { type CallDefinition, isMachine } from '@limber/contract/kit/call.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { MINUTE } from '../clock.ts'
import { isInFuture } from '../db/database-time.ts'
import { cookieName } from '../http/cookies.ts'
import { refusals } from '../http/refusal.ts'
import type { ApiKeyFinder, Caller, CallerFinders } from '../http/routes.ts'
import type { Services } from '../services.ts'
import { admitApiKey } from './admit-api-key.ts'
import { admitByKey } from './admit-by-key.ts'
import { callerNetwork, normalizeIp } from './client-address.ts'
import { isCsrfToken } from './csrf.ts'
import { countTry } from './limits.ts'

const STEP_UP = 10 * MINUTE
const TOUCH_EVERY = 1 * MINUTE

/** Checks session, Origin, CSRF token, permission, media type and rate limit, before the body is read. */
export async function guardRequest(
  services: Services,
  { sessions, apiKeys }: CallerFinders,
  call: CallDefinition,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  if (isByVariable(call, request)) await admitByVariable(services, apiKeys, call, request)
  else if (isByApiKey(call, request)) await admitApiKey(services, apiKeys, call, request, reply)
  else await guardPerson(services, sessions, call, request)
  if (call.method !== 'GET') checkMediaType(call, request)
  // A program with an API key has the limit of its key.
  if (call.permission !== 'api-key') await checkLimit(services, call, request)
}

const isByApiKey = ({ permission }: CallDefinition, { headers }: FastifyRequest) =>
  permission === 'api-key' || (permission === 'signed-in-or-key' && headers.authorization !== undefined)

/** Does the program bring the key of an environment variable in place of an API key? */
const isByVariable = ({ deprecatedHeader }: CallDefinition, { headers }: FastifyRequest) =>
  deprecatedHeader !== undefined && headers.authorization === undefined && headers[deprecatedHeader] !== undefined

async function admitByVariable(services: Services, keys: ApiKeyFinder, call: CallDefinition, request: FastifyRequest) {
  await checkLimit(services, call, request)
  const variable = admitByKey(call, request.headers, services)
  keys.noteDeprecatedUse(variable, services.clock.now())
}

async function guardPerson(
  services: Services,
  sessions: CallerFinders['sessions'],
  call: CallDefinition,
  request: FastifyRequest,
) {
  const { config, clock, keyring } = services
  const now = clock.now()
  const { cookies } = request
  const sid = cookies.get(cookieName(config, 'sid'))
  const flow = cookies.get(cookieName(config, 'flow'))
  const isOpen = call.permission === 'public'
  if (!isOpen && call.permission !== 'attempt') {
    request.caller = sid ? ((await sessions.find(sid, now)) ?? null) : null
    if (!request.caller) throw refusals.noSession()
    // Sample visitors have no passkey. Their session's confirmation is dated ahead, so that the whole visit is confirmed.
    const { steppedUpAt } = request.caller
    if (config.isSample && steppedUpAt && steppedUpAt > now) request.caller.steppedUpAt = now
  }
  if (call.permission === 'attempt' && !flow) throw refusals.noAttempt()
  if (call.method !== 'GET' && !isMachine(call)) {
    if (!isOwnOrigin(config.publicUrl, request)) throw refusals.badOrigin()
    const binding = call.permission === 'attempt' ? flow : sid
    if (!isOpen && !isCsrfToken(keyring, binding ?? '', request.headers['x-csrf-token'])) throw refusals.badCsrf()
  }
  if (request.caller) {
    if (!mayCall(request.caller, call)) throw refusals.forbidden()
    if (isAttended(call, request) && now.getTime() - request.caller.lastSeenAt.getTime() >= TOUCH_EVERY)
      await sessions.touch(request.caller.sessionId, now)
    if (call.stepUp && !isSteppedUp(request.caller, now)) throw refusals.stepUp()
  }
}

async function checkLimit({ db, clock }: Services, call: CallDefinition, request: FastifyRequest) {
  if (!call.limit) return
  const who =
    call.limit.by === 'worker' && request.caller
      ? `worker:${request.caller.workerId}`
      : `address:${callerNetwork(normalizeIp(request.ip))}`
  const name = `${call.method} ${call.path} ${who}`
  const { isOver, retryAfter } = await countTry(db, name, call.limit.times, call.limit.seconds, clock.now())
  if (isOver) throw refusals.tooMany(retryAfter)
}

/** False for requests that a page makes on its own. Those must not keep an idle session alive. */
const isAttended = (call: CallDefinition, request: FastifyRequest) =>
  !call.isUnattended && request.headers['x-unattended'] === undefined

const json = /^application\/json(;\s*charset=utf-8)?$/i
const form = /^application\/x-www-form-urlencoded(;\s*charset=utf-8)?$/i
const multipart = /^multipart\/form-data;\s*boundary=[\w'()+,./:=?"-]{1,80}$/i
const reports = /^application\/reports\+json(;\s*charset=utf-8)?$/i
const mail = new RegExp(`${/^message\/rfc822(;.*)?$/.source}|${form.source}|${multipart.source}`, 'i')
const mediaTypes = { json, form, multipart, bytes: json, reports, mail }

/** Accepts exactly one media type per call. Other and compressed bodies are refused unread. */
function checkMediaType(call: CallDefinition, request: FastifyRequest) {
  const {
    'content-type': type,
    'content-encoding': packed,
    'content-length': length,
    'transfer-encoding': chunked,
  } = request.headers
  if (packed && packed !== 'identity') throw refusals.mediaType()
  if (type === undefined && !chunked && (length === undefined || length === '0')) return
  if (!mediaTypes[call.bodyType ?? 'json'].test(type ?? '')) throw refusals.mediaType()
}

/** True within ten minutes after a passkey confirmation. A confirmation in the future does not count. */
export const isSteppedUp = ({ steppedUpAt }: Caller, now: Date) =>
  steppedUpAt !== null && now.getTime() - steppedUpAt.getTime() < STEP_UP && !isInFuture(steppedUpAt, now)

/** True when the worker has a permission that opens the call. */
export function mayCall({ permissions }: Caller, { permission }: CallDefinition): boolean {
  if (permission === 'signed-in' || permission === 'signed-in-or-key') return true
  if (permission === 'public' || permission === 'attempt') return true
  if (permission === 'api-key') return false
  const wanted = typeof permission === 'string' ? [permission] : permission
  return wanted.some((name) => permissions.has(codeOf(name)))
}

function isOwnOrigin(publicUrl: string, request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  return request.headers.origin === publicUrl && (site === undefined || site === 'same-origin')
}
