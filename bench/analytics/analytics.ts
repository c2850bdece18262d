import { type ChildProcess, spawn } from 'node:child_process'
import { Agent } from 'node:http'
import { join } from 'node:path'
import pg from 'pg'
import { formatInteger } from '../../contract/src/kit/formats/numbers.ts'
import { seedCompany } from '../../seed/seed-company.ts'
import { loadUsageEvents } from '../../seed/usage-events.ts'
import { startTestPostgres } from '../../server/src/embedded/for-tests.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { hashToken, randomToken } from '../../server/src/platform/security/secrets.ts'
import { silentLog } from '../../server/src/platform/telemetry/log.ts'
import { cpuOf, cpuOfChildren, findPostmaster } from '../cpu.ts'
import { ask, median, type Target } from '../measure.ts'
import type { Result } from '../result.ts'
import { type Metered, measureIngest, measureRecording } from './ingest.ts'
import { readRaw } from './raw.ts'

const SMALL = 100_000
const LARGE = Number(process.env.BENCH_EVENTS ?? 10_000_000)
// A larger company also has more customers, whose sets must not slow down the dashboard.
const SCALE = Number(process.env.BENCH_SCALE ?? 4)
const ROUNDS = 31
// Like a server that has been running: code is compiled and PostgreSQL has cached its plans.
const WARM_UP = 150
// Scanning a month of events takes a minute. Short scans vary more and need more rounds.
const SCANS = { hour: 5, day: 3, week: 1, month: 1 } as const
const KEY = 'bench-ingest-key-0123456789'
const CUSTOMERS = 20_000
const print = (line: string) => process.stderr.write(`${line}\n`)

/** The sample company as loaded by `limber sample --events`. Its own month has about a hundred thousand events. */
async function fill(url: string, events: number) {
  await seedCompany(url, { scale: events > SMALL ? SCALE : 1 })
  if (events > SMALL) await loadUsageEvents(url, events)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const token = randomToken()
  try {
    const worker = await client.query<{ id: string }>(
      `insert into workers (email, name, permissions, handle, status, created_at) values ('bench@example.com', 'Bench', '{1,5}', '\\x01', 'active', now()) returning id`,
    )
    await client.query(
      `insert into sessions (token_hash, worker_id, created_at, last_seen_at) values ($1, $2, now(), now())`,
      [hashToken(token), worker.rows[0]?.id],
    )
    await client.query(
      `insert into customers (first_name, last_name, email, joined_at, last_login_at)
       select 'Ada', 'Okafor' || n % 1000, 'user' || n || '@example.com', now() - n * interval '1 minute', now() from generate_series(1, $1::int) n`,
      [CUSTOMERS],
    )
    await client.query('vacuum analyze')
    const { rows } = await client.query<{ n: number }>('select count(*)::int as n from events')
    return { token, count: rows[0]?.n ?? 0 }
  } finally {
    await client.end()
  }
}

/** The most and the least frequent action, to filter by both. */
async function findActions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ action: string }>(
    `select action_type as action from events where created_at >= now() - interval '1 day' group by 1 order by count(*) desc`,
  )
  return [rows.at(0), rows.at(-1)].flatMap((row) => (row ? [row.action] : []))
}

function launch(port: number, url: string): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'server.ts')], {
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: url,
      PUBLIC_URL: `http://localhost:${port}`,
      SECRET_KEY: 'bench-0123456789-abcdefghijklmnopqrstuvwxyz',
      EVENT_INGEST_KEY: KEY,
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

async function untilUp(port: number): Promise<void> {
  while (
    !(await fetch(`http://127.0.0.1:${port}/healthz`).then(
      (reply) => reply.ok,
      () => false,
    ))
  )
    await new Promise((done) => setTimeout(done, 20))
}

const IDLE_CHECK_MS = 2000

/** Waits until a server that just started on new data has finished its due work. */
async function untilIdle(target: Metered): Promise<void> {
  for (let before = target.cpu(), used = IDLE_CHECK_MS; used > IDLE_CHECK_MS / 20; before += used) {
    await new Promise((done) => setTimeout(done, IDLE_CHECK_MS))
    used = target.cpu() - before
  }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const read = (target: Target, query: string) => () => ask(agent, target, `/api/analytics/dashboard?${query}`)

/** A server, the number of events in its database, and a connection to it. */
type Loaded = Target & { count: number; client: pg.Client }

/** Makes the next call compute its figures instead of using the cached ones. */
const invalidateFigures = ({ client }: Loaded) =>
  client.query('update event_rollup_version set version = pg_current_xact_id()')

const READINGS = ['computed', 'cached'] as const
type Readings = Record<(typeof READINGS)[number], number>

/** Twenty times faster than raw events. With fewer events, raw queries are fast too. */
const BUDGET = LARGE >= 10_000_000 ? 0.05 : 0.1

/** How long the call takes with computed and with cached figures. */
async function timeReadings(target: Loaded, query: string): Promise<Readings> {
  await invalidateFigures(target)
  return { computed: await timed(read(target, query)), cached: await timed(read(target, query)) }
}

/** The median of many rounds without a pause, because other work in between would empty the CPU caches. */
async function timeRounds(target: Loaded, query: string): Promise<Readings> {
  for (let round = 0; round < WARM_UP; round++) await timeReadings(target, query)
  const rounds: Readings[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await timeReadings(target, query))
  return {
    computed: median(rounds.map((each) => each.computed)),
    cached: median(rounds.map((each) => each.cached)),
  }
}

/** Compares the dashboard with few and with many events, and with the same figures from raw events. */
async function compareDashboards(few: Loaded, many: Loaded): Promise<Result[]> {
  const results: Result[] = []
  const filters = ['', ...(await findActions(many.client))]
  for (const timeframe of ['hour', 'day', 'week', 'month'] as const) {
    for (const filter of filters) {
      const query = `timeframeEvents=${timeframe}&timeframePerformance=${timeframe}&actionTypeFilter=${filter}`
      const small = await timeRounds(few, query)
      const large = await timeRounds(many, query)
      // Last, because a full scan evicts what the others read from memory.
      const scans: number[] = []
      for (let round = 0; round < SCANS[timeframe]; round++)
        scans.push(await timed(() => readRaw(many.client, timeframe, filter)))
      const scan = median(scans)
      const name = `${timeframe}${filter ? ` of ${filter}` : ''}`
      results.push({
        name: `dashboard, ${name}: ${formatInteger(few.count)} to ${formatInteger(many.count)} events`,
        ratio: large.computed / small.computed,
        budget: 3,
        figure: `${small.computed.toFixed(1)} ms to ${large.computed.toFixed(1)} ms`,
      })
      for (const reading of READINGS) {
        const took = large[reading]
        results.push({
          name: `dashboard, ${name}: ${reading}, against the raw events`,
          ratio: took / scan,
          budget: BUDGET,
          figure: `${took.toFixed(1)} ms against ${scan.toFixed(0)} ms (${(scan / took).toFixed(0)} times as fast)`,
        })
      }
      print(
        `${name}: ${small.computed.toFixed(1)} ms, ${large.computed.toFixed(1)} ms, ${large.cached.toFixed(1)} ms repeated, raw ${scan.toFixed(0)} ms`,
      )
    }
  }
  return results
}

/** With enough memory for the scans. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`set work_mem = '256MB'`)
  return client
}

/** Measures the dashboard, the ingest rate, and the cost of recording our own calls. */
export async function benchAnalytics(): Promise<Result[]> {
  const postgres = await startTestPostgres()
  const children: ChildProcess[] = []
  const admin = new pg.Client({ connectionString: postgres.adminUrl })
  await admin.connect()
  const postmaster = await findPostmaster(admin)
  const start = async (name: string, port: number, url: string, token: string): Promise<Metered> => {
    const child = launch(port, url)
    children.push(child)
    await untilUp(port)
    const headers = { cookie: `sid=${token}`, accept: 'application/json' }
    return { name, port, headers, cpu: () => cpuOf(child.pid ?? 0) + cpuOfChildren(postmaster) }
  }
  const prepare = async (name: string, events: number) => {
    await admin.query(`create database ${name}`)
    const url = new URL(postgres.adminUrl)
    url.pathname = `/${name}`
    await migrate(url.href, silentLog)
    print(`loading ${formatInteger(events)} events`)
    return { url: url.href, ...(await fill(url.href, events)) }
  }
  try {
    const small = await prepare('few', SMALL)
    const large = await prepare('many', LARGE)
    const few = await start('few', 3811, small.url, small.token)
    const many = await start('many', 3812, large.url, large.token)
    for (const target of [few, many]) await untilIdle(target)
    const [ofFew, ofMany] = [await connect(small.url), await connect(large.url)]
    const dashboards = await compareDashboards(
      { ...few, count: small.count, client: ofFew },
      { ...many, count: large.count, client: ofMany },
    )
    for (const client of [ofFew, ofMany]) await client.end()
    const ingest = await measureIngest(many, KEY)
    // The other servers would use the database at the same time.
    for (const child of children.splice(0)) child.kill('SIGKILL')
    const recording = await start('recording', 3813, small.url, small.token)
    await untilIdle(recording)
    const searches = Array.from({ length: 50 }, (_, index) => `/api/support/users?limit=20&search=okafor${index * 17}`)
    const switchRecording = () => void children.at(-1)?.kill('SIGUSR2')
    return [...dashboards, ingest, await measureRecording(recording, switchRecording, searches)]
  } finally {
    agent.destroy()
    for (const child of children) child.kill('SIGKILL')
    await admin.end()
    await postgres.stop()
  }
}
