import { Agent, createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { formatInteger } from '../../contract/src/kit/formats/numbers.ts'
import { ask, median, type RequestSpec, sideBySide, type Target } from '../measure.ts'
import type { Result } from '../result.ts'
import { type Served, serveLimit, serveOurs, signInWorker, withDatabase } from '../served.ts'
import { bookingItem, customerItem, fillCompany, makeKey } from './data.ts'

const [SMALL = 10_000, LARGE = 1_000_000] = (process.env.BENCH_SYNC_CUSTOMERS ?? '10000 1000000').split(' ').map(Number)
const BATCH = 1000
const ROUNDS = 5
/** A batch is one request: a garbage collection or a checkpoint is a large part of it. */
const BATCHES = 15
/** A program that syncs sends batch after batch: the first ones are compiled on the way and do not count. */
const WARM_UP = 4
const CUSTOMERS_PER_SECOND = 4000
const BOOKINGS_PER_SECOND = 2500
const ONE_ITEM = 3
const GROWTH = 1.5
const WEBHOOK_MS = 1000
const WEBHOOKS_PER_SECOND = 1000
const WEBHOOKS = 20_000

interface Company {
  ours: Target
  limit: Target
  customers: number
}

const post = (resource: string, items: readonly object[]): RequestSpec => ({
  path: `/api/v1/${resource}/batch`,
  method: 'POST',
  body: { items },
})

/** Sends a batch and returns its time; every item must end like this. */
async function sendBatch({ ours }: Company, resource: string, items: readonly object[], expected: string) {
  const agent = new Agent()
  const startedAt = performance.now()
  const text = await ask(agent, ours, post(resource, items))
  const ms = performance.now() - startedAt
  agent.destroy()
  const reply = JSON.parse(text) as Record<string, unknown> & { results: { errors?: object[] }[] }
  if (reply[expected] !== items.length) {
    const errors = reply.results.find((result) => result.errors)?.errors
    throw new Error(`${resource}: ${reply[expected]} of ${items.length} are ${expected}: ${JSON.stringify(errors)}`)
  }
  return ms
}

let next = 0
const places = (count: number) => Array.from({ length: count }, () => next++)

/** Batches of one kind, the first of which only warm up. Alternates between companies. */
async function timeBatches(companies: readonly Company[], send: (company: Company, round: number) => Promise<number>) {
  const times = companies.map(() => [] as number[])
  for (let round = 0; round < WARM_UP + BATCHES; round++)
    for (const [at, company] of companies.entries()) {
      const ms = await send(company, round)
      if (round >= WARM_UP) times[at]?.push(ms)
    }
  return times.map(median)
}

const created = (company: Company) =>
  sendBatch(
    company,
    'customers',
    places(BATCH).map((n) => customerItem(n, false, 0)),
    'created',
  )

const updated = (company: Company, round: number) =>
  sendBatch(
    company,
    'customers',
    // Spread over the whole table, as changes are.
    Array.from({ length: BATCH }, (_, n) =>
      customerItem(1 + ((n * 7919 + round) % company.customers), true, 1000 + round),
    ),
    'updated',
  )

const booked = (company: Company) =>
  sendBatch(
    company,
    'bookings',
    places(BATCH).map((n) => bookingItem(n, company.customers, performance.timeOrigin)),
    'created',
  )

const throughput = (name: string, ms: number, wanted: number): Result => {
  const rate = BATCH / (ms / 1000)
  return {
    name,
    ratio: wanted / rate,
    budget: 1,
    figure: `${formatInteger(Math.round(rate))} a second of ${formatInteger(wanted)} (${ms.toFixed(0)} ms for ${formatInteger(BATCH)})`,
  }
}

const growth = (name: string, small: number, large: number): Result => ({
  name: `${name}, ${formatInteger(LARGE)} customers against ${formatInteger(SMALL)}`,
  ratio: large / small,
  budget: GROWTH,
  figure: `${large.toFixed(1)} ms against ${small.toFixed(1)} ms`,
})

async function measureBatches(small: Company, large: Company): Promise<Result[]> {
  const results: Result[] = []
  for (const [name, send, wanted] of [
    ['customers created in batches', created, CUSTOMERS_PER_SECOND],
    ['customers changed in batches', updated, CUSTOMERS_PER_SECOND],
    ['bookings created in batches', booked, BOOKINGS_PER_SECOND],
  ] as const) {
    const [few = 0, many = 0] = await timeBatches([small, large], send)
    results.push(throughput(`${name}, ${formatInteger(SMALL)} exist`, few, wanted))
    results.push(throughput(`${name}, ${formatInteger(LARGE)} exist`, many, wanted))
    results.push(growth(name, few, many))
  }
  return results
}

/** One item against the bare upsert of the same row, both with the other connections busy and alone. */
async function measureOne({ ours, limit, customers }: Company, connections: number): Promise<Result[]> {
  const results: Result[] = []
  const options = { rounds: ROUNDS, connections, ms: 1500 }
  let version = 5000
  for (const [name, item] of [
    ['a new customer', () => customerItem(next++, false, 0)],
    ['a changed customer', () => customerItem(1 + ((++version * 7919) % customers), true, version)],
  ] as const) {
    const found = await sideBySide(ours, limit, () => post('customers', [item()]), options)
    results.push({
      name: `${name} in a batch of one, ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
      ratio: found.ratio,
      budget: ONE_ITEM,
      figure: `${found.ours.toFixed(2)} ms against ${found.limit.toFixed(2)} ms (ratio ${found.spread[0].toFixed(2)} to ${found.spread[1].toFixed(2)}; p50 ${found.p50.toFixed(1)}, p99 ${found.p99.toFixed(1)} ms)`,
    })
  }
  return results
}

interface Receiver {
  url: string
  /** When each event arrived, by the id of its customer. */
  arrivals: Map<number, number>
  count(): number
  server: Server
}

async function receive(answers: boolean): Promise<Receiver> {
  const arrivals = new Map<number, number>()
  let received = 0
  const server = createServer((request, reply) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => {
      received++
      const id = Number(/"customer": ?\{"id": ?(\d+)/.exec(text)?.[1])
      arrivals.set(id, performance.now())
      if (answers) reply.writeHead(204).end()
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, arrivals, count: () => received, server }
}

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Waits for a condition, for so long at most. */
async function until(isMet: () => boolean, seconds: number) {
  const end = performance.now() + seconds * 1000
  while (!isMet() && performance.now() < end) await sleep(5)
}

/** A server that finds a million new rows first brings its figures up to date, within seconds of its start. */
async function settle(data: pg.Client) {
  for (let isRefreshed = false; !isRefreshed; await sleep(500))
    isRefreshed = (await data.query('select from growth_state')).rowCount === 1
  for (let quiet = 0; quiet < 5; ) {
    await sleep(500)
    const { rows } = await data.query(
      `select 1 from pg_stat_activity
       where state <> 'idle' and backend_type = 'client backend' and datname = current_database() and pid <> pg_backend_pid()`,
    )
    quiet = rows.length > 0 ? 0 : quiet + 1
  }
}

const CHANGES = 100

/** How long after the reply to a change, which follows its commit, the webhook arrives. */
async function measureDelay(company: Company, receiver: Receiver, name: string): Promise<Result> {
  const agent = new Agent({ keepAlive: true })
  const delays: number[] = []
  for (let change = 0; change < CHANGES; change++) {
    const text = await ask(agent, company.ours, post('customers', [customerItem(next++, false, 0)]))
    const repliedAt = performance.now()
    const id = (JSON.parse(text) as { results: { id: number }[] }).results[0]?.id ?? 0
    await until(() => receiver.arrivals.has(id), 30)
    delays.push(Math.max(0, (receiver.arrivals.get(id) ?? performance.now()) - repliedAt))
  }
  agent.destroy()
  const worst = Math.max(...delays)
  return {
    name,
    ratio: worst / WEBHOOK_MS,
    budget: 1,
    figure: `${worst.toFixed(0)} ms at worst of ${WEBHOOK_MS} ms (median ${median(delays).toFixed(0)}) over ${CHANGES}`,
  }
}

/** Many events wait for one endpoint, of different records; how many are delivered each second. */
async function measureDelivery(data: pg.Client, receiver: Receiver, name: string): Promise<Result> {
  const before = receiver.count()
  const startedAt = performance.now()
  await data.query(
    `select enqueue_webhooks(jsonb_agg(jsonb_build_object('type', 'customer.updated', 'record', 'customers ' || n,
      'refs', jsonb_build_object('customer', jsonb_build_object('resource', 'customers', 'id', n)), 'data', '{}'::jsonb)),
      'bench', now(), now()::text) from generate_series(1, ${WEBHOOKS}) n`,
  )
  await until(() => receiver.count() - before >= WEBHOOKS, 4 * (WEBHOOKS / WEBHOOKS_PER_SECOND))
  const count = receiver.count() - before
  const rate = count / ((performance.now() - startedAt) / 1000)
  return {
    name,
    ratio: WEBHOOKS_PER_SECOND / rate,
    budget: 1,
    figure: `${formatInteger(Math.round(rate))} a second of ${formatInteger(WEBHOOKS_PER_SECOND)} (${formatInteger(count)} of ${formatInteger(WEBHOOKS)} arrived)`,
  }
}

async function measureWebhooks(company: Company, other: Target, data: pg.Client): Promise<Result[]> {
  const add = async (url: string) => {
    const body = { url, events: ['customer.updated'], description: 'Bench' }
    const agent = new Agent()
    await ask(agent, other, { path: '/api/v1/webhooks', method: 'POST', body })
    agent.destroy()
  }
  const [good, dead] = [await receive(true), await receive(false)]
  try {
    await add(good.url)
    const results = [await measureDelay(company, good, 'a webhook leaves after the commit')]
    results.push(await measureDelivery(data, good, 'webhooks to one endpoint'))
    await add(dead.url)
    await measureDelay(company, good, 'warm-up')
    results.push(await measureDelay(company, good, 'a webhook while another endpoint hangs'))
    results.push(await measureDelivery(data, good, 'webhooks to one endpoint while another hangs'))
    return results
  } finally {
    for (const { server } of [good, dead]) {
      server.closeAllConnections()
      server.close()
    }
  }
}

interface Running {
  company: Company
  other: Target
  data: pg.Client
}

/** A company with this many customers, served by the product and by the bare server. */
const withCompany = <T>(customers: number, port: number, work: (running: Running) => Promise<T>) =>
  withDatabase('integrations', async (url, data) => {
    await fillCompany(data, customers)
    const token = await signInWorker(data, '{97}')
    const [app, crm] = [await makeKey(url, 'app'), await makeKey(url, 'crm')]
    const served: Served = await serveOurs(port, url, token, { WEBHOOK_ALLOW_PRIVATE: '1' })
    const bare = await serveLimit(port + 1, url, 'bench/integrations/limit.ts')
    const target = (name: string, at: number, key: string): Target => ({
      name,
      port: at,
      headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
    })
    await settle(data)
    const company = { ours: target('ours', port, app), limit: target('limit', port + 1, app), customers }
    try {
      return await work({ company, other: target('other', port, crm), data })
    } finally {
      served.child.kill('SIGKILL')
      bare.kill('SIGKILL')
    }
  })

/** Batches of the data API, and webhooks, with few and with many customers. */
export const benchIntegrations = () =>
  withCompany(SMALL, 3861, (small) =>
    withCompany(LARGE, 3863, async (large) => [
      ...(await measureBatches(small.company, large.company)),
      ...(await measureOne(small.company, 1)),
      ...(await measureOne(small.company, 8)),
      ...(await measureOne(large.company, 8)),
      ...(await measureWebhooks(small.company, small.other, small.data)),
    ]),
  )
