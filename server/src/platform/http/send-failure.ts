import type { FastifyReply, FastifyRequest } from 'fastify'
import { brokenConstraint, isRetryable, isUnavailable, sqlState } from '../db/db.ts'
import { writeAuditRow } from '../db/work.ts'
import { causeOf, withoutSecrets } from '../security/scrub.ts'
import type { Services } from '../services.ts'
import { StorageError } from '../storage/storage.ts'
import { describeError } from '../telemetry/log.ts'
import { failureBody, Refusal, refusals, refuseBy } from './refusal.ts'
import { actorOf } from './request-facts.ts'
import type { Route } from './routes.ts'
import { hasUnreadBody } from './unread-body.ts'

const INVALID_TEXT = /^22/

/** The refusal that the route maps the violated constraint to; otherwise the original error. */
export function toExpectedRefusal(error: unknown, { call, expected }: Route): unknown {
  const code = expected[brokenConstraint(error) ?? '']
  if (code === undefined) return error
  return code === 'conflict' ? refusals.conflict() : refuseBy(call, code)
}

/** Converts any thrown value to a refusal. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const state = sqlState(error)
  if (error instanceof StorageError) return refusals.filesUnavailable()
  if (isUnavailable(error)) return refusals.unavailable()
  if (isRetryable(error)) return refusals.conflict()
  if (state && INVALID_TEXT.test(state)) return refusals.badRequest('A value in the request cannot be stored.')
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status === 413) return refusals.tooLarge()
  if (status === 415) return refusals.mediaType()
  if (status >= 400 && status < 500) return refusals.badRequest('The request is malformed.')
  return refusals.broken()
}

/** Replies with the refusal, and logs or audits it where needed. */
export async function sendFailure(services: Services, request: FastifyRequest, reply: FastifyReply, error: unknown) {
  const refusal = toRefusal(error)
  const call = `${request.method} ${request.routeOptions.url ?? 'unknown'}`
  request.refusedFor = {
    code: refusal.code,
    text: withoutSecrets(refusal.template),
    // An intended refusal needs no source location; any other error does.
    ...(error !== refusal && { cause: causeOf(error) }),
  }
  if (refusal.status >= 500)
    services.log[refusal.status === 500 ? 'error' : 'warn']('call failed', {
      requestId: request.id,
      call,
      status: refusal.status,
      ...describeError(error),
    })
  if (request.caller && refusal.status === 403) await recordRefusal(services, request, call, refusal)
  if (refusal.extra.retryAfter) reply.header('retry-after', String(refusal.extra.retryAfter))
  if (hasUnreadBody(request)) reply.header('connection', 'close')
  return reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(failureBody(refusal)))
}

async function recordRefusal(services: Services, request: FastifyRequest, call: string, refusal: Refusal) {
  await writeAuditRow(services, actorOf(call, request), {
    action: refusal.code,
    outcome: 'refused',
    reason: refusal.extra.reason ?? refusal.template,
  }).catch((problem) => services.log.warn('refusal not recorded', describeError(problem)))
}
