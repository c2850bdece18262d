import { type ChildProcess, spawn } from 'node:child_process'
import { Agent } from 'node:http'
import { join } from 'node:path'
import pg from 'pg'
import { formatInteger } from '../contract/src/kit/formats/numbers.ts'
import { seedCompany } from '../seed/seed-company.ts'
import { loadUsageEvents } from '../seed/usage-events.ts'
import { startTestPostgres } from '../server/src/embedded/for-tests.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { hashToken, randomToken } from '../server/src/platform/security/secrets.ts'
import { silentLog } from '../server/src/platform/telemetry/log.ts'
import { type Metered, measureIngest, measureRecording } from './analytics-ingest.ts'
import { readRaw } from './analytics-raw.ts'
import { cpuOf, cpuOfChildren, findPostmaster } from './cpu.ts'
import { ask, median, type Target } from './measure.ts'
import type { Result } from './result.ts'

const SMALL = 100_000
const LARGE = Number(process.env.BENCH_EVENTS ?? 10_000_000)
// A busy company has more customers too: their sets must not make the dashboard slow either.
const SCALE = Number(process.env.BENCH_SCALE ?? 4)
const ROUNDS = 31
// A server that has run for a while: its code is compiled and PostgreSQL keeps its plans.
const WARM_UP = 150
// A month of events takes a minute to scan; an hour varies more than it takes.
const SCANS = { hour: 5, day: 3, week: 1, month: 1 } as const
const KEY = 'bench-ingest-key-0123456789'
const CUSTOMERS = 20_000
const say = (line: string) => process.stderr.write(`${line}\n`)

/** The sample company, as `limber sample --events` makes it; its own month has some hundred thousand events. */
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

/** The action done most and one done seldom, so that filters of both kinds are asked for. */
async function findActions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ action: string }>(
    `select action_type as action from events where created_at >= now() - interval '1 day' group by 1 order by count(*) desc`,
  )
  return [rows.at(0), rows.at(-1)].flatMap((row) => (row ? [row.action] : []))
}

function launch(port: number, url: string): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'analytics-server.ts')], {
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

const REST = 2000

/** A server that has just started on new data first does what has become due; that is not what is measured. */
async function untilAtRest(target: Metered): Promise<void> {
  for (let before = target.cpu(), used = REST; used > REST / 20; before += used) {
    await new Promise((done) => setTimeout(done, REST))
    used = target.cpu() - before
  }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await run()
  return performance.now() - begun
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const read = (target: Target, query: string) => () => ask(agent, target, `/api/analytics/dashboard?${query}`)

/** A server, how many events its database holds, and the way to it. */
type Loaded = Target & { count: number; client: pg.Client }

/** As if events had been counted since: the next call computes its figures instead of repeating them. */
const changeFigures = ({ client }: Loaded) =>
  client.query('update event_rollup_version set version = pg_current_xact_id()')

const READINGS = ['computed', 'repeated'] as const
type Readings = Record<(typeof READINGS)[number], number>

/** Twenty times faster; with fewer events a raw count is quick, too. */
const BUDGET = LARGE >= 10_000_000 ? 0.05 : 0.1

/** How long the call takes when the figures have just changed, and when they are what they were. */
async function timeReadings(target: Loaded, query: string): Promise<Readings> {
  await changeFigures(target)
  return { computed: await timed(read(target, query)), repeated: await timed(read(target, query)) }
}

/** The middle of many rounds without a pause: what another server does in between empties the processor's caches. */
async function timeRounds(target: Loaded, query: string): Promise<Readings> {
  for (let round = 0; round < WARM_UP; round++) await timeReadings(target, query)
  const rounds: Readings[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await timeReadings(target, query))
  return {
    computed: median(rounds.map((each) => each.computed)),
    repeated: median(rounds.map((each) => each.repeated)),
  }
}

/** The dashboard with few and with many events, and the same figures from the events themselves, in turn. */
async function compareDashboards(few: Loaded, many: Loaded): Promise<Result[]> {
  const results: Result[] = []
  const filters = ['', ...(await findActions(many.client))]
  for (const timeframe of ['hour', 'day', 'week', 'month'] as const) {
    for (const filter of filters) {
      const query = `timeframeEvents=${timeframe}&timeframePerformance=${timeframe}&actionTypeFilter=${filter}`
      const small = await timeRounds(few, query)
      const large = await timeRounds(many, query)
      // Afterwards: a scan of everything would push what the others read out of memory.
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
          figure: `${took.toFixed(1)} ms against ${scan.toFixed(0)} ms (${(scan / took).toFixed(0)} times faster)`,
        })
      }
      say(
        `${name}: ${small.computed.toFixed(1)} ms, ${large.computed.toFixed(1)} ms, ${large.repeated.toFixed(1)} ms repeated, raw ${scan.toFixed(0)} ms`,
      )
    }
  }
  return results
}

/** With room enough for the scans. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`set work_mem = '256MB'`)
  return client
}

/** The dashboard's speed, the ingest rate and what recording our own calls costs. */
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
    say(`loading ${formatInteger(events)} events`)
    return { url: url.href, ...(await fill(url.href, events)) }
  }
  try {
    const small = await prepare('few', SMALL)
    const large = await prepare('many', LARGE)
    const few = await start('few', 3811, small.url, small.token)
    const many = await start('many', 3812, large.url, large.token)
    for (const target of [few, many]) await untilAtRest(target)
    const [ofFew, ofMany] = [await connect(small.url), await connect(large.url)]
    const dashboards = await compareDashboards(
      { ...few, count: small.count, client: ofFew },
      { ...many, count: large.count, client: ofMany },
    )
    for (const client of [ofFew, ofMany]) await client.end()
    const ingest = await measureIngest(many, KEY)
    // The others would use the database meanwhile.
    for (const child of children.splice(0)) child.kill('SIGKILL')
    const recording = await start('recording', 3813, small.url, small.token)
    await untilAtRest(recording)
    const searches = Array.from({ length: 50 }, (_, place) => `/api/support/users?limit=20&search=okafor${place * 17}`)
    const switchRecording = () => void children.at(-1)?.kill('SIGUSR2')
    return [...dashboards, ingest, await measureRecording(recording, switchRecording, searches)]
  } finally {
    agent.destroy()
    for (const child of children) child.kill('SIGKILL')
    await admin.end()
    await postgres.stop()
  }
}
