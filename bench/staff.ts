import { Agent, get } from 'node:http'
import { codeOf, permissionNames } from '../contract/src/access/permissions.ts'
import { seedCompany } from '../seed/seed-company.ts'
import { makeCsrfToken } from '../server/src/platform/security/csrf.ts'
import { hashToken, makeKeyring, randomToken } from '../server/src/platform/security/secrets.ts'
import { cpuOf, cpuOfChildren, findPostmaster } from './cpu.ts'
import type { Result } from './result.ts'
import { memoryOf, SECRET, type Served, serveOurs, withDatabase } from './served.ts'
import { roles, type UserAction } from './staff-work.ts'

const STAFF = Number(process.env.BENCH_STAFF ?? 200)
const MINUTES = Number(process.env.BENCH_MINUTES ?? 10)
const SCALE = Number(process.env.BENCH_SCALE ?? 10)
/** Average pause between two requests of one person. */
const PAUSE_MS = 4_000
const MAX_P99_MS = 500
const hasFailed = ({ status }: Pick<Sample, 'status'>) => status === 0 || status >= 400
const print = (line: string) => process.stdout.write(`${line}\n`)

interface Sample {
  action: string
  ms: number
  status: number
}

interface Person {
  id: number
  headers: Record<string, string>
  actions: readonly UserAction[]
}

/** Creates workers with sessions, spread over the roles. */
async function createStaff(data: { query: (text: string, values: unknown[]) => Promise<{ rows: { id: string }[] }> }) {
  const all = permissionNames.map(codeOf)
  const staff: Person[] = []
  for (const { name, share, actions } of roles) {
    for (let n = 0; n < Math.round((STAFF * share) / 100); n += 1) {
      const token = randomToken()
      const worker = await data.query(
        `insert into workers (email, name, permissions, handle, status, created_at)
         values ($1, $2, $3, $4, 'active', now()) returning id`,
        [`${name}-${n}@bench.example`, `${name} ${n}`, all, Buffer.from(token)],
      )
      await data.query(
        'insert into sessions (token_hash, worker_id, created_at, last_seen_at) values ($1, $2, now(), now())',
        [hashToken(token), worker.rows[0]?.id],
      )
      const csrf = makeCsrfToken(makeKeyring(SECRET), token)
      staff.push({
        id: Number(worker.rows[0]?.id),
        actions,
        headers: { cookie: `sid=${token}; csrf=${csrf}`, accept: 'application/json', 'x-csrf-token': csrf },
      })
    }
  }
  return staff
}

function openStream(origin: string, headers: Person['headers'], agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(`${origin}/api/live`, { agent, headers: { ...headers, origin } }, (reply) => {
      reply.on('error', () => {})
      reply.resume()
      reply.once('data', () => resolve())
    })
    request.on('error', reject)
  })
}

async function act(
  { origin }: Served,
  { id, headers }: Person,
  { path, records, body, withWorkerId }: UserAction,
): Promise<Sample> {
  const url = path.replace('#', String(1 + Math.floor(Math.random() * (records ?? 1))))
  const startedAt = performance.now()
  const reply = await fetch(origin + url, {
    headers: { ...headers, origin, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify({ ...body, ...(withWorkerId && { workerId: id }) }) }),
  })
  await reply.arrayBuffer()
  return { action: `${body ? 'POST' : 'GET'} ${path}`, ms: performance.now() - startedAt, status: reply.status }
}

/** One person at work: an action, a pause, the next action. */
async function work(served: Served, person: Person, until: number, samples: Sample[]): Promise<void> {
  await new Promise((done) => setTimeout(done, Math.random() * PAUSE_MS))
  while (performance.now() < until) {
    const action = person.actions[Math.floor(Math.random() * person.actions.length)] as UserAction
    samples.push(await act(served, person, action).catch(() => ({ action: action.path, ms: 0, status: 0 })))
    await new Promise((done) => setTimeout(done, PAUSE_MS * (0.5 + Math.random())))
  }
}

const percentile = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
const spread = (all: readonly Sample[]) => {
  const sorted = all.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const figure = (share: number) => percentile(sorted, share).toFixed(0).padStart(6)
  return { p99: percentile(sorted, 0.99), text: `${figure(0.5)} ${figure(0.95)} ${figure(0.99)} ${figure(1)}` }
}

function report(samples: readonly Sample[], memory: readonly number[], cores: { server: number; database: number }) {
  print(`${'action'.padEnd(52)} times    p50    p95    p99    max ms`)
  const byAction = Map.groupBy(samples, ({ action }) => action)
  for (const [action, all] of [...byAction].toSorted(([a], [b]) => a.localeCompare(b)))
    print(`${action.padEnd(52)} ${String(all.length).padStart(5)} ${spread(all).text}`)
  print(`${'all'.padEnd(52)} ${String(samples.length).padStart(5)} ${spread(samples).text}`)
  print(`server memory every 30 s: ${memory.map((mb) => mb.toFixed(0)).join(', ')} MB`)
  print(`CPU: server ${cores.server.toFixed(2)}, database ${cores.database.toFixed(2)} cores`)
  const bad = Map.groupBy(samples.filter(hasFailed), (each) => `${each.status} ${each.action}`)
  for (const [what, all] of bad) print(`failed ${all.length} times: ${what}`)
}

/** Simulates the staff of a company, each with a live stream: how long they wait, and whether memory grows. */
export async function benchStaff(): Promise<Result[]> {
  return withDatabase('staff', async (url, data) => {
    await seedCompany(url, { scale: SCALE, secretKey: SECRET })
    await data.query('analyze')
    const staff = await createStaff(data)
    const served = await serveOurs(3871, url, randomToken())
    const agent = new Agent({ maxSockets: STAFF, keepAlive: true })
    const postmaster = await findPostmaster(data)
    const samples: Sample[] = []
    const memory: number[] = []
    try {
      await Promise.all(staff.map(({ headers }) => openStream(served.origin, headers, agent)))
      const startedAt = performance.now()
      const before = [cpuOf(served.child.pid ?? 0), cpuOfChildren(postmaster)] as const
      const until = startedAt + MINUTES * 60_000
      const watch = setInterval(() => memory.push(memoryOf(served)), 30_000)
      await Promise.all(staff.map((person) => work(served, person, until, samples)))
      clearInterval(watch)
      const passed = performance.now() - startedAt
      report(samples, memory, {
        server: (cpuOf(served.child.pid ?? 0) - before[0]) / passed,
        database: (cpuOfChildren(postmaster) - before[1]) / passed,
      })
      const failed = samples.filter(hasFailed).length
      const half = Math.floor(memory.length / 2)
      const [early, late] = [Math.max(...memory.slice(0, half), 1), Math.max(...memory.slice(half), 1)]
      const { p99 } = spread(samples)
      return [
        {
          name: `${STAFF} staff for ${MINUTES} minutes: response time`,
          ratio: p99 / MAX_P99_MS,
          budget: 1,
          figure: `p99 ${p99.toFixed(0)} ms of ${MAX_P99_MS}, ${samples.length} requests, ${failed} failed`,
        },
        { name: 'no request fails', ratio: 1 + failed, budget: 1, figure: `${failed} failed` },
        {
          name: 'memory does not grow',
          ratio: late / early,
          budget: 1.3,
          figure: `${early.toFixed(0)} MB max in the first half, ${late.toFixed(0)} MB in the second`,
        },
      ]
    } finally {
      agent.destroy()
      served.child.kill('SIGKILL')
    }
  })
}
