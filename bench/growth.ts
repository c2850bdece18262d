import pg from 'pg'
import { formatInteger } from '../contract/src/kit/formats/numbers.ts'
import { startTestPostgres } from '../server/src/embedded/for-tests.ts'
import { refreshFigures } from '../server/src/growth/public.ts'
import { systemClock } from '../server/src/platform/clock.ts'
import { openDb } from '../server/src/platform/db/db.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { openPool } from '../server/src/platform/db/pool.ts'
import { silentLog } from '../server/src/platform/telemetry/log.ts'
import { fillGrowth, ZONES } from './growth-data.ts'
import { median } from './measure.ts'
import type { Result } from './result.ts'
import { type Served, serveOurs, signInWorker } from './served.ts'

const SIZES = { small: 10_000, large: Number(process.env.BENCH_GROWTH ?? 1_000_000) }
const ROUNDS = 31
const MAX_MS = 100
const calls = [
  'health-overview?range=90d',
  'health-trends?range=90d',
  'referrals',
  'referrals/people',
  'referrals/people?review=open',
]

interface Company {
  served: Served
  data: pg.Client
  url: string
  /** How long the product took to compute all figures the first time, when every referral is new. */
  firstMs: number
}

/** Starts the product on its own database and waits until its figures are computed. */
async function open(adminUrl: string, port: number, customers: number): Promise<Company> {
  const url = new URL(adminUrl)
  url.pathname = `/growth_${customers}`
  await migrate(url.href, silentLog)
  const data = new pg.Client({ connectionString: url.href })
  await data.connect()
  await fillGrowth(data, customers)
  const token = await signInWorker(data, '{4,31}')
  const served = await serveOurs(port, url.href, token)
  for (;;) {
    const { rows } = await data.query<{ took_ms: number }>('select took_ms from growth_state')
    if (rows[0]) return { served, data, url: url.href, firstMs: rows[0].took_ms }
    await new Promise((done) => setTimeout(done, 500))
  }
}

async function ask({ served }: Company, path: string) {
  const reply = await served.call(path)
  if (reply.status !== 200) throw new Error(`${path} returned ${reply.status}`)
  return reply
}

/** Asks both companies in turns, so that other load on the machine affects both. */
async function inTurns(small: Company, large: Company, path: string) {
  const times = { small: [] as number[], large: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b] = [(await ask(small, path)).ms, (await ask(large, path)).ms]
    if (round === 0) continue
    times.small.push(a)
    times.large.push(b)
  }
  return { small: median(times.small), large: median(times.large) }
}

/** One plain scan of the rows behind the figures: the lower bound for computing them. */
async function readRows({ data }: Company): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const startedAt = performance.now()
    await data.query(`select (select count(zone_id) + count(joined_at) from customers), (select count(zone_id) + count(starts_at) from bookings),
      (select sum(amount) from customer_transactions), (select sum(amount) from payroll_entries), (select sum(delta) from credit_entries)`)
    times.push(performance.now() - startedAt)
  }
  return median(times)
}

/** How long a later refresh of the figures takes. */
async function refreshAgain({ url }: Company): Promise<number> {
  const db = openDb(openPool(url, { size: 2 }))
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const startedAt = performance.now()
    if (!(await refreshFigures({ db, clock: systemClock })))
      throw new Error('Another process is refreshing the figures')
    times.push(performance.now() - startedAt)
  }
  await db.destroy()
  return median(times)
}

async function measure(small: Company, large: Company): Promise<Result[]> {
  const { json } = await ask(large, '/api/marketing/zones')
  if (!Array.isArray(json.zones) || json.zones.length !== ZONES) throw new Error('Some zones are missing')
  const zones = await inTurns(small, large, '/api/marketing/zones')
  const results: Result[] = [
    {
      name: `${ZONES} zones at ${formatInteger(SIZES.large)} users`,
      ratio: zones.large / zones.small,
      budget: 3,
      figure: `${zones.large.toFixed(1)} ms against ${zones.small.toFixed(1)} ms at ${formatInteger(SIZES.small)}`,
    },
  ]
  for (const call of calls) {
    const times = await inTurns(small, large, `/api/marketing/${call}`)
    results.push({
      name: `${call} at ${formatInteger(SIZES.large)} users and bookings`,
      ratio: times.large / MAX_MS,
      budget: 1,
      figure: `${times.large.toFixed(1)} ms of ${MAX_MS} ms; ${times.small.toFixed(1)} ms at ${formatInteger(SIZES.small)}`,
    })
  }
  const [reading, took] = [await readRows(large), await refreshAgain(large)]
  results.push({
    name: 'computing all growth figures, against one scan of the rows',
    ratio: took / reading,
    budget: 30,
    figure: `${took.toFixed(0)} ms against ${reading.toFixed(0)} ms; the first time ${large.firstMs} ms, and ${small.firstMs} ms at ${formatInteger(SIZES.small)}`,
  })
  return results
}

/** Measures the map, the overview, and the refresh of their figures for a small and a large company. */
export async function benchGrowth(): Promise<Result[]> {
  const postgres = await startTestPostgres()
  const admin = new pg.Client({ connectionString: postgres.adminUrl })
  await admin.connect()
  const opened: Company[] = []
  try {
    for (const [index, customers] of [SIZES.small, SIZES.large].entries()) {
      await admin.query(`create database growth_${customers}`)
      opened.push(await open(postgres.adminUrl, 3808 + index, customers))
    }
    const [small, large] = opened as [Company, Company]
    return await measure(small, large)
  } finally {
    for (const { served, data } of opened) {
      served.child.kill('SIGKILL')
      await data.end()
    }
    await admin.end()
    await postgres.stop()
  }
}
