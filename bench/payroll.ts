import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { formatInteger } from '../contract/src/kit/formats/numbers.ts'
import { startTestPostgres } from '../server/src/embedded/for-tests.ts'
import { makeCsrfToken } from '../server/src/platform/security/csrf.ts'
import { makeKeyring } from '../server/src/platform/security/secrets.ts'
import { cpuOf } from './cpu.ts'
import { median } from './measure.ts'
import { makePayroll, type PayrollSize } from './payroll-data.ts'
import type { Result } from './result.ts'
import { memoryOf } from './served.ts'

const root = join(import.meta.dirname, '..')
const SECRET = 'bench-0123456789-abcdefghijklmnopqrstuvwxyz'
const AUDIT: PayrollSize = { entries: 100_000, earners: 2_000, periods: 2 }
const SMALL: PayrollSize = { entries: 10_000, earners: 2_000, periods: 52 }
const LARGE: PayrollSize = { ...SMALL, entries: Number(process.env.BENCH_ENTRIES ?? 1_000_000) }
const RANGE = { startDate: '2026-10-17', endDate: '2026-11-15' }
const AUDIT_SECONDS = 5
const AUDIT_MEGABYTES = 200
const OTHERS_P99 = 100
const AUDITS = 3
const FIGURE_SECONDS = 1
const ROUNDS = 25
const print = (line: string) => process.stderr.write(`${line}\n`)

interface Server {
  child: ChildProcess
  origin: string
  headers: Record<string, string>
}

async function launch(port: number, { url, token }: { url: string; token: string }): Promise<Server> {
  const origin = `http://localhost:${port}`
  const child = spawn(process.execPath, [join(root, 'server/dist/main.js')], {
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: url,
      PUBLIC_URL: origin,
      SECRET_KEY: SECRET,
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const isUp = () =>
    fetch(`${origin}/healthz`).then(
      (reply) => reply.ok,
      () => false,
    )
  while (!(await isUp())) await new Promise((done) => setTimeout(done, 20))
  const csrf = makeCsrfToken(makeKeyring(SECRET), token)
  return {
    child,
    origin,
    headers: { cookie: `sid=${token}; csrf=${csrf}`, accept: 'application/json', origin, 'x-csrf-token': csrf },
  }
}

async function read({ origin, headers }: Server, path: string): Promise<number> {
  const startedAt = performance.now()
  const reply = await fetch(origin + path, { headers })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${path} returned ${reply.status}: ${text.slice(0, 200)}`)
  return performance.now() - startedAt
}

async function audit({ origin, headers }: Server): Promise<number> {
  const startedAt = performance.now()
  const reply = await fetch(`${origin}/api/payroll/audit`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(RANGE),
  })
  const result = (await reply.json()) as { total_entries_checked?: number }
  if (result.total_entries_checked !== AUDIT.entries)
    throw new Error(`The audit returned ${reply.status} and checked ${result.total_entries_checked} entries`)
  return performance.now() - startedAt
}

const others = ['/api/auth/check', '/api/payroll/details?page=3', '/api/payroll/summary', '/api/payroll/periods']

/** Runs audits one after another, with other calls at the same time. */
async function measureAudit(server: Server): Promise<Result[]> {
  for (const path of others) for (let n = 0; n < 25; n++) await read(server, path)
  const before = memoryOf(server)
  let peak = before
  let isDone = false
  const sampler = setInterval(() => {
    peak = Math.max(peak, memoryOf(server))
  }, 20)
  const times: number[] = []
  const reader = async (first: number) => {
    for (let n = first; !isDone; n++) {
      times.push(await read(server, others[n % others.length] ?? ''))
      // Like people, not a flood: the question is how long they wait.
      await new Promise((done) => setTimeout(done, 5))
    }
  }
  const readers = [reader(0), reader(1), reader(2), reader(3)]
  const runs: number[] = []
  const cpu = cpuOf(server.child.pid ?? 0)
  for (let n = 0; n < AUDITS; n++) runs.push(await audit(server))
  const spent = (cpuOf(server.child.pid ?? 0) - cpu) / AUDITS / 1000
  isDone = true
  await Promise.all(readers)
  clearInterval(sampler)
  times.sort((a, b) => a - b)
  const p99 = times[Math.floor(times.length * 0.99)] ?? 0
  const seconds = median(runs) / 1000
  return [
    {
      name: 'payroll: an audit of 100,000 entries in 5 s',
      ratio: seconds / AUDIT_SECONDS,
      budget: 1,
      figure: `${seconds.toFixed(2)} s (${runs.map((ms) => (ms / 1000).toFixed(2)).join(', ')}); CPU time of the server ${spent.toFixed(2)} s`,
    },
    {
      name: 'payroll: memory of the audit within 200 MB',
      ratio: (peak - before) / AUDIT_MEGABYTES,
      budget: 1,
      figure: `${before.toFixed(0)} MB, at most ${peak.toFixed(0)} MB`,
    },
    {
      name: 'payroll: other calls during the audit, p99 in 100 ms',
      ratio: p99 / OTHERS_P99,
      budget: 1,
      figure: `p99 ${p99.toFixed(1)} ms, max ${(times.at(-1) ?? 0).toFixed(0)} ms, of ${times.length} calls`,
    },
  ]
}

/** First pages in every order, deep pages by date, and filters. */
function listPaths({ entries }: PayrollSize): string[] {
  const middle = Math.floor(entries / 20)
  const orders = ['date', 'amount', 'net_pay', 'withheld_tax', 'type', 'status', 'earner']
  return [
    ...orders.flatMap((sort) => ['asc', 'desc'].map((order) => `details?sort=${sort}&order=${order}`)),
    `details?page=${middle}`,
    `details?page=${entries / 10}`,
    'details?type=bonus',
    'details?status=paid&from=2026-01-01&to=2026-06-30',
    ...['createdAt', 'amount', 'transactionType', 'status'].map((sort) => `transactions?sort=${sort}`),
    `transactions?page=${middle}`,
    'transactions?status=failed',
    'summary',
  ].map((path) => `/api/payroll/${path}`)
}

/** The same pages of a short and a long list, in turns. */
async function measureLists(few: Server, many: Server): Promise<Result[]> {
  const small = listPaths(SMALL)
  const large = listPaths(LARGE)
  const found: { path: string; few: number; many: number }[] = []
  for (const [index, path] of small.entries()) {
    const times = { few: [] as number[], many: [] as number[] }
    for (let n = 0; n < ROUNDS; n++) {
      times.few.push(await read(few, path))
      times.many.push(await read(many, large[index] ?? path))
    }
    found.push({ path: large[index] ?? path, few: median(times.few), many: median(times.many) })
  }
  const sum = (side: 'few' | 'many') => found.reduce((all, one) => all + one[side], 0)
  const worst = found.toSorted((a, b) => b.many / b.few - a.many / a.few)[0]
  return [
    {
      name: `payroll: lists of ${formatInteger(LARGE.entries)} against 10,000`,
      ratio: sum('many') / sum('few'),
      budget: 1.5,
      figure: `${(sum('many') / found.length).toFixed(2)} ms against ${(sum('few') / found.length).toFixed(2)} ms per page, ${found.length} pages; slowest growth ${worst?.path}: ${worst?.many.toFixed(2)} against ${worst?.few.toFixed(2)} ms`,
    },
  ]
}

/** The figure with the most to add up: every paid entry and every adjustment. */
async function measureFigure(server: Server): Promise<Result> {
  const runs: number[] = []
  for (let n = 0; n < 5; n++) runs.push(await read(server, '/api/payroll/figures/totalTaxes'))
  const seconds = median(runs) / 1000
  return {
    name: `payroll: a figure of ${formatInteger(LARGE.entries)} entries in 1 s`,
    ratio: seconds / FIGURE_SECONDS,
    budget: 1,
    figure: `${(seconds * 1000).toFixed(0)} ms`,
  }
}

/** Measures audits, and checks that lists do not slow down as they grow. */
export async function benchPayroll(): Promise<Result[]> {
  const postgres = await startTestPostgres()
  const servers: Server[] = []
  const open = async (port: number, name: string, size: PayrollSize) => {
    print(`payroll: generating ${formatInteger(size.entries)} entries`)
    const server = await launch(port, await makePayroll(postgres.adminUrl, name, size))
    servers.push(server)
    return server
  }
  try {
    const audited = await measureAudit(await open(3821, 'payroll_audit', AUDIT))
    servers.pop()?.child.kill('SIGKILL')
    const few = await open(3822, 'payroll_few', SMALL)
    const many = await open(3823, 'payroll_many', LARGE)
    return [...audited, await measureFigure(many), ...(await measureLists(few, many))]
  } finally {
    for (const { child } of servers) child.kill('SIGKILL')
    await postgres.stop()
  }
}
