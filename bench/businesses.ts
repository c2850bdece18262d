import type pg from 'pg'
import { formatInteger } from '../contract/src/kit/formats/numbers.ts'
import { median } from './measure.ts'
import type { Result } from './result.ts'
import { memoryOf, type Served, serveOurs, signInWorker, withDatabase } from './served.ts'

const PORT = 3805
const ADDRESSES = 100_000
const UPLOAD_SECONDS = 10
const UPLOAD_MEGABYTES = 150
const OTHERS_P99 = 200
const CLIENTS = 20
const SCHEDULE_MS = 10_000
const SCHEDULE_P99 = 500
const BLOCKS = 40_000
const ROUNDS = 25

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0

/** A zone, two stretchers, a business with many blocks, and ten thousand other businesses. */
async function fill(data: pg.Client): Promise<string> {
  const area = '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}'
  await data.query(
    `insert into zones (id, name, time_zone, geometry, west, south, east, north, created_at) values (1, 'Bench', 'America/Los_Angeles', $1, 0, 0, 1, 1, now())`,
    [area],
  )
  await data.query(`insert into customers (id, first_name, last_name, email, joined_at)
    select n, 'S', 'T' || n, 'stretcher' || n || '@example.com', now() from generate_series(1, 2) n`)
  await data.query(`insert into stretchers (id, customer_id, zone_id, first_name, last_name, email, status, hired_at, trained_at)
    select n, n, 1, 'S', 'T' || n, 'stretcher' || n || '@example.com', 'active', now(), now() from generate_series(1, 2) n`)
  await data.query(`insert into businesses (id, name, custom_path, admin_email, zone_id, stage, pilot_ends_on, created_at)
    select n, 'Business ' || n, 'business-' || n, 'admin' || n || '@example.com', 1, 'pending', current_date + 90, now()
    from generate_series(1, 10000) n`)
  await data.query(`insert into prepaid_blocks (id, business_id, block_hours, slot_length_minutes, created_at)
    select n, 1, 2, 15, now() from generate_series(1, ${BLOCKS}) n`)
  const token = await signInWorker(data, '{64}')
  await data.query('analyze')
  return token
}

/** Uploads a hundred thousand addresses, a third of them duplicates, while another worker makes calls. */
async function measureUpload(server: Served): Promise<Result[]> {
  const lines = Array.from({ length: ADDRESSES }, (_, n) =>
    n % 20 === 0 ? `no address ${n}` : n % 10 < 3 ? `PERSON${n % 1000}@example.com` : `person${n}@mail.example.com`,
  )
  for (let warm = 0; warm < 20; warm++) await server.call('/api/businesses/2')
  const before = memoryOf(server)
  let isDone = false
  const upload = server
    .call('/api/businesses/emails/upload', { business_id: 2, list: lines.join('\n') })
    .finally(() => {
      isDone = true
    })
  const waits: number[] = []
  let peak = before
  while (!isDone) {
    waits.push((await server.call('/api/businesses/2')).ms)
    peak = Math.max(peak, memoryOf(server))
    await new Promise((done) => setTimeout(done, 20))
  }
  const { status, ms, json } = await upload
  if (status !== 200 || json.invalid !== ADDRESSES / 20) throw new Error(`The upload returned ${status}`)
  return [
    {
      name: `upload of ${formatInteger(ADDRESSES)} addresses`,
      ratio: ms / 1000 / UPLOAD_SECONDS,
      budget: 1,
      figure: `${(ms / 1000).toFixed(1)} s of ${UPLOAD_SECONDS} s`,
    },
    {
      name: 'other calls during the upload, p99',
      ratio: percentile(waits, 0.99) / OTHERS_P99,
      budget: 1,
      figure: `${percentile(waits, 0.99).toFixed(0)} ms of ${OTHERS_P99} ms over ${waits.length} calls (p50 ${median(waits).toFixed(0)})`,
    },
    {
      name: 'memory of the upload',
      ratio: (peak - before) / UPLOAD_MEGABYTES,
      budget: 1,
      figure: `${(peak - before).toFixed(0)} MB of ${UPLOAD_MEGABYTES} MB`,
    },
  ]
}

/** Twenty clients schedule for two stretchers: no overlaps, and every reply is success or conflict. */
async function measureScheduling(server: Served, data: pg.Client): Promise<Result> {
  const times: number[] = []
  const statuses = new Map<number, number>()
  const start = performance.now()
  const first = Math.ceil((performance.timeOrigin + performance.now()) / 86_400_000) * 86_400_000
  let block = 0
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (performance.now() - start < SCHEDULE_MS && block < BLOCKS) {
        const starts_at = new Date(first + Math.floor(Math.random() * 2000) * 1_800_000).toISOString()
        const body = { prepaid_block_id: ++block, stretcher_id: 1 + (block % 2), starts_at }
        const { status, ms } = await server.call('/api/onsite/activate-block', body)
        times.push(ms)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }),
  )
  const { rows } = await data.query<{ count: string }>(`select count(*) from onsite_sessions a join onsite_sessions b
    on a.id < b.id and a.stretcher_id = b.stretcher_id and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)`)
  const unexpected = [...statuses.keys()].filter((status) => status !== 200 && status !== 409)
  const overlaps = Number(rows[0]?.count)
  if (overlaps !== 0 || unexpected.length > 0)
    throw new Error(`${overlaps} overlaps, unexpected statuses ${unexpected.join(', ')}`)
  return {
    name: `${CLIENTS} clients schedule for two stretchers, p99`,
    ratio: percentile(times, 0.99) / SCHEDULE_P99,
    budget: 1,
    figure: `${percentile(times, 0.99).toFixed(0)} ms of ${SCHEDULE_P99} ms (p50 ${median(times).toFixed(0)}); ${times.length} attempts, ${statuses.get(200) ?? 0} scheduled, 0 overlaps, 0 errors`,
  }
}

async function cost(ask: (round: number) => Promise<{ ms: number }>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push((await ask(round)).ms)
  return median(times)
}

/** Compares pages and searches of a long list with those of a short one. */
async function measureLists(server: Served): Promise<Result[]> {
  await server.call('/api/businesses/emails/upload', {
    business_id: 3,
    list: Array.from({ length: 1000 }, (_, n) => `person${n}@example.com`).join('\n'),
  })
  const page = (business_id: number, search: string, pages: number) => (round: number) =>
    server.call('/api/businesses/emails/list', { business_id, search, limit: 100, page: 1 + (round % pages) })
  const [long, short] = [await cost(page(2, '', 600)), await cost(page(3, '', 10))]
  const [searchLong, searchShort] = [await cost(page(2, 'person99', 1)), await cost(page(3, 'person99', 1))]
  const list = (search: string) => () => server.call(`/api/businesses/list?limit=20&search=${search}`)
  const [one, all] = [await cost(list('business-77')), await cost(list(''))]
  const line = (name: string, slow: number, quick: number, budget: number): Result => ({
    name,
    ratio: slow / quick,
    budget,
    figure: `${slow.toFixed(1)} ms against ${quick.toFixed(1)} ms`,
  })
  return [
    line('a page of 70,000 addresses, against 1,000', long, short, 12),
    line('a search in 70,000 addresses, against 1,000', searchLong, searchShort, 12),
    line('a page of 10,000 businesses, against a search', all, one, 8),
  ]
}

/** Measures uploads, scheduling and lists with large data. */
export const benchBusinesses = () =>
  withDatabase('businesses', async (url, data) => {
    const server = await serveOurs(PORT, url, await fill(data))
    try {
      return [...(await measureUpload(server)), await measureScheduling(server, data), ...(await measureLists(server))]
    } finally {
      server.child.kill('SIGKILL')
    }
  })
