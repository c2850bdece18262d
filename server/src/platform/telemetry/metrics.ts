import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { SECOND, stopwatch } from '../clock.ts'
import { hashToken, sameText } from '../security/secrets.ts'
import type { Services } from '../services.ts'
import type { Gauges, Reading } from './gauges.ts'
import { describeError } from './log.ts'
import type { Telemetry } from './telemetry.ts'

// Import this file where it is used: a process without metrics must not load its library.

const LATENCIES = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const WORK_TIMES = [0.01, 0.05, 0.25, 1, 5, 30, 300]
/** Scrapers that come together share one reading. */
const READ_EVERY = 5 * SECOND
/** A database that hangs must not hang the scrape: the rest of the metrics say what is wrong. */
const READ_WITHIN = 2 * SECOND

export type Metrics = ReturnType<typeof makeMetrics>

/** Metrics of this process as Prometheus text. */
export function makeMetrics(services: Services, all: readonly Gauges[]) {
  const { config, pool, live, events, log } = services
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })

  const requests = new Counter({
    name: 'limber_requests_total',
    help: 'Requests answered, by call and status.',
    labelNames: ['call', 'status'],
    registers,
  })
  const latency = new Histogram({
    name: 'limber_request_seconds',
    help: 'Time until a request was answered, by call.',
    labelNames: ['call'],
    buckets: LATENCIES,
    registers,
  })
  const poolWait = new Histogram({
    name: 'limber_pool_wait_seconds',
    help: 'Time until a connection to the database was available.',
    buckets: LATENCIES,
    registers,
  })
  const work = new Histogram({
    name: 'limber_work_seconds',
    help: 'Time of jobs, deliveries of the outbox, and webhook requests, by name and outcome.',
    labelNames: ['kind', 'name', 'outcome'],
    buckets: WORK_TIMES,
    registers,
  })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('limber_pool_connections', 'Open connections of the pool.', () => pool.totalCount)
  gauge('limber_pool_in_use', 'Connections of the pool in use.', () => pool.totalCount - pool.idleCount)
  gauge('limber_pool_size', 'Most connections of the pool.', () => config.databasePool)
  gauge('limber_pool_waiting', 'Calls that wait for a connection.', () => pool.waitingCount)
  gauge('limber_live_streams', 'Open live streams of browsers.', () => live.status().streams)
  gauge('limber_live_connected', '1 while this process hears of changes.', () => Number(live.status().isConnected))
  const { replica } = services
  if (replica)
    gauge(
      'limber_reports_replica_lag_seconds',
      'How far the replica for reports is behind.',
      () => (replica.lag() ?? 0) / SECOND,
    )
  gauge('limber_events_waiting', 'Usage events in memory.', () => events.backlog().waiting)
  gauge('limber_log_lines_lost', 'Log lines lost since the log could last be written.', () => log.loss()?.lost ?? 0)

  const isRead = new Gauge({
    name: 'limber_gauges_read',
    help: '1 if the gauges of the database could be read.',
    labelNames: ['gauges'],
    registers,
  })
  const sets = all.map((set) => {
    const made = Object.entries(set.help).map(
      ([name, help]) => [name, new Gauge({ name, help, labelNames: set.labels ?? [], registers })] as const,
    )
    return { set, made: new Map(made) }
  })

  async function readSet({ set, made }: (typeof sets)[number]) {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error('No response in time.')), READ_WITHIN)
    let readings: readonly Reading[] = []
    try {
      readings = await Promise.race([set.read(services), late.promise])
      isRead.set({ gauges: set.name }, 1)
    } catch (error) {
      isRead.set({ gauges: set.name }, 0)
      log.debug('gauges were not read', { name: set.name, ...describeError(error) })
    } finally {
      clearTimeout(timer)
    }
    for (const each of made.values()) each.reset()
    for (const { name, value, labels = {} } of readings) made.get(name)?.set(labels, value)
  }

  let reading: Promise<unknown> | undefined
  let readAt = Number.NEGATIVE_INFINITY
  async function print(): Promise<string> {
    if (performance.now() - readAt > READ_EVERY) {
      readAt = performance.now()
      reading = Promise.all(sets.map(readSet))
    }
    await reading
    return registry.metrics()
  }

  const telemetry: Telemetry = {
    answered({ method, route, status, ms }) {
      const call = `${method} ${route}`
      requests.inc({ call, status })
      latency.observe({ call }, ms / SECOND)
    },
    waitedForConnection: (ms) => poolWait.observe(ms / SECOND),
    async measure(kind, name, run) {
      const elapsed = stopwatch()
      let outcome = 'failed'
      try {
        const result = await run()
        if (result !== false) outcome = 'done'
        return result
      } finally {
        work.observe({ kind, name, outcome }, elapsed() / SECOND)
      }
    },
  }

  const digest = (text: string) => hashToken(text).toString('hex')
  const isAllowed = ({ headers: { authorization = '' } }: IncomingMessage) =>
    !config.metrics?.key || sameText(digest(authorization), digest(`Bearer ${config.metrics.key}`))

  async function answer(request: IncomingMessage, response: ServerResponse) {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    if (!isAllowed(request)) return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    const text = await print()
    response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text)
  }

  return {
    telemetry,
    answer,
    /** Listens on a port of its own; returns how to close it. */
    async listen(port: number): Promise<{ port: number; close(): Promise<void> }> {
      const server = createServer((request, response) => {
        answer(request, response).catch((error) => {
          log.warn('metrics were not sent', describeError(error))
          response.destroy()
        })
      })
      await new Promise<void>((done, fail) => {
        server.once('error', fail)
        server.listen(port, config.host, done)
      })
      const address = server.address()
      return {
        port: typeof address === 'object' && address ? address.port : port,
        close: () => new Promise((done) => void server.close(() => done()).closeAllConnections()),
      }
    },
  }
}
