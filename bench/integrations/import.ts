import { rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { formatInteger } from '../../contract/src/kit/formats/numbers.ts'
import { ask, load, type Target } from '../measure.ts'
import type { Result } from '../result.ts'
import { memoryOf, type Served, serveOurs, signInWorker, withDatabase } from '../served.ts'
import { fillCompany } from './data.ts'

const ROWS = Number(process.env.BENCH_IMPORT_ROWS ?? 100_000)
const BAD_EVERY = Math.round(100_000 / 1200)
const EXISTING = 10_000
const CHECK_SECONDS = 20
const APPLY_SECONDS = 60
const MEMORY_MB = 150
const OTHERS_MS = 100
const FILES = '.limber/bench-import'

const isBad = (n: number) => n % BAD_EVERY === 0
const good = Array.from({ length: ROWS }, (_, n) => n + 1).filter((n) => !isBad(n))
const nameOf = (n: number) => ['Ada', 'Ben', 'Cleo', 'Dana', 'Eli', 'Fay', 'Gus', 'Hana'][n % 8] ?? ''
const two = (n: number) => String(n).padStart(2, '0')
const dayOf = (n: number) => `${two(1 + (n % 12))}/${two(1 + (n % 28))}/${2015 + (n % 10)}`

/** Clients as Mindbody exports them. One row in 83 has no valid address. */
function clientsFile(): Blob {
  const lines = [
    'ClientID,FirstName,LastName,Email,MobilePhone,CreationDate,AddressLine1,City,State,PostalCode,LiabilityRelease,Notes',
  ]
  for (let n = 1; n <= ROWS; n++) {
    const email = isBad(n) ? `client ${n}` : `client${n}@example.com`
    const postal = 92501 + (n % 9)
    lines.push(
      `10${n},${nameOf(n)},Okafor${n % 5000},${email},(951) 555-${String(n % 10_000).padStart(4, '0')},${dayOf(n)},"${n} Main Street, Unit ${n % 40}",Riverside,CA,${postal},${n % 3 === 0 ? 'No' : 'Yes'},prefers mornings`,
    )
  }
  return new Blob([lines.join('\r\n')])
}

interface Step {
  seconds: number
  /** Of other calls meanwhile, in milliseconds. */
  p99: number
  calls: number
  memory: number
}

/** Runs a step while somebody reads a list, and samples the memory of the server. */
async function observe(served: Served, reader: Target, work: () => Promise<unknown>): Promise<Step> {
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  let memory = 0
  let isOver = false
  const reading = (async () => {
    while (!isOver) {
      const startedAt = performance.now()
      await ask(agent, reader, '/api/support/users?limit=20')
      times.push(performance.now() - startedAt)
      memory = Math.max(memory, memoryOf(served))
      await sleep(20)
    }
  })()
  // Its error is thrown where it is awaited.
  reading.catch(() => {})
  const startedAt = performance.now()
  await work()
  const seconds = (performance.now() - startedAt) / 1000
  isOver = true
  await reading
  agent.destroy()
  times.sort((a, b) => a - b)
  return { seconds, p99: times[Math.floor(times.length * 0.99)] ?? 0, calls: times.length, memory }
}

async function upload({ origin, headers }: Served, file: Blob): Promise<number> {
  const form = new FormData()
  form.append('resource', 'customers')
  form.append('file', file, 'clients.csv')
  const reply = await fetch(`${origin}/api/imports/upload`, { method: 'POST', headers, body: form })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`The upload returned ${reply.status}: ${text}`)
  return (JSON.parse(text) as { id: number }).id
}

/** Starts a step and waits for its end. */
async function run(served: Served, path: string, step: string, body: object, state: string) {
  const started = await served.call(`${path}/${step}`, body)
  if (started.status !== 200) throw new Error(`${step} returned ${started.status}: ${JSON.stringify(started.json)}`)
  for (;;) {
    const { json } = await served.call(path)
    if (json.state === state) return json.counts as Record<string, number>
    if (json.state === 'failed') throw new Error(`${step}: ${JSON.stringify(json.error)}`)
    await sleep(100)
  }
}

const BARE_BATCH = 500

/** The limit of the apply: the same customers and external ids, inserted in batches without any rule. */
async function insertBare(data: pg.Client): Promise<number> {
  const startedAt = performance.now()
  for (let from = 0; from < good.length; from += BARE_BATCH) {
    const some = good.slice(from, from + BARE_BATCH)
    await data.query(
      `with made as (
        insert into customers (first_name, last_name, email, phone, joined_at, address_line, city, state, postal_code,
          latitude, longitude, zone_id, zone_precision)
        select r.first_name, r.last_name, r.email, r.phone, r.joined_at, r.line, 'Riverside', 'CA', r.postal_code,
          33.98, -117.37, 1, 'postal_code'
        from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[])
          as r(first_name, last_name, email, phone, joined_at, line, postal_code)
        returning id, email)
      insert into external_refs (source, resource, external_id, record_id, created_at)
      select 'bare', 'customers', email, id, now() from made`,
      [
        some.map(nameOf),
        some.map((n) => `Okafor${n % 5000}`),
        some.map((n) => `client${n}@example.com`),
        some.map((n) => `+1951555${String(n % 10_000).padStart(4, '0')}`),
        some.map(dayOf),
        some.map((n) => `${n} Main Street, Unit ${n % 40}`),
        some.map((n) => String(92501 + (n % 9))),
      ],
    )
  }
  return (performance.now() - startedAt) / 1000
}

const within = (name: string, value: number, budget: number, unit: string, more = ''): Result => ({
  name,
  ratio: value / budget,
  budget: 1,
  figure: `${value.toFixed(value < 10 ? 1 : 0)} ${unit} of ${budget} ${unit}${more}`,
})

/** An import of many customers from a file, while somebody else reads. */
export const benchImport = (): Promise<Result[]> =>
  withDatabase('import', async (url, data) => {
    await fillCompany(data, EXISTING)
    const token = await signInWorker(data, '{5,21,97}')
    const served = await serveOurs(3867, url, token, { LIMBER_STORAGE: FILES })
    const reader: Target = { name: 'reader', port: 3867, headers: served.headers }
    try {
      const file = clientsFile()
      // A server in use: one that was just started has not grown its heap yet, whatever runs first.
      await load(reader, ['/api/support/users?limit=20'], 8, 8000)
      const { memory: before } = await observe(served, reader, () => sleep(2000))
      let id = 0
      const uploaded = await observe(served, reader, async () => {
        id = await upload(served, file)
      })
      const path = `/api/imports/${id}`
      const { json: found } = await served.call(`${path}/columns`)
      const matched = (found.columns as { header: string; field: string | null }[]).filter(({ field }) => field)
      const columns = Object.fromEntries(matched.map(({ header, field }) => [header, field]))
      const expect = (counts: Record<string, number>, name: string) => {
        if (counts[name] !== good.length) throw new Error(`${counts[name]} of ${good.length} rows are ${name}`)
      }
      const check = await observe(served, reader, async () =>
        expect(await run(served, path, 'check', { columns, dates: 'mdy' }, 'checked'), 'create'),
      )
      const apply = await observe(served, reader, async () =>
        expect(await run(served, path, 'apply', {}, 'applied'), 'created'),
      )
      const undo = await observe(served, reader, async () =>
        expect(await run(served, path, 'undo', {}, 'undone'), 'undone'),
      )
      const bare = await insertBare(data)
      const steps = { upload: uploaded, check, apply, undo }
      const peaks = Object.entries(steps).map(([name, step]) => `${name} ${(step.memory - before).toFixed(0)}`)
      const others = Object.entries(steps).map(([name, step]) => `${name} ${step.p99.toFixed(0)}`)
      const share = ROWS / 100_000
      return [
        within(`check of ${formatInteger(ROWS)} customers`, check.seconds, CHECK_SECONDS * share, 's'),
        within(
          `apply of ${formatInteger(ROWS)} customers`,
          apply.seconds,
          APPLY_SECONDS * share,
          's',
          `, ${(apply.seconds / bare).toFixed(1)} times bare inserts (${bare.toFixed(1)} s)`,
        ),
        within(
          'memory of the import',
          Math.max(...Object.values(steps).map(({ memory }) => memory)) - before,
          MEMORY_MB,
          'MB',
          ` over ${before.toFixed(0)} (${peaks.join(', ')})`,
        ),
        within(
          'p99 of other calls meanwhile',
          Math.max(...Object.values(steps).map(({ p99 }) => p99)),
          OTHERS_MS,
          'ms',
          ` (${others.join(', ')}); upload ${uploaded.seconds.toFixed(1)} s, undo ${undo.seconds.toFixed(1)} s`,
        ),
      ]
    } finally {
      const isGone = new Promise((gone) => served.child.once('exit', gone))
      served.child.kill('SIGTERM')
      await isGone
      await rm(FILES, { recursive: true, force: true })
    }
  })
