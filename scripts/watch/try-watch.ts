import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../server/src/embedded/port.ts'
import { startPostgres } from '../../server/src/embedded/postgres.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { silentLog } from '../../server/src/platform/telemetry/log.ts'
import { signIn, startLimber } from '../failover/writers.ts'

// node scripts/watch/try-watch.ts: a real Prometheus scrapes a process, and every query of the dashboard and every alert is asked.
// A collector takes the traces, and the spans of one call are listed. Short forms: metrics.test.ts and traces.test.ts
const root = join(import.meta.dirname, '../..')
if (!existsSync('/usr/bin/prometheus'))
  throw new Error('Prometheus is not installed. On Debian: apt-get install prometheus')
const print = (line: string) => process.stdout.write(`${line}\n`)
const home = mkdtempSync(join(tmpdir(), 'limber-watch-'))
const results: [text: string, passed: boolean][] = []
const check = (text: string, passed: boolean) => {
  results.push([text, passed])
  print(`${passed ? '    ok' : 'FAILED'}  ${text}`)
}

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
}
const spans: Span[] = []
const collector = createServer((request, response) => {
  void readText(request).then((body) => {
    spans.push(...JSON.parse(body).resourceSpans[0].scopeSpans[0].spans)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done))

const postgres = await startPostgres({ home, log: () => {}, isThrowaway: true })
await migrate(postgres.url, silentLog)
async function query(text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}
mkdirSync(join(home, 'files'))
const metricsPort = await freePort()
const limber = await startLimber({
  DATABASE_URL: postgres.url,
  LIMBER_STORAGE: join(home, 'files'),
  LIMBER_EMBEDDED: '1',
  BACKUP_KEY: randomBytes(36).toString('base64'),
  BACKUP_STORAGE: join(home, 'backups'),
  PORT: String(await freePort()),
  METRICS_PORT: String(metricsPort),
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  OTEL_TRACES_SAMPLER_ARG: '0.000001',
})
const headers = await signIn({ query })

const rules = join(root, 'docs/alerts.yml')
execFileSync('promtool', ['check', 'rules', rules], { stdio: 'ignore' })
const settings = join(home, 'prometheus.yml')
writeFileSync(
  settings,
  `global: { scrape_interval: 1s, evaluation_interval: 1s }
scrape_configs:
  - job_name: limber
    static_configs: [{ targets: ["127.0.0.1:${metricsPort}"] }]
rule_files: [${rules}]
`,
)
const port = await freePort()
const prometheus: ChildProcess = spawn(
  '/usr/bin/prometheus',
  [
    `--config.file=${settings}`,
    `--storage.tsdb.path=${join(home, 'prometheus')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ],
  { stdio: ['ignore', 'ignore', 'inherit'] },
)
process.once('exit', () => {
  prometheus.kill('SIGKILL')
  limber.kill()
  rmSync(home, { recursive: true, force: true })
})

type Answer<T> = { status: string; data: T; error?: string }
async function ask<T>(path: string): Promise<Answer<T>> {
  const reply = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => undefined)
  return reply ? ((await reply.json()) as Answer<T>) : { status: 'down', data: undefined as T }
}
const find = (expression: string) =>
  ask<{ result: { value: [number, string] }[] }>(`query?query=${encodeURIComponent(expression)}`)

// Work to look at: reads, writes with deliveries, a job, a refusal, a live stream.
const stop = new AbortController()
const stream = fetch(`${limber.url}/api/live`, { headers: { cookie: headers.cookie ?? '' }, signal: stop.signal })
stream.catch(() => {})
const TRACE = randomBytes(16).toString('hex')
async function call(path: string, body?: unknown, more: Record<string, string> = {}) {
  const reply = await fetch(limber.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers, ...more },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  await reply.text()
  return reply.status
}
const person = (name: string) => ({ email: `${name}@example.com`, name, role: null, permissions: ['1'] })
await call('/api/access/workers/invite', person('traced'), { traceparent: `00-${TRACE}-${'b'.repeat(16)}-01` })
await call('/api/backups', {})
for (let n = 0; n < 20; n++) {
  await call('/api/access/workers?limit=20')
  await call('/api/access/workers/invite', person(`watched-${n}`))
  await call('/api/access/workers/invite', { email: 'no' })
  await sleep(1_000)
}

const { data: targets } = await ask<{ activeTargets: { health: string }[] }>('targets')
check('Prometheus scrapes the process', targets?.activeTargets[0]?.health === 'up')

interface Panel {
  title: string
  targets?: { expr: string }[]
}
const dashboard = JSON.parse(readFileSync(join(root, 'docs/grafana/limber.json'), 'utf8')) as { panels: Panel[] }
/** What has no value in a company where nothing went wrong and nothing is sent outside. */
const MAY_BE_EMPTY = /status=~"5|replica|webhook|kind="(webhook|delivery)"|outcome="failed"|backup_age/
let asked = 0
const silent: string[] = []
for (const { title, targets: queries = [] } of dashboard.panels)
  for (const { expr } of queries) {
    const { status, data, error } = await find(expr.replaceAll(/\$__(rate_)?interval/g, '30s'))
    asked += 1
    if (status !== 'success') silent.push(`${title}: ${error}`)
    else if (data.result.length === 0 && !MAY_BE_EMPTY.test(expr)) silent.push(`${title}: no value for ${expr}`)
  }
for (const line of silent) print(`        ${line}`)
check(`all ${asked} queries of the dashboard have an answer`, asked > 20 && silent.length === 0)

type Rules = {
  groups: { rules: { name: string; query: string; health: string; state: string; lastError?: string }[] }[]
}
const alerts = async () => (await ask<Rules>('rules')).data.groups.flatMap(({ rules: all }) => all)
const found = await alerts()
const unhealthy = found.filter(({ health }) => health !== 'ok')
for (const { name, lastError } of unhealthy) print(`        ${name}: ${lastError}`)
check(`all ${found.length} alerts are evaluated`, found.length > 15 && unhealthy.length === 0)
/** The first backup is not there yet. */
const quiet = found.filter(({ name, state }) => state !== 'inactive' && name !== 'LimberBackupOld')
for (const { name, state } of quiet) print(`        ${name} is ${state}`)
check('no alert is raised while all is well', quiet.length === 0)

await sleep(3_000)
const ofCall = spans.filter(({ traceId }) => traceId === TRACE)
const duration = ({ startTimeUnixNano, endTimeUnixNano }: Span) =>
  Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6
function list(parent: string, depth: number) {
  const children = ofCall
    .filter(({ parentSpanId }) => parentSpanId === parent)
    .toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
  for (const span of children) {
    print(`        ${'  '.repeat(depth)}${span.name} ${duration(span).toFixed(1)} ms`)
    list(span.spanId, depth + 1)
  }
}
list('b'.repeat(16), 0)
const names = new Set(ofCall.map(({ name }) => name))
check(
  `${ofCall.length} spans of one call: request, checks, handler, statements`,
  ['POST /api/access/workers/invite', 'admit', 'handle', 'insert', 'commit'].every((name) => names.has(name)),
)
check(
  'only what the sampler or the caller chose is traced',
  spans.every(({ traceId }) => traceId === TRACE),
)

stop.abort()
await limber.stop()
let isRaised = false
for (let attempt = 0; attempt < 30 && !isRaised; attempt++) {
  await sleep(1_000)
  isRaised = (await alerts()).some(({ name, state }) => name === 'LimberDown' && state !== 'inactive')
}
check('the alert LimberDown is raised when the process has ended', isRaised)
prometheus.kill('SIGTERM')
collector.close()
await postgres.stop()
const failed = results.filter(([, passed]) => !passed).length
print(`${results.length - failed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
