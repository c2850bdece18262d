import { randomUUID } from 'node:crypto'
import { codeOf } from '@limber/contract/access/permissions.ts'
import { type CallDefinition, isMutation } from '@limber/contract/kit/call.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { MINUTE, stopwatch } from './clock.ts'
import { cookieLine, cookieName, readCookies } from './cookies.ts'
import { isCsrfToken } from './csrf.ts'
import { isUnavailable, isWorthRetrying, sqlState } from './db.ts'
import type { Failure } from './event-store.ts'
import { findKeptReply, hashRequest, readKey } from './idempotency.ts'
import { BadJson, parseStrictJson } from './json.ts'
import { countTry } from './limits.ts'
import { describeError } from './log.ts'
import { Printed } from './printed.ts'
import { failureBody, Refusal, refusals } from './refusal.ts'
import type { Caller, Context, ReplyFacts, RequestFacts, Route, SessionFinder } from './routes.ts'
import { causeOf, withoutSecrets } from './scrub.ts'
import type { Services } from './services.ts'
import { type Actor, auditAlone, runWork, type Work } from './work.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    cookies: ReadonlyMap<string, string>
    isGuarded: boolean
    elapsed: () => number
    /** Why the call was turned down, for the error log. */
    refusedFor: Failure | null
  }
}

const BODY_LIMIT = 256 * 1024
const BODY_TIMEOUT = 15_000
const STEP_UP = 10 * MINUTE
const TOUCH_EVERY = 1 * MINUTE

/** Registers every call. The order of a request: session, CSRF and Origin, permission, limits, parse, handle, reply. */
export function registerRoutes(
  app: FastifyInstance,
  services: Services,
  sessions: SessionFinder,
  routes: readonly Route[],
) {
  app.decorateRequest('caller', null)
  app.decorateRequest('isGuarded', false)
  app.decorateRequest('refusedFor', null)
  app.addHook('onRequest', (request, _reply, done) => {
    request.elapsed = stopwatch()
    request.cookies = readCookies(request.headers.cookie)
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload))
  for (const route of routes) registerRoute(app, services, sessions, route)
  app.setErrorHandler((error, request, reply) => sendFailure(services, request, reply, error))
}

function registerRoute(app: FastifyInstance, services: Services, sessions: SessionFinder, route: Route) {
  const { call } = route
  app.route({
    method: call.method,
    url: call.path,
    exposeHeadRoute: false,
    bodyLimit: call.bodyLimit ?? BODY_LIMIT,
    // Everything that can turn a caller away happens before a byte of the body is read.
    onRequest: async (request, reply) => {
      // A page of the same path: the browser's own navigation gets the app.
      if (call.method === 'GET' && wantsPage(request)) return app.sendPage(request, reply)
      await guard(services, sessions, call, request)
      route.options.admit?.(request.headers, services)
      request.isGuarded = true
      if (call.method !== 'GET') watchBody(request, reply)
    },
    handler: (request, reply) => answer(services, route, request, reply),
  })
}

const wantsPage = (request: FastifyRequest) =>
  !/^\/(api|\.well-known)\//.test(request.url) && /\btext\/html\b/.test(request.headers.accept ?? '')

function watchBody(request: FastifyRequest, reply: FastifyReply) {
  if (request.headers['content-type']?.startsWith('multipart/')) return
  const timer = setTimeout(() => {
    void reply.code(408).send(failureBody(refusals.timeout()))
    request.raw.destroy()
  }, BODY_TIMEOUT)
  request.raw.once('end', () => clearTimeout(timer))
  request.raw.once('close', () => clearTimeout(timer))
}

async function guard(services: Services, sessions: SessionFinder, call: CallDefinition, request: FastifyRequest) {
  const { config, clock, keyring } = services
  const now = clock.now()
  const { cookies } = request
  const sid = cookies.get(cookieName(config, 'sid'))
  const flow = cookies.get(cookieName(config, 'flow'))
  const isOpen = call.permission === 'public'
  if (!isOpen && call.permission !== 'attempt') {
    request.caller = sid ? ((await sessions.find(sid, now)) ?? null) : null
    if (!request.caller) throw refusals.noSession()
  }
  if (call.permission === 'attempt' && !flow) throw refusals.noAttempt()
  if (call.method !== 'GET' && !call.machine) {
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
  if (call.method !== 'GET') checkMediaType(call, request)
  if (call.limit) {
    const who =
      call.limit.by === 'worker' && request.caller ? `worker:${request.caller.workerId}` : `address:${request.ip}`
    const { isOver, retryAfter } = await countTry(
      services.db,
      `${call.method} ${call.path} ${who}`,
      call.limit.times,
      call.limit.seconds,
      now,
    )
    if (isOver) throw refusals.tooMany(retryAfter)
  }
}

/** Did a person cause this? What a page reads by itself must not keep the session of somebody who went away. */
const isAttended = (call: CallDefinition, request: FastifyRequest) =>
  !call.isUnattended && request.headers['x-unattended'] === undefined

const json = /^application\/json(;\s*charset=utf-8)?$/i
const form = /^application\/x-www-form-urlencoded(;\s*charset=utf-8)?$/i
const multipart = /^multipart\/form-data;\s*boundary=[\w'()+,./:=?"-]{1,80}$/i
const mediaTypes = { json, form, multipart, bytes: json }

/** One media type, in its exact form; a body in disguise or packed is turned away unread. */
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

/** Was a passkey proven within the last ten minutes? */
export const isSteppedUp = (caller: Caller, now: Date) =>
  caller.steppedUpAt !== null && now.getTime() - caller.steppedUpAt.getTime() < STEP_UP

function mayCall({ permissions }: Caller, { permission }: CallDefinition): boolean {
  if (permission === 'signed-in' || permission === 'public' || permission === 'attempt') return true
  const wanted = typeof permission === 'string' ? [permission] : permission
  return wanted.some((name) => permissions.has(codeOf(name)))
}

function isOwnOrigin(publicUrl: string, request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  return request.headers.origin === publicUrl && (site === undefined || site === 'same-origin')
}

async function answer(services: Services, route: Route, request: FastifyRequest, reply: FastifyReply) {
  const { call, handle, options } = route
  const raw = request.body instanceof Buffer ? request.body : undefined
  const parts = parse(call, request, raw)
  const facts = {
    worker: request.caller,
    request: requestFacts(services, request, raw),
    reply: replyFacts(services, reply),
    services,
    ...parts,
  }
  if (!isMutation(call) || options.transaction === 'none') {
    const once = onceFor(services, route, request, reply)
    const now = services.clock.now()
    const result = await handle({ ...facts, db: services.db, now, ...noWork, once } as unknown as Context)
    return sendReply(services, call, reply, result)
  }
  const run = (work: Work) => handle({ ...facts, ...work, once: refuseOnce } as unknown as Context)
  const outcome = await runKept(services, route, request, reply, raw, run)
  return reply.type('application/json; charset=utf-8').send(outcome.text)
}

/** How a handler with a transaction of its own runs it under the idempotency key of its request. */
const onceFor =
  (services: Services, route: Route, request: FastifyRequest, reply: FastifyReply): Context['once'] =>
  async (fingerprint, run) => {
    const { kind, text } = await runKept(services, route, request, reply, fingerprint, run)
    return { reply: new Printed(text), isRepeat: kind === 'kept' }
  }

/** Runs a mutation in its transaction, once for each idempotency key: repeated, it answers what it answered. */
async function runKept(
  services: Services,
  { call, options }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer | undefined,
  run: (work: Work) => unknown,
): Promise<Answered> {
  const { caller } = request
  const name = `${call.method} ${call.path}`
  const key = caller && !options.isSecret ? readKey(request.headers['idempotency-key']) : undefined
  const once = key && caller && { workerId: caller.workerId, key, requestHash: hashRequest(name, request.url, body) }
  const outcome = await runWork<Outcome>(
    services,
    actorOf(call, request),
    async (work) => {
      const kept = once && (await findKeptReply(work.db, once.workerId, once.key, once.requestHash))
      if (kept) return { kind: 'kept', text: kept.body, status: kept.status }
      try {
        const result = await run(work)
        return { kind: 'done', text: printReply(services, call, result), status: reply.statusCode }
      } catch (error) {
        // A wrong code is counted although the call is refused: the refusal must not undo the count.
        if (error instanceof Refusal && error.extra.keepsWrites) return { kind: 'refused', refusal: error }
        throw error
      }
    },
    {
      ...(options.isolation && { isolation: options.isolation }),
      keep: (result) =>
        once && result.kind === 'done' ? { ...once, call: name, status: result.status, body: result.text } : undefined,
    },
  )
  if (outcome.kind === 'refused') throw outcome.refusal
  if (outcome.kind === 'kept') reply.header('idempotent-replay', 'true').code(outcome.status)
  return outcome
}

type Answered = { kind: 'done' | 'kept'; text: string; status: number }
type Outcome = Answered | { kind: 'refused'; refusal: Refusal }

const refuseWork = (): never => {
  throw new Error('This call has no transaction of its own: open one with once or runWork.')
}
const refuseOnce = (): never => {
  throw new Error('This call runs in one transaction already.')
}
const noWork = { audit: refuseWork, live: refuseWork, post: refuseWork }

function sendReply(services: Services, call: CallDefinition, reply: FastifyReply, outcome: unknown) {
  if (call.replyType === 'stream') return reply.send(outcome)
  return reply.type('application/json; charset=utf-8').send(printReply(services, call, outcome))
}

function printReply({ config }: Services, call: CallDefinition, outcome: unknown): string {
  const printed = outcome instanceof Printed ? outcome.text : undefined
  if (config.checkReplies) {
    const checked = call.reply.safeParse(printed === undefined ? outcome : JSON.parse(printed))
    if (!checked.success)
      throw new Error(`${call.method} ${call.path} replied against its contract: ${checked.error.message}`)
  }
  return printed ?? JSON.stringify(outcome)
}

function parse(call: CallDefinition, request: FastifyRequest, raw: Buffer | undefined) {
  const params = call.params ? check(call.params, request.params, 'path') : undefined
  const query = call.query ? check(call.query, request.query, 'query') : undefined
  if (!call.query && Object.keys(request.query as object).length > 0)
    throw refusals.badRequest('This call takes no query parameters.')
  const isUnread = call.bodyType === 'multipart' || call.bodyType === 'bytes' || call.method === 'GET'
  if (isUnread) return { params, query, body: undefined }
  let json: unknown
  try {
    json = raw && raw.length > 0 ? (call.bodyType === 'form' ? parseForm(raw) : parseStrictJson(raw)) : undefined
  } catch (error) {
    throw error instanceof BadJson ? refusals.badRequest(error.message) : error
  }
  if (!call.body) {
    if (json !== undefined && !isEmptyObject(json)) throw refusals.badRequest('This call takes no body.')
    return { params, query, body: undefined }
  }
  return { params, query, body: check(call.body, json, 'body') }
}

/** The fields of a form; a name that comes twice is refused, as nobody could tell which one was signed. */
function parseForm(raw: Buffer): Record<string, string> {
  const pairs = [...new URLSearchParams(raw.toString('utf8'))]
  const fields = Object.fromEntries(pairs)
  if (Object.keys(fields).length !== pairs.length) throw refusals.badRequest('A field of the form comes twice.')
  return fields
}

const isEmptyObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0

function check(schema: z.ZodType, value: unknown, part: string): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues
    .slice(0, 20)
    .map((issue) => ({ path: issue.path.join('.') || part, text: issue.message }))
  const first = fields[0]
  throw refusals.badRequest(first ? sentence(first.path, first.text) : 'The request is malformed.', fields)
}

// A message that already is a sentence stands alone; a fragment gets its field in front.
const sentence = (path: string, text: string) => (/^[A-Z].*\.$/.test(text) ? text : `${path}: ${text}`)

/** Who acts in a call, for the audit log. */
export const actorOf = (call: CallDefinition, request: FastifyRequest): Actor => ({
  call: `${call.method} ${call.path}`,
  workerId: request.caller?.workerId,
  workerName: request.caller?.name,
  address: request.ip,
  requestId: request.id,
})

function requestFacts({ config }: Services, request: FastifyRequest, raw = Buffer.alloc(0)): RequestFacts {
  const { cookies } = request
  return {
    id: request.id,
    address: request.ip,
    browser: (request.headers['user-agent'] ?? '').slice(0, 300),
    cookie: (name) => cookies.get(cookieName(config, name)),
    bytes: raw,
    raw: request.raw,
  }
}

function replyFacts({ config }: Services, reply: FastifyReply): ReplyFacts {
  return {
    setCookie: (name, value, options) => void reply.header('set-cookie', cookieLine(config, name, value, options)),
    clearCookie: (name) =>
      void reply.header('set-cookie', cookieLine(config, name, '', { httpOnly: name !== 'csrf', maxAge: 0 })),
    header: (name, value) => void reply.header(name, value),
    status: (code) => void reply.code(code),
  }
}

const INVALID_TEXT = /^22/
const CONSTRAINT = /^23/

/** What a thrown thing means to the caller. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const state = sqlState(error)
  if (isUnavailable(error)) return refusals.unavailable()
  if (isWorthRetrying(error)) return refusals.conflict()
  if (state && CONSTRAINT.test(state)) return refusals.conflict()
  if (state && INVALID_TEXT.test(state)) return refusals.badRequest('A value in the request cannot be stored.')
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status === 413) return refusals.tooLarge()
  if (status === 415) return refusals.mediaType()
  if (status >= 400 && status < 500) return refusals.badRequest('The request is malformed.')
  return refusals.broken()
}

async function sendFailure(services: Services, request: FastifyRequest, reply: FastifyReply, error: unknown) {
  const refusal = toRefusal(error)
  const call = `${request.method} ${request.routeOptions.url ?? 'unknown'}`
  request.refusedFor = {
    code: refusal.code,
    text: withoutSecrets(refusal.text),
    // A refusal is meant; anything else has a place in the source that somebody will want to see.
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
  // The body of a request that was turned away is not read; the connection cannot be used again.
  if (!request.isGuarded && request.method !== 'GET') reply.header('connection', 'close')
  return reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(failureBody(refusal)))
}

async function recordRefusal(services: Services, request: FastifyRequest, call: string, refusal: Refusal) {
  const actor: Actor = {
    call,
    workerId: request.caller?.workerId,
    workerName: request.caller?.name,
    address: request.ip,
    requestId: request.id,
  }
  await auditAlone(services, actor, {
    action: refusal.code,
    outcome: 'refused',
    reason: refusal.extra.reason ?? refusal.text,
  }).catch((problem) => services.log.warn('refusal not recorded', describeError(problem)))
}

/** The id of a request, in the reply's header and in every log line about it. */
export const makeRequestId = () => randomUUID()
