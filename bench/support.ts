import pg from 'pg'
import { startTestPostgres } from '../server/src/embedded/for-tests.ts'
import { silentLog } from '../server/src/platform/log.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { median } from './measure.ts'
import type { Result } from './result.ts'
import { type Served, serveOurs, signInWorker } from './served.ts'

const PORT = 3806
const CUSTOMERS = 100_000
const MANY_CUSTOMERS = 1_000_000
const TICKETS = 100_000
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 1_000_000)
const ROUNDS = 25
const SEARCH_MS = 100
const STREAMS = 200
const HEARD_WITHIN_MS = 2_000
const GROWTH = 6

/** Runs without the indexes of a table, which are made anew afterwards: much faster for a million rows. */
async function withoutIndexes(data: pg.Client, table: string, run: () => Promise<unknown>) {
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

/** Tickets of some years, and a thread of ten for each: ordinary words, some rare ones, and numbers that are there once. */
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
         'Hello, ' || (array['my card was charged','nobody came to the session','I would like to move it','thank you for the answer'])[1 + n % 4]
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
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    times.push(ms)
  }
  return median(times)
}

/** Words that are in every message, in some, in few, in one and in none. */
async function measureSearch(served: Served): Promise<Result[]> {
  const results: Result[] = []
  for (const word of ['hello', 'charged', 'voucher', 'trampoline', 'c4ca4238a0', 'zzzqqq', 'user77']) {
    const ms = await timed(served, `/api/support/tickets?search=${word}`)
    const name = `tickets that say '${word}', of ${MESSAGES.toLocaleString('en')} messages`
    results.push({ name, ratio: ms / SEARCH_MS, budget: 1, figure: `${ms.toFixed(1)} ms of ${SEARCH_MS} ms` })
  }
  return results
}

/** Opens a stream; gives the promise of the first message about a ticket that comes after it is open. */
async function listen({ origin, headers }: Served): Promise<{ heard: Promise<number>; stop: () => void }> {
  const abort = new AbortController()
  const reply = await fetch(`${origin}/api/live`, { headers, signal: abort.signal })
  const { body } = reply
  if (!body) throw new Error(`The live stream answered ${reply.status}`)
  const heard = (async () => {
    let text = ''
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes('"topic":"tickets"')) return performance.now()
    }
    throw new Error('A live stream ended')
  })()
  return { heard, stop: () => abort.abort() }
}

/** One change, and everybody at the desk hears of it. */
async function measureLive(served: Served): Promise<Result> {
  const streams = await Promise.all(Array.from({ length: STREAMS }, () => listen(served)))
  const begun = performance.now()
  const { status } = await served.call('/api/support/tickets/7/status', { status: 'in_progress' }, 'PATCH')
  if (status !== 200) throw new Error(`The change answered ${status}`)
  const last = Math.max(...(await Promise.all(streams.map(({ heard }) => heard)))) - begun
  for (const { stop } of streams) stop()
  return {
    name: `a change heard on ${STREAMS} live streams`,
    ratio: last / HEARD_WITHIN_MS,
    budget: 1,
    figure: `${last.toFixed(0)} ms of ${HEARD_WITHIN_MS} ms until the last`,
  }
}

/** The same page of customers among few and among ten times as many. */
async function measureGrowth(served: Served, data: pg.Client): Promise<Result> {
  const path = '/api/support/users?limit=20&status=active&search=okafor417'
  const few = await timed(served, path)
  await withoutIndexes(data, 'customers', () => customers(data, CUSTOMERS + 1, MANY_CUSTOMERS))
  await data.query('vacuum analyze customers')
  const many = await timed(served, path)
  return {
    name: `a list of customers, ${CUSTOMERS.toLocaleString('en')} to ${MANY_CUSTOMERS.toLocaleString('en')}`,
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
  try {
    return [...(await measureSearch(served)), await measureLive(served), await measureGrowth(served, data)]
  } finally {
    served.child.kill('SIGKILL')
    await data.end()
    await admin.end()
    await postgres.stop()
  }
}
