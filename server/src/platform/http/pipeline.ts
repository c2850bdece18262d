import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type CallDefinition, isMutation } from '@limber/contract/kit/call.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { stopwatch } from '../clock.ts'
import { type Db, isConnectionLost } from '../db/db.ts'
import { type CallerId, runWork, type Work } from '../db/work.ts'
import { guardRequest } from '../security/guard-request.ts'
import type { Services } from '../services.ts'
import type { Failure } from '../telemetry/event-store.ts'
import type { Span } from '../telemetry/traces.ts'
import { cookieLine, cookieName, readCookies } from './cookies.ts'
import { findStoredReply, hashRequest, readKey } from './idempotency.ts'
import { parseRequest } from './parse-request.ts'
import { failureBody, Refusal, refusals } from './refusal.ts'
import { actorOf, replyFacts, requestFacts } from './request-facts.ts'
import type { ApiKeyCaller, Caller, CallerFinders, Context, Route } from './routes.ts'
import { sendFailure, toExpectedRefusal } from './send-failure.ts'
import { SerializedReply } from './serialized-reply.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    apiKey: ApiKeyCaller | null
    cookies: ReadonlyMap<string, string>
    elapsed: () => number
    /** The span of the request, if its trace is recorded. */
    span: Span | null
    /** Why the call was refused, for the error log. */
    refusedFor: Failure | null
  }
}

const BODY_LIMIT = 256 * 1024
const BODY_TIMEOUT = 15_000
const ROUTES_AT_ONCE = 40

/** Registers every call. Order: session, CSRF and Origin, permission, limits, parse, handle, reply. */
export async function registerRoutes(
  app: FastifyInstance,
  services: Services,
  finders: CallerFinders,
  routes: readonly Route[],
) {
  app.decorateRequest('caller', null)
  app.decorateRequest('apiKey', null)
  app.decorateRequest('refusedFor', null)
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, _reply, done) => {
    request.elapsed = stopwatch()
    request.cookies = readCookies(request.headers.cookie)
    done()
  })
  app.removeAllContentTypeParsers()
  const bufferedTypes = ['application/json', 'application/x-www-form-urlencoded', 'application/reports+json']
  app.addContentTypeParser(bufferedTypes, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload))
  for (const [at, route] of routes.filter(({ call }) => call.bodyType !== 'mail').entries()) {
    registerRoute(app, services, finders, route)
    // The first connections to the database go on meanwhile.
    if (at % ROUTES_AT_ONCE === 0) await setImmediate()
  }
  app.register((scope, _options, done) => {
    // The handler reads the body itself, whatever its type.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload))
    for (const route of routes.filter(({ call }) => call.bodyType === 'mail'))
      registerRoute(scope, services, finders, route)
    done()
  })
  app.setErrorHandler((error, request, reply) => sendFailure(services, request, reply, error))
}

function registerRoute(app: FastifyInstance, services: Services, finders: CallerFinders, route: Route) {
  const { call } = route
  app.route({
    method: call.method,
    url: call.path,
    exposeHeadRoute: false,
    bodyLimit: call.bodyLimit ?? BODY_LIMIT,
    // All access checks run before any byte of the body is read.
    onRequest: async (request, reply) => {
      // Some pages share a path with a call: browser navigation gets the app.
      if (call.method === 'GET' && wantsPage(request)) return app.sendPage(request, reply)
      await inSpan(services, request, 'admit', () => guardRequest(services, finders, call, request, reply))
      route.options.admit?.(request.headers, services)
      if (call.method !== 'GET' && call.bodyType !== 'mail') watchBody(request, reply)
    },
    handler: (request, reply) =>
      inSpan(services, request, 'handle', () => answer(services, route, request, reply)).catch((error: unknown) => {
        throw toExpectedRefusal(error, route)
      }),
  })
}

/** Runs a part of a request as a span of its trace, if that is recorded. */
const inSpan = <T>({ tracer }: Services, { span }: FastifyRequest, name: string, work: () => Promise<T>): Promise<T> =>
  tracer && span ? tracer.part(span, name, work) : work()

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

async function answer(services: Services, route: Route, request: FastifyRequest, reply: FastifyReply) {
  const { call, handle, options } = route
  const raw = request.body instanceof Buffer ? request.body : undefined
  const parts = parseRequest(call, request, raw)
  const facts = {
    worker: request.caller,
    apiKey: request.apiKey,
    request: requestFacts(services, request, raw),
    reply: replyFacts(services, reply),
    services,
    ...parts,
  }
  if (!isMutation(call) || options.transaction === 'none') {
    const once = onceFor(services, route, request, reply)
    const now = services.clock.now()
    const run = async (db: Db) => handle({ ...facts, db, now, ...noWork, once } as unknown as Context)
    const replica =
      options.mayLag && !request.cookies.has(cookieName(services.config, 'wrote')) && services.replica?.db()
    const result = await run(replica || services.db).catch((error) => {
      // A read whose connection broke is read again on another one, and one that the replica refused from the primary.
      const isWorthAnother = !isMutation(call) && (replica ? !(error instanceof Refusal) : isConnectionLost(error))
      if (!isWorthAnother) throw error
      return run(services.db)
    })
    if (isMutation(call)) noteWrite(services, reply)
    return sendReply(services, call, reply, result)
  }
  const run = (work: Work) => handle({ ...facts, ...work, once: refuseOnce } as unknown as Context)
  const outcome = await runIdempotent(services, route, request, reply, raw, run)
  noteWrite(services, reply)
  return reply.type('application/json; charset=utf-8').send(outcome.text)
}

const READS_OWN_WRITES_FOR = 10

/** Whoever has just changed something reads it from the primary, in whichever process. */
function noteWrite({ replica, config }: Services, reply: FastifyReply) {
  const options = { httpOnly: true, maxAge: READS_OWN_WRITES_FOR }
  if (replica) reply.header('set-cookie', cookieLine(config, 'wrote', '1', options))
}

/** Lets a handler with its own transaction run it under the request's idempotency key. */
const onceFor =
  (services: Services, route: Route, request: FastifyRequest, reply: FastifyReply): Context['once'] =>
  async (fingerprint, run) => {
    const { kind, text } = await runIdempotent(services, route, request, reply, fingerprint, run)
    return { reply: new SerializedReply(text), isRepeat: kind === 'replayed' }
  }

/** Runs a mutation in its transaction, once per idempotency key. A repeated request gets the stored reply. */
async function runIdempotent(
  services: Services,
  { call, options }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer | undefined,
  run: (work: Work) => unknown,
): Promise<Answered> {
  const name = `${call.method} ${call.path}`
  const caller = callerIdOf(request)
  const key = caller && !options.isSecret ? readKey(request.headers['idempotency-key']) : undefined
  const once = key && caller && { caller, key, requestHash: hashRequest(name, request.url, body) }
  const outcome = await runWork<Outcome>(
    services,
    actorOf(name, request),
    async (work) => {
      const stored = once && (await findStoredReply(work.db, once.caller, once.key, once.requestHash))
      if (stored) return { kind: 'replayed', text: stored.body, status: stored.status }
      try {
        const records = new Set<string>()
        const result = await run(namingRecords(work, records))
        if (request.caller && records.size <= MAX_NAMED_RECORDS) reply.header('x-changed', [...records].join(' '))
        return { kind: 'done', text: printReply(services, call, result), status: reply.statusCode }
      } catch (error) {
        // Failed attempts must stay counted although the call is refused.
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
  if (outcome.kind === 'replayed') reply.header('idempotent-replay', 'true').code(outcome.status)
  return outcome
}

/** Longer headers do not pass every proxy. */
const MAX_NAMED_RECORDS = 30

/** Collects which records a change is about, so that the browser withdraws the Undo of earlier changes to them. */
const namingRecords = (work: Work, records: Set<string>): Work => ({
  ...work,
  audit: (entry) => {
    const { subject, subjectId = '' } = entry
    if (subject) records.add(`${subject}/${encodeURIComponent(subjectId)}`)
    work.audit(entry)
  },
})

/** Whose idempotency keys count for the request. */
const callerIdOf = ({ caller, apiKey }: FastifyRequest): CallerId | undefined =>
  caller ? { worker_id: caller.workerId } : apiKey ? { api_key_id: apiKey.id } : undefined

type Answered = { kind: 'done' | 'replayed'; text: string; status: number }
type Outcome = Answered | { kind: 'refused'; refusal: Refusal }

const refuseWork = (): never => {
  throw new Error('This call has no transaction. Open one with once or runWork.')
}
const refuseOnce = (): never => {
  throw new Error('This call already runs in a transaction.')
}
const noWork = { audit: refuseWork, publish: refuseWork, enqueue: refuseWork, emit: refuseWork, finish: refuseWork }

function sendReply(services: Services, call: CallDefinition, reply: FastifyReply, outcome: unknown) {
  if (call.replyType === 'stream') return reply.send(outcome)
  return reply.type('application/json; charset=utf-8').send(printReply(services, call, outcome))
}

function printReply({ config }: Services, call: CallDefinition, outcome: unknown): string {
  const printed = outcome instanceof SerializedReply ? outcome.text : undefined
  if (config.checkReplies) {
    const checked = call.reply.safeParse(printed === undefined ? outcome : JSON.parse(printed))
    if (!checked.success)
      throw new Error(
        `${call.method} ${call.path} sent a reply that does not match its contract: ${checked.error.message}`,
      )
  }
  return printed ?? JSON.stringify(outcome)
}

/** The request id appears in the reply's header and in all log lines about the request. */
export const makeRequestId = () => randomUUID()
