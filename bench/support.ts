import pg from 'pg'
import { formatInteger } from '../contract/src/kit/formats/numbers.ts'
import { startTestPostgres } from '../server/src/embedded/for-tests.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { silentLog } from '../server/src/platform/telemetry/log.ts'
import { cpuOf, cpuOfChildren, findPostmaster } from './cpu.ts'
import { median } from './measure.ts'
import type { Result } from './result.ts'
import { type Served, serveOurs, signInWorker } from './served.ts'
import { measureLive } from './support-live.ts'

const PORT = 3806
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 1_000_000)
const TICKETS = MESSAGES / 10
const CUSTOMERS = TICKETS
const MANY_CUSTOMERS = 10 * CUSTOMERS
const ROUNDS = 25
const SEARCH_MS = 100
const GROWTH = 6

/** Runs without the indexes of a table and recreates them afterward. Much faster for a million rows. */
export async function withoutIndexes(data: pg.Client, table: string, run: () => Promise<unknown>) {
  const { rows } = await data.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where tablename = $1 and indexname not like '%_pkey'
       and indexname not in (select conname from pg_constraint)`,
    [table],
  )
  for (const { indexname } of rows) await data.query(`drop index ${indexname}`)
  await run()
  await data.query("set maintenance_work_mem = '256MB'")
  for (const { indexdef } of rows) await data.query(indexdef)
}

const customers = (data: pg.Client, from: number, to: number) =>
  data.query(
    `insert into customers (first_name, last_name, email, phone, joined_at, last_login_at)
     select (array['Ada','Ben','Cleo','Dana','Eli','Fay','Gus','Hana'])[1 + n % 8], 'Okafor' || n % 1000,
       'user' || n || '.' || substr(md5(n::text), 1, 6) || '@example.com', '+1951555' || lpad((n % 10000)::text, 4, '0'),
       now() - interval '200 days' - n * interval '3 seconds', now() - (n % 180) * interval '1 day'
     from generate_series($1::int, $2::int) n`,
    [from, to],
  )

/** Several years of tickets with ten messages each: common words, rare words, and unique numbers. */
async function fill(data: pg.Client): Promise<string> {
  await withoutIndexes(data, 'customers', () => customers(data, 1, CUSTOMERS))
  const token = await signInWorker(data, '{5,21}')
  await withoutIndexes(data, 'tickets', () =>
    data.query(
      `insert into tickets (customer_id, customer_email, subject, status, priority, created_at, updated_at, waiting_since, message_count)
       select n, 'user' || n || '@example.com', (array['Charged twice','Late session','Change of address','Gift card'])[1 + n % 4] || ' ' || n,
         case when n % 50 = 0 then 'open' when n % 70 = 0 then 'in_progress' else 'closed' end, 'medium',
         now() - n * interval '9 minutes', now() - n * interval '8 minutes', case when n % 100 = 0 then now() end, 10
       from generate_series(1, ${TICKETS}) n`,
    ),
  )
  await withoutIndexes(data, 'ticket_messages', () =>
    data.query(
      `insert into ticket_messages (ticket_id, from_customer, worker_id, content, created_at, ticket_version)
       select 1 + n % ${TICKETS}, n % 2 = 0, case when n % 2 = 1 then 1 end,
         'Hello, ' || (array['my card was charged','no one came to the session','I would like to move it','thank you for the reply'])[1 + n % 4]
         || ' and ' || (array['I wait','please look','it happened again','that is all'])[1 + (n / 7) % 4]
         || case when n % 400 = 0 then ' about the voucher' else '' end
         || case when n % 9973 = 0 then ' with a trampoline' else '' end || ', reference ' || substr(md5(n::text), 1, 10),
         now() - (${MESSAGES} - n) * interval '50 seconds', 1
       from generate_series(1, ${MESSAGES}) n`,
    ),
  )
  await data.query('vacuum analyze')
  return token
}

async function timed(served: Served, path: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { status, ms } = await served.call(path)
    if (status !== 200) throw new Error(`${path} returned ${status}`)
    times.push(ms)
  }
  return median(times)
}

/** Searches for words in all, some, few, one and no messages, with filters and counts. */
async function measureSearch(served: Served): Promise<Result[]> {
  const results: Result[] = []
  const measure = async (name: string, path: string) => {
    const ms = await timed(served, path)
    results.push({ name, ratio: ms / SEARCH_MS, budget: 1, figure: `${ms.toFixed(1)} ms of ${SEARCH_MS} ms` })
  }
  const all = `of ${formatInteger(MESSAGES)} messages`
  for (const word of ['hello', 'charged', 'voucher', 'trampoline', 'c4ca4238a0', 'zzzqqq', 'user77'])
    await measure(`tickets that say '${word}', ${all}`, `/api/support/tickets?search=${word}`)
  await measure(`open tickets that say 'charged', ${all}`, '/api/support/tickets?search=charged&status=open')
  await measure(`open tickets that say 'zzzqqq', ${all}`, '/api/support/tickets?search=zzzqqq&status=open')
  await measure(`open tickets that say 'session', ${all}`, '/api/support/tickets?search=session&status=open')
  await measure(`closed tickets that say 'voucher', ${all}`, '/api/support/tickets?search=voucher&status=closed')
  await measure(`who waits and says 'charged', ${all}`, '/api/support/tickets?search=charged&queue=waiting')
  await measure(`how many say 'charged', ${all}`, '/api/support/tickets/stats?search=charged')
  return results
}

/** Words by frequency: one in this many messages. */
const BANDS: Record<string, readonly string[]> = {
  'every message': ['hello'],
  'one in 4': ['charged', 'session', 'please look'],
  'one in 400': ['voucher'],
  'one in 10,000': ['trampoline'],
  'one or none': ['c4ca4238a0', 'zzzqqq'],
}
const REBUILDS = 20
const TRIES = 3

/** The slowest word of each band, with statistics collected several times from few and many rows. */
async function measureStatistics(served: Served, data: pg.Client): Promise<Result[]> {
  const slowest = new Map<string, { ms: number; word: string }>()
  for (let rebuild = 0; rebuild < REBUILDS; rebuild++) {
    await data.query(`set default_statistics_target = ${[1, 10, 100, 1000][rebuild % 4]}`)
    await data.query('analyze tickets, ticket_messages, ticket_words, customers')
    for (const [band, words] of Object.entries(BANDS)) {
      for (const word of words) {
        const times: number[] = []
        for (let n = 0; n < TRIES; n++)
          times.push((await served.call(`/api/support/tickets?search=${encodeURIComponent(word)}`)).ms)
        const ms = median(times)
        if (ms > (slowest.get(band)?.ms ?? 0)) slowest.set(band, { ms, word })
      }
    }
  }
  return [...slowest].map(([band, { ms, word }]) => ({
    name: `a word of ${band}, slowest of ${REBUILDS} samples of statistics`,
    ratio: ms / SEARCH_MS,
    budget: 1,
    figure: `'${word}' ${ms.toFixed(1)} ms of ${SEARCH_MS} ms`,
  }))
}

/** The same page of customers with few and with ten times as many. */
async function measureGrowth(served: Served, data: pg.Client): Promise<Result> {
  const path = '/api/support/users?limit=20&status=active&search=okafor417'
  const few = await timed(served, path)
  await withoutIndexes(data, 'customers', () => customers(data, CUSTOMERS + 1, MANY_CUSTOMERS))
  await data.query('vacuum analyze customers')
  const many = await timed(served, path)
  return {
    name: `a list of customers, ${formatInteger(CUSTOMERS)} to ${formatInteger(MANY_CUSTOMERS)}`,
    ratio: many / few,
    budget: GROWTH,
    figure: `${few.toFixed(1)} ms to ${many.toFixed(1)} ms`,
  }
}

export async function benchSupport(): Promise<Result[]> {
  const postgres = await startTestPostgres()
  const admin = new pg.Client({ connectionString: postgres.adminUrl })
  await admin.connect()
  await admin.query('create database support')
  const url = new URL(postgres.adminUrl)
  url.pathname = '/support'
  await migrate(url.href, silentLog)
  const data = new pg.Client({ connectionString: url.href })
  await data.connect()
  const served = await serveOurs(PORT, url.href, await fill(data))
  const postmaster = await findPostmaster(admin)
  try {
    const cpu = () => cpuOf(served.child.pid ?? 0) + cpuOfChildren(postmaster)
    const search = [...(await measureSearch(served)), ...(await measureStatistics(served, data))]
    return [...search, ...(await measureLive(served, cpu)), await measureGrowth(served, data)]
  } finally {
    served.child.kill('SIGKILL')
    await data.end()
    await admin.end()
    await postgres.stop()
  }
}
