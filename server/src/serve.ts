import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { createCertification } from '@limber/contract/certifications/certification.ts'
import { checkAlive, checkReady } from '@limber/contract/kit/meta.ts'
import { redactRoute } from '@limber/contract/kit/redact-url.ts'
import Fastify, { type FastifyReply } from 'fastify'
import { z } from 'zod'
import { type Clock, SECOND, systemClock } from '#platform/clock.ts'
import { watchCompany } from '#platform/company/company-settings.ts'
import type { Config } from '#platform/config.ts'
import { followDatabaseClock } from '#platform/db/database-time.ts'
import { openDb } from '#platform/db/db.ts'
import { openPool } from '#platform/db/pool.ts'
import { checkPooler } from '#platform/db/pooler.ts'
import { openReplica } from '#platform/db/replica.ts'
import { answerClientError } from '#platform/http/client-error.ts'
import { makeConnectionCloser } from '#platform/http/close-connections.ts'
import { safetyHeaders } from '#platform/http/headers.ts'
import { logMissingVersion } from '#platform/http/missing-version.ts'
import { registerPages } from '#platform/http/pages.ts'
import { makeRequestId, registerRoutes } from '#platform/http/pipeline.ts'
import { failureBody } from '#platform/http/refusal.ts'
import type { Route } from '#platform/http/routes.ts'
import { toRefusal } from '#platform/http/send-failure.ts'
import { answerNotFound, answerTwoHosts, hasTwoHosts, hasUnreadBody } from '#platform/http/unread-body.ts'
import type { JobRunner } from '#platform/jobs/jobs.ts'
import { makeLiveHub } from '#platform/live/live.ts'
import { isMailConnected, makeMailDelivery } from '#platform/mail/mail.ts'
import { type Channels, makeOutboxCourier, wakeUnconnected } from '#platform/outbox/outbox.ts'
import { makeTextService } from '#platform/outbox/texts.ts'
import { root } from '#platform/paths.ts'
import { warnOfDeprecatedKeys } from '#platform/security/admit-by-key.ts'
import { normalizeIp } from '#platform/security/client-address.ts'
import { makeKeyring } from '#platform/security/secrets.ts'
import type { Services } from '#platform/services.ts'
import { makeStorage } from '#platform/storage/open-storage.ts'
import { makeEventRecorder } from '#platform/telemetry/events.ts'
import { describeError, type Log, makeLog } from '#platform/telemetry/log.ts'
import type { Metrics } from '#platform/telemetry/metrics.ts'
import {
  allRoutes,
  areaChannels,
  backgroundLoops,
  checkRoutes,
  findApiKeys,
  findSenderOf,
  gauges,
  jobs,
  schedules,
  topics,
} from './app.ts'

export interface ServerParts {
  clock?: Clock
  log?: Log
  /** Runs jobs and schedules in this process. Most tests leave it out. */
  withJobs?: boolean
  /** Must succeed before the server listens; runs in parallel with the start. */
  before?: Promise<unknown>
  /** Replaces the product's calls, for tests of the pipeline. */
  routes?: readonly Route[]
  /** Additional outbox channels, for tests. */
  channels?: Channels
}

export interface RunningServer {
  url: string
  services: Services
  jobs: JobRunner | undefined
  courier: ReturnType<typeof makeOutboxCourier>
  /** The port of `/metrics`, if it has one of its own. */
  metricsPort: number | undefined
  /** Before `close`: answers calls for as long as proxies need to hear that it stops. */
  leave(within?: number): Promise<void>
  close(): Promise<void>
}

const webFolder = join(root, 'web/dist')
const FIRST_ANSWERS = 25
/** Proxies ask every second or two whether a process is ready. */
const LEAVE_WITHIN = 3 * SECOND

/** Starts a server process. */
export async function startServer(
  config: Config,
  { clock: given, log = makeLog(config.logLevel), withJobs = true, before, routes, channels: more }: ServerParts = {},
): Promise<RunningServer> {
  const pool = openPool(config.pooled.url, {
    isPerTransaction: config.pooled.isPerTransaction,
    size: config.databasePool,
    onError: (error) => log.warn('database connection lost', describeError(error)),
  })
  const db = openDb(pool)
  const following = given ? undefined : followDatabaseClock(db, log)
  const clock = given ?? following ?? systemClock
  const keyring = makeKeyring(config.secretKey, config.oldSecretKeys)
  const company = watchCompany({ db, keyring, config })
  const services: Services = {
    config,
    db,
    pool,
    clock,
    log,
    keyring,
    company,
    live: makeLiveHub(config.databaseUrl, topics, log),
    events: makeEventRecorder(pool, log),
    storage: await makeStorage(config),
    texts: makeTextService(config),
    channels: new Set(),
    telemetry: undefined,
    tracer: config.traces && (await import('#platform/telemetry/traces.ts')).makeTracer(config.traces, log),
    replica: config.replicaUrl ? openReplica(config.replicaUrl, pool, config.databasePool, log) : undefined,
    isStopping: false,
  }
  const metrics = config.metrics && (await import('#platform/telemetry/metrics.ts')).makeMetrics(services, gauges)
  services.telemetry = metrics?.telemetry
  pool.onCheckout = services.telemetry?.waitedForConnection
  pool.recordStatements(services.tracer?.statements)
  warnOfDeprecatedKeys(config, log)
  if (config.companyAddress)
    log.warn('COMPANY_ADDRESS is deprecated: enter the address on the Company screen and remove the variable', {
      name: 'COMPANY_ADDRESS',
    })
  services.live.onCompany(() =>
    company.reload().catch((error) => log.warn('settings of the company not reloaded', describeError(error))),
  )
  // Connect while the calls are registered.
  const listening = services.live.start()
  const connecting = Promise.all([
    listening,
    following?.start(),
    before,
    config.pooled.isPerTransaction && checkPooler(pool),
  ])
  connecting.catch(() => {})
  // Read once changes are heard of, so that none is missed.
  const loading = listening.then(company.reload)
  loading.catch(() => {})
  const app = await makeApp(services, routes, metrics)
  const closers: (() => Promise<unknown>)[] = [
    async () => {
      following?.close()
      await services.replica?.close()
      await services.tracer?.close()
      await db.destroy()
    },
    () => services.events.close(),
    () => app.close(),
  ]
  // Streams close first, so that the server can drain. Accepted work finishes. The pool closes last.
  closers.push(() => services.live.close())
  const close = async () => {
    for (const end of closers.toReversed()) await end()
  }
  const leave = async (within = LEAVE_WITHIN) => {
    services.isStopping = true
    await setTimeout(within)
  }
  let metricsPort: number | undefined
  try {
    await connecting
    await loading
    await app.listen({ port: config.port, host: config.host })
    if (metrics && config.metrics?.port !== undefined) {
      const listening = await metrics.listen(config.metrics.port)
      closers.splice(1, 0, listening.close)
      metricsPort = listening.port
    }
    // Loading the job client blocks the process. Whoever waited for it to listen is answered first.
    if (withJobs) await setTimeout(FIRST_ANSWERS)
    const runner = withJobs ? await startJobs(services) : undefined
    for (const startLoop of withJobs ? backgroundLoops : []) closers.splice(1, 0, startLoop(services).close)
    const channels: Channels = { ...makeChannels(services, runner), ...more }
    const findSender = findSenderOf(services)
    const connectMail = () => {
      const setup = company.current()
      channels.mail =
        more?.mail ?? makeMailDelivery(setup, config, db, clock, { findSender, storage: services.storage })
      services.channels.clear()
      for (const name of Object.keys(channels)) services.channels.add(name)
      if (!more?.mail && !isMailConnected(setup, config)) services.channels.delete('mail')
    }
    connectMail()
    const courier = makeOutboxCourier(services, channels)
    company.onChange(() => {
      connectMail()
      wakeUnconnected(services, 'mail').then(courier.run, (error) =>
        log.warn('waiting emails not woken', describeError(error)),
      )
    })
    closers.splice(2, 0, async () => {
      await runner?.close()
      await courier.close()
    })
    services.live.onOutbox(() => void courier.run())
    void courier.run()
    void checkBucket(services)
    const address = app.server.address()
    const port = typeof address === 'object' && address ? address.port : config.port
    return { url: `http://localhost:${port}`, services, jobs: runner, courier, metricsPort, leave, close }
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}

/** Says at the start that a bucket cannot be used. It may be back when somebody uploads a file. */
async function checkBucket({ storage, log }: Services) {
  if (storage.kind !== 's3') return
  try {
    for await (const _ of storage.list('probe/')) break
  } catch (error) {
    log.error('files cannot be stored', describeError(error))
  }
}

/** The job client is loaded after the server listens. */
async function startJobs(services: Services): Promise<JobRunner> {
  const { makeJobRunner } = await import('#platform/jobs/jobs.ts')
  const runner = makeJobRunner(services, jobs, schedules)
  await runner.start()
  return runner
}

const Queued = z.object({ name: z.string(), data: z.record(z.string(), z.unknown()) })

/** The outbox channels besides email: those of the areas, and jobs if this process runs any. */
function makeChannels(services: Services, runner: JobRunner | undefined): Channels {
  const { db } = services
  return {
    ...areaChannels(services),
    ...(runner && {
      job: async (payload, key) => {
        const { name, data } = Queued.parse(payload)
        await runner.send(db, name, data, { key })
        return {}
      },
    }),
  }
}

const actions = new Map<string, string>()

/** The action name of a path in analytics; empty when it is not recorded. Cached. */
function actionOf(path: string): string {
  let action = actions.get(path)
  if (action === undefined) {
    const isRecorded = /^\/(api|onboarding|certifications)\b/.test(path) && path !== '/api/live'
    action = isRecorded
      ? path
          .replace(/^\/(api\/)?/, '')
          .replace(/\/?:\w+/g, '')
          .replace(/[/-]/g, '_')
      : ''
    actions.set(path, action)
  }
  return action
}

/** A 401 of the session check is a valid answer, not a failure. */
const isSuccess = (path: string, status: number) => status < 400 || (status === 401 && path === checkSession.path)

/** Asked every few seconds by whatever watches the process. */
const isHealthCheck = (path?: string) => path === checkAlive.path || path === checkReady.path || path === '/metrics'

const noSchemas = () => {
  throw new Error('Routes have no schemas of Fastify')
}

/** The HTTP server: all calls of the contract, the web app, and 404 for everything else. */
export async function makeApp(services: Services, testRoutes?: readonly Route[], metrics?: Metrics) {
  const { config, clock, log } = services
  const app = Fastify({
    genReqId: makeRequestId,
    // Trusts only the configured number of proxies.
    trustProxy: (_address: string, hop: number) => hop < config.trustProxy,
    // Large videos on slow connections take long. The pipeline times out other bodies, and readers drop stalled uploads.
    requestTimeout: 3_600_000,
    http: { headersTimeout: 60_000 },
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    // An external id of 200 characters, percent-encoded.
    routerOptions: { maxParamLength: 2400 },
    // The contract's schemas check requests and replies. Fastify's own compilers would only delay the start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      const refusal = toRefusal(error)
      if (hasUnreadBody(request)) reply.header('connection', 'close')
      void (reply as FastifyReply)
        .code(refusal.status)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(failureBody(refusal)))
    },
  })
  const closeConnections = makeConnectionCloser(app.server)
  app.addHook('preClose', (done) => {
    closeConnections()
    done()
  })
  const headers = safetyHeaders(config)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    if (services.isStopping) reply.header('connection', 'close')
    if (hasTwoHosts(request.raw)) return void answerTwoHosts(reply)
    const isUnknown = request.is404 && request.method !== 'GET'
    // The bodies of these requests are never read.
    if ((isUnknown || request.method === 'GET') && hasUnreadBody(request)) reply.header('connection', 'close')
    if (isUnknown) return void answerNotFound(reply)
    done()
  })
  const { tracer } = services
  if (tracer)
    app.addHook('onRequest', (request, _reply, done) => {
      request.span = tracer.begin(request)
      done()
    })
  registerPages(app, config.webFiles ?? webFolder, config)
  if (metrics && config.metrics?.port === undefined)
    app.get('/metrics', { exposeHeadRoute: false }, async (request, reply) => {
      reply.hijack()
      await metrics.answer(request.raw, reply.raw)
    })
  const { routes, sessions } = allRoutes(services.db)
  checkRoutes(routes)
  // A new certification has no version yet, although it shares its form with updates.
  const logging = (testRoutes ?? routes).map((each) =>
    each.call === createCertification ? each : logMissingVersion(each),
  )
  const apiKeys = findApiKeys(services)
  app.addHook('onClose', () => apiKeys.close())
  await registerRoutes(app, services, { sessions, apiKeys }, logging)
  app.addHook('onResponse', (request, reply, done) => {
    done()
    if (request.apiKey) {
      const use = { at: clock.now(), address: normalizeIp(request.ip), status: reply.statusCode }
      apiKeys.noteUse(request.apiKey, use)
    }
    const path = request.routeOptions.url
    const { method, id: requestId } = request
    const status = reply.statusCode
    // Requests that are refused at once have no stopwatch.
    const ms = request.elapsed?.() ?? 0
    const route = path ?? 'unknown'
    services.telemetry?.answered({ method, route, status, ms })
    if (request.span) tracer?.answered(request.span, status)
    // A path without a route may contain anything, so the log has only the routes.
    log[isHealthCheck(path) && status < 400 ? 'debug' : 'info']('request', {
      requestId,
      call: `${method} ${route}`,
      status,
      ms: Math.round(ms * 10) / 10,
      workerId: request.caller?.workerId,
    })
    const actionType = path && actionOf(path)
    if (!actionType) return
    services.events.record({
      at: clock.now(),
      source: 'staff',
      workerId: request.caller?.workerId,
      actionType,
      outcome: isSuccess(path, status) ? 'success' : 'failure',
      method,
      url: redactRoute(path, request.params),
      path,
      status,
      ms,
      address: normalizeIp(request.ip),
      requestId,
      failure: request.refusedFor ?? undefined,
    })
  })
  app.setNotFoundHandler((request, reply) => {
    const isPage =
      !request.url.startsWith('/api/') &&
      !request.url.startsWith('/assets/') &&
      /\btext\/html\b/.test(request.headers.accept ?? '')
    return isPage ? app.sendPage(request, reply) : answerNotFound(reply)
  })
  await app.ready()
  return app
}
