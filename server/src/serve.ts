import { join } from 'node:path'
import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { createCertification } from '@limber/contract/certifications/certification.ts'
import { redactRoute } from '@limber/contract/kit/redact-url.ts'
import Fastify, { type FastifyReply } from 'fastify'
import { z } from 'zod'
import { type Clock, systemClock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { followDatabaseClock } from '#platform/db/database-time.ts'
import { openDb, openPool } from '#platform/db/db.ts'
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
import { checkSchedules } from '#platform/jobs/schedules.ts'
import { makeLiveHub } from '#platform/live/live.ts'
import { makeMailDelivery } from '#platform/mail/mail.ts'
import { type Channels, makeOutboxCourier } from '#platform/outbox/outbox.ts'
import { makeTextService } from '#platform/outbox/texts.ts'
import { root } from '#platform/paths.ts'
import { warnOfDeprecatedKeys } from '#platform/security/admit-by-key.ts'
import { normalizeIp } from '#platform/security/client-address.ts'
import { makeKeyring } from '#platform/security/secrets.ts'
import type { Services } from '#platform/services.ts'
import { makeStorage } from '#platform/storage/open-storage.ts'
import { makeEventRecorder } from '#platform/telemetry/events.ts'
import { describeError, type Log, makeLog } from '#platform/telemetry/log.ts'
import { allRoutes, areaChannels, backgroundLoops, checkRoutes, findApiKeys, jobs, schedules, topics } from './app.ts'

export interface ServerParts {
  clock?: Clock
  log?: Log
  /** Queued and scheduled work runs in this process; tests mostly leave it out. */
  withJobs?: boolean
  /** What must hold before anybody is answered; looked at meanwhile. */
  before?: Promise<unknown>
  /** Other calls than the product's, for tests of the pipeline itself. */
  routes?: readonly Route[]
  /** Further channels of the outbox, for tests. */
  channels?: Channels
}

export interface RunningServer {
  url: string
  services: Services
  jobs: JobRunner | undefined
  courier: ReturnType<typeof makeOutboxCourier>
  close(): Promise<void>
}

const webFolder = join(root, 'web/dist')

/** Opens everything a process needs and listens. */
export async function startServer(
  config: Config,
  { clock: given, log = makeLog(config.logLevel), withJobs = true, before, routes, channels: more }: ServerParts = {},
): Promise<RunningServer> {
  checkSchedules(schedules, systemClock.now())
  const pool = openPool(config.databaseUrl, {
    size: config.databasePool,
    onError: (error) => log.warn('database connection lost', describeError(error)),
  })
  const db = openDb(pool)
  const following = given ? undefined : followDatabaseClock(db, log)
  const clock = given ?? following ?? systemClock
  const services: Services = {
    config,
    db,
    pool,
    clock,
    log,
    keyring: makeKeyring(config.secretKey, config.oldSecretKeys),
    live: makeLiveHub(config.databaseUrl, topics, log),
    events: makeEventRecorder(pool, log),
    storage: await makeStorage(config),
    texts: makeTextService(config),
    channels: new Set(),
  }
  warnOfDeprecatedKeys(config, log)
  // The database answers while the calls are registered.
  const connecting = Promise.all([services.live.start(), following?.start(), before])
  connecting.catch(() => {})
  const app = await makeApp(services, routes)
  const closers: (() => Promise<unknown>)[] = [
    async () => {
      following?.close()
      await db.destroy()
    },
    () => services.events.close(),
    () => app.close(),
  ]
  // Streams end first, so that the server can drain; what was taken on is finished; the pool goes last.
  closers.push(() => services.live.close())
  const close = async () => {
    for (const end of closers.toReversed()) await end()
  }
  try {
    await connecting
    await app.listen({ port: config.port, host: config.host })
    const runner = withJobs ? await startJobs(services) : undefined
    for (const keep of withJobs ? backgroundLoops : []) closers.splice(1, 0, keep(services).close)
    const channels = { ...makeChannels(services, runner), ...more }
    for (const name of Object.keys(channels)) services.channels.add(name)
    const courier = makeOutboxCourier(services, channels)
    closers.splice(2, 0, async () => {
      await runner?.close()
      await courier.close()
    })
    services.live.onOutbox(() => void courier.run())
    void courier.run()
    const address = app.server.address()
    const port = typeof address === 'object' && address ? address.port : config.port
    return { url: `http://localhost:${port}`, services, jobs: runner, courier, close }
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}

/** Queued work has a client of its own, loaded once the server already answers. */
async function startJobs(services: Services): Promise<JobRunner> {
  const { makeJobRunner } = await import('#platform/jobs/jobs.ts')
  const runner = makeJobRunner(services, jobs, schedules)
  await runner.start()
  return runner
}

const Queued = z.object({ name: z.string(), data: z.record(z.string(), z.unknown()) })

/** What is connected: mail by SMTP or into the local mailbox, what areas carry, and queued work where this process does any. */
function makeChannels(services: Services, runner: JobRunner | undefined): Channels {
  const { config, db, clock } = services
  const mail = makeMailDelivery(config, db, clock)
  return {
    ...(mail && { mail }),
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

/** What the analytics call the calls of a path; nothing for those that are not recorded. Worked out once. */
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

/** That nobody is signed in is what the question was for, not a failure. */
const isAnswer = (path: string, status: number) => status < 400 || (status === 401 && path === checkSession.path)

/** The HTTP side: every call of the contract, the web app, and a clear answer for anything else. */
export async function makeApp(services: Services, testRoutes?: readonly Route[]) {
  const { config, clock } = services
  const app = Fastify({
    genReqId: makeRequestId,
    // So many proxies stand in front of us; what a client claims beyond them is not believed.
    trustProxy: (_address: string, hop: number) => hop < config.trustProxy,
    // A large film on a slow line takes its time; other bodies are watched by the pipeline, stalled ones by their reader.
    requestTimeout: 3_600_000,
    http: { headersTimeout: 60_000 },
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: 200 },
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
  const hangUp = makeConnectionCloser(app.server)
  app.addHook('preClose', (done) => {
    hangUp()
    done()
  })
  const headers = safetyHeaders(config)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    if (hasTwoHosts(request.raw)) return void answerTwoHosts(reply)
    const isUnknown = request.is404 && request.method !== 'GET'
    // Nobody reads what comes with these.
    if ((isUnknown || request.method === 'GET') && hasUnreadBody(request)) reply.header('connection', 'close')
    if (isUnknown) return void answerNotFound(reply)
    done()
  })
  registerPages(app, config.webFiles ?? webFolder, config)
  const { routes, sessions } = allRoutes(services.db)
  checkRoutes(routes)
  // A certification that is new has none yet, though its form is that of a change.
  const noted = (testRoutes ?? routes).map((each) =>
    each.call === createCertification ? each : logMissingVersion(each),
  )
  const apiKeys = findApiKeys(services)
  app.addHook('onClose', () => apiKeys.close())
  registerRoutes(app, services, { sessions, apiKeys }, noted)
  app.addHook('onResponse', (request, reply, done) => {
    done()
    if (request.apiKey) {
      const use = { at: clock.now(), address: normalizeIp(request.ip), status: reply.statusCode }
      apiKeys.noteUse(request.apiKey, use)
    }
    const path = request.routeOptions.url
    const actionType = path && actionOf(path)
    if (!actionType) return
    services.events.record({
      at: clock.now(),
      source: 'staff',
      workerId: request.caller?.workerId,
      actionType,
      outcome: isAnswer(path, reply.statusCode) ? 'success' : 'failure',
      method: request.method,
      url: redactRoute(path, request.params),
      path,
      status: reply.statusCode,
      ms: request.elapsed(),
      address: normalizeIp(request.ip),
      requestId: request.id,
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
