import { deepStrictEqual } from 'node:assert'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { formatInteger } from '../contract/src/kit/formats/numbers.ts'
import { startTestPostgres } from '../server/src/embedded/for-tests.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { makeCsrfToken } from '../server/src/platform/security/csrf.ts'
import { hashToken, makeKeyring, randomToken } from '../server/src/platform/security/secrets.ts'
import { silentLog } from '../server/src/platform/telemetry/log.ts'
import { benchAnalytics } from './analytics/analytics.ts'
import { benchBackups } from './backups.ts'
import { benchBusinesses } from './businesses.ts'
import { benchErrorLog } from './error-log.ts'
import { benchGrowth } from './growth.ts'
import { benchImport } from './integrations/import.ts'
import { benchIntegrations } from './integrations/integrations.ts'
import { benchMail } from './mail.ts'
import { benchMap } from './map.ts'
import { benchMarketing } from './marketing.ts'
import { fetchJson, median, sideBySide, type Target } from './measure.ts'
import { benchPayroll } from './payroll.ts'
import { benchPerson } from './person/person.ts'
import { benchScroll } from './person/scroll.ts'
import { benchPlans } from './plans.ts'
import type { Result } from './result.ts'
import { deployed, memoryOf, SECRET } from './served.ts'
import { benchStaff } from './staff.ts'
import { benchSupport } from './support.ts'
import { benchReport } from './support-report.ts'
import { benchTelemetry } from './telemetry/telemetry.ts'
import { benchTickets } from './tickets.ts'
import { benchTraining } from './training.ts'
import { benchUi } from './ui.ts'

const root = join(import.meta.dirname, '..')
const CUSTOMERS = Number(process.env.BENCH_CUSTOMERS ?? 100_000)
// The deployed form. `npm run bench` builds the server first.
const OURS = 'server/dist/main.js'
const LIMIT = 'bench/limit.ts'
const print = (line = '') => process.stdout.write(`${line}\n`)

/** Many customers, generated in the database. About half of them are active. */
async function fill(client: pg.Client, customers: number) {
  await client.query(
    `insert into customers (first_name, last_name, email, phone, joined_at, last_login_at)
     select (array['Ada','Ben','Cleo','Dana','Eli','Fay','Gus','Hana'])[1 + n % 8], 'Okafor' || n % 1000,
       'user' || n || '.' || substr(md5(n::text), 1, 6) || '@example.com', '+1951555' || lpad((n % 10000)::text, 4, '0'),
       now() - interval '200 days' - n * interval '37 seconds', now() - (n % 180) * interval '1 day'
     from generate_series(1, $1::int) n`,
    [customers],
  )
  await client.query('analyze')
}

/** Cookies of a worker who is signed in on as many browsers as there are connections. */
async function signIn(client: pg.Client): Promise<string[]> {
  const worker = await client.query<{ id: string }>(
    `insert into workers (email, name, permissions, handle, status, created_at) values ('bench@example.com', 'Bench', '{5,21}', '\\x01', 'active', now()) returning id`,
  )
  const tokens = Array.from({ length: 8 }, () => randomToken())
  for (const token of tokens)
    await client.query(
      `insert into sessions (token_hash, worker_id, created_at, last_seen_at) values ($1, $2, now(), now())`,
      [hashToken(token), worker.rows[0]?.id],
    )
  // Sent like a browser does. Without a CSRF token, the product would issue a new one on each call.
  const keyring = makeKeyring(SECRET)
  return tokens.map((token) => `sid=${token}; csrf=${makeCsrfToken(keyring, token)}`)
}

function launch(file: string, port: number, databaseUrl: string): ChildProcess {
  return spawn(process.execPath, [...(file === OURS ? deployed : []), join(root, file)], {
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: `http://localhost:${port}`,
      SECRET_KEY: SECRET,
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

async function untilUp(port: number): Promise<void> {
  for (;;) {
    const isUp = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      (reply) => reply.ok,
      () => false,
    )
    if (isUp) return
    await new Promise((done) => setTimeout(done, 5))
  }
}

async function timeStart(file: string, port: number, databaseUrl: string): Promise<number> {
  const startedAt = performance.now()
  const child = launch(file, port, databaseUrl)
  await untilUp(port)
  const ms = performance.now() - startedAt
  // A clean exit saves compiled code for the next start.
  child.kill('SIGTERM')
  await new Promise((done) => child.once('exit', done))
  return ms
}

/** Our server and the limit in turns. The first round warms up compiled code and does not count. */
async function compareStarts(databaseUrl: string): Promise<Result> {
  const times = { ours: [] as number[], limit: [] as number[] }
  for (let round = 0; round < 6; round++) {
    const [ours, limit] = [await timeStart(OURS, 3801, databaseUrl), await timeStart(LIMIT, 3802, databaseUrl)]
    if (round === 0) continue
    times.ours.push(ours)
    times.limit.push(limit)
  }
  const [ours, limit] = [median(times.ours), median(times.limit)]
  return {
    name: 'process start to first successful reply',
    ratio: ours / limit,
    budget: 3,
    figure: `${ours.toFixed(0)} ms against ${limit.toFixed(0)} ms`,
  }
}

async function compare(
  name: string,
  budget: number,
  ours: Target,
  limit: Target,
  paths: readonly string[],
): Promise<Result> {
  for (const path of paths.slice(0, 5))
    deepStrictEqual(await fetchJson(ours, path), await fetchJson(limit, path), `${path} gets different replies`)
  const found = await sideBySide(ours, limit, paths)
  return {
    name,
    ratio: found.ratio,
    budget,
    figure: `${found.ours.toFixed(3)} ms against ${found.limit.toFixed(3)} ms (ratio ${found.spread[0].toFixed(2)} to ${found.spread[1].toFixed(2)}; p50 ${found.p50.toFixed(1)}, p99 ${found.p99.toFixed(1)} ms)`,
  }
}

async function benchBase(): Promise<Result[]> {
  const postgres = await startTestPostgres()
  const client = new pg.Client({ connectionString: postgres.adminUrl })
  await client.connect()
  await client.query('create database bench')
  const url = new URL(postgres.adminUrl)
  url.pathname = '/bench'
  await migrate(url.href, silentLog)
  const data = new pg.Client({ connectionString: url.href })
  await data.connect()
  await fill(data, CUSTOMERS)
  const cookies = await signIn(data)
  let sent = 0
  const target = (name: string, port: number): Target => ({
    name,
    port,
    headers: {
      get cookie() {
        return cookies[sent++ % cookies.length] ?? ''
      },
      accept: 'application/json',
    },
  })
  const ours = target('ours', 3801)
  const limit = target('limit', 3802)
  const results = [await compareStarts(url.href)]
  const children = [launch(OURS, 3801, url.href), launch(LIMIT, 3802, url.href)] as const
  await Promise.all([untilUp(3801), untilUp(3802)])
  try {
    results.push(await compare('an empty call (session lookup and JSON)', 1.6, ours, limit, ['/api/auth/check']))
    const searches = Array.from(
      { length: 50 },
      (_, i) => `/api/support/users?limit=20&status=active&search=okafor${(i * 17) % 1000}`,
    )
    results.push(await compare(`a page of a list of ${formatInteger(CUSTOMERS)}`, 1.5, ours, limit, searches))
    const [mine, theirs] = children.map((child) => memoryOf({ child })) as [number, number]
    results.push({
      name: 'memory after the load',
      ratio: mine / theirs,
      budget: 2,
      figure: `${mine.toFixed(0)} MB against ${theirs.toFixed(0)} MB`,
    })
    return results
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await data.end()
    await client.end()
    await postgres.stop()
  }
}

interface Part {
  names: string[]
  run: (names: string[]) => Promise<Result[]>
  /** Why it runs only when it is named. */
  onRequest?: string
}

const parts: Part[] = [
  { names: ['base'], run: benchBase },
  { names: ['analytics'], run: benchAnalytics },
  { names: ['payroll'], run: benchPayroll },
  { names: ['businesses'], run: benchBusinesses },
  { names: ['mail'], run: benchMail },
  { names: ['support'], run: benchSupport },
  { names: ['report'], run: benchReport },
  { names: ['W2', 'W3'], run: benchTickets },
  { names: ['person'], run: benchPerson },
  { names: ['marketing'], run: benchMarketing },
  { names: ['growth'], run: benchGrowth },
  { names: ['integrations'], run: benchIntegrations },
  { names: ['import'], run: benchImport },
  { names: ['error-log'], run: benchErrorLog },
  { names: ['backups'], run: benchBackups },
  { names: ['telemetry'], run: benchTelemetry },
  { names: ['training'], run: benchTraining },
  { names: ['map'], run: benchMap, onRequest: 'a browser without a graphics card needs a quiet machine' },
  { names: ['ui'], run: benchUi, onRequest: 'needs a quiet machine' },
  { names: ['scroll'], run: benchScroll, onRequest: 'needs a quiet machine' },
  { names: ['plans'], run: benchPlans, onRequest: 'loading takes about ten minutes' },
  { names: ['staff'], run: benchStaff, onRequest: 'takes ten minutes' },
]

// npm run bench -- W3: runs what is named.
const named = process.argv.slice(2)
const counts = { passed: 0, failed: 0 }
print('Benchmark, ratio (ours / limit), budget')
for (const { names, run, onRequest } of parts) {
  const selected = named.length > 0 ? names.filter((name) => named.includes(name)) : onRequest ? [] : names
  if (selected.length === 0) continue
  try {
    for (const { name, ratio, budget, figure } of await run(selected)) {
      counts[ratio <= budget ? 'passed' : 'failed']++
      print(`${ratio <= budget ? 'ok  ' : 'OVER'} ${name.padEnd(46)} ${ratio.toFixed(2)}x of ${budget}x   ${figure}`)
    }
  } catch (error) {
    // The figures of the other parts still count.
    counts.failed++
    print(`BROKEN ${selected.join(', ')}: ${error instanceof Error ? error.stack : error}`)
  }
}
print(`${counts.passed} passed, ${counts.failed} failed`)
process.exitCode = counts.failed > 0 ? 1 : 0
