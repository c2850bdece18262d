import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { deployed } from '../../bench/served.ts'
import { seedCompany } from '../../seed/seed-company.ts'
import { freePort } from '../../server/src/embedded/port.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { silentLog } from '../../server/src/platform/telemetry/log.ts'
import { openMailServer } from '../../server/src/platform/testing/testing.mail.ts'
import { startPair } from '../failover/cluster.ts'
import { type LimberProcess, SECRET_KEY, signIn, startLimber, watchLive } from '../failover/writers.ts'
import { actionsOf, importFiles, type Person, Tally, work } from './load.ts'
import { connectionsTo, handlesOf, mean, memoryOf, readTables, type Sample, type Tables } from './measure.ts'

// node scripts/soak/try-soak.ts [MINUTES] [STAFF]: an hour of everything at once. Two processes on a primary with a
// synchronous standby; staff with live streams, a customer product that sends records and receives webhooks, imports from
// files, and in each sixth of the time a backup and a failover. Memory, handles, connections and the empty space of tables
// may not grow, no call may fail except with 503 during a failover, and no confirmed note may be lost or written twice.
const MINUTES = Number(process.argv[2] ?? 60)
const STAFF = Number(process.argv[3] ?? 200)
/** In ten minutes one of each; a short run has at least three. */
const PERIODS = Math.max(3, Math.round(MINUTES / 10))
const PERIOD = (MINUTES * 60_000) / PERIODS
const SAMPLE_EVERY = 10_000
/** Calls that waited for the primary are answered this long after it is back. */
const CALM_AFTER = 10_000
/** How much more than in the earlier periods counts as growth. */
const GROWTH = 1.15
const SOURCE = join(import.meta.dirname, '../..')
const print = (line: string) => process.stdout.write(`${line}\n`)
const run = promisify(execFile)

const home = mkdtempSync(join(tmpdir(), 'limber-soak-'))
const storage = join(home, 'files')
mkdirSync(storage)
const mail = await openMailServer()
const { a, b, url } = await startPair(home, '3g')
let [primary, standby] = [a, b]
const processes: LimberProcess[] = []
const stop = new AbortController()
// Also after a failure.
process.once('exit', () => {
  for (const each of processes) each.kill()
  for (const server of [a, b]) server.remove()
  rmSync(home, { recursive: true, force: true })
})
await migrate(url, silentLog)
await seedCompany(primary.url('limber').href, { secretKey: SECRET_KEY })
// The stretchers of the customer product have none of the certifications that the sample company requires.
await primary.query('update certification_types set is_required = false', [], 'limber')
await standby.follow(primary)
const env = {
  DATABASE_URL: url,
  SECRET_KEY,
  SMTP_URL: mail.url,
  MAIL_FROM: 'Limber <desk@example.com>',
  LIMBER_STORAGE: storage,
  BACKUP_KEY: SECRET_KEY,
  BACKUP_STORAGE: join(home, 'backups'),
  METRICS_KEY: SECRET_KEY,
  WEBHOOK_ALLOW_PRIVATE: '1',
  PUBLIC_URL: 'http://localhost:3000',
  LOG_LEVEL: 'error',
}
const start = async () =>
  startLimber(
    { ...env, PORT: String(await freePort()), LOG_LEVEL: 'info' },
    { program: [...deployed, 'server/dist/main.js'] },
  )
processes.push(await start(), await start())
const limber = async (...args: string[]) =>
  (
    await run(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/src/cli/limber.ts', ...args], {
      cwd: SOURCE,
      env: { ...process.env, ...env },
    })
  ).stdout.trimEnd()

const tally = new Tally()
const people: Person[] = []
const streams: ReturnType<typeof watchLive>[] = []
for (let index = 0; index <= STAFF; index++) {
  const process = processes[index % processes.length] as LimberProcess
  const name = `Staff ${index}`
  const headers = await signIn(primary, name)
  const [row] = await primary.query<{ id: number }>('select id::int from workers where name = $1', [name], 'limber')
  people.push({ id: row?.id ?? 0, origin: process.url, headers })
  streams.push(watchLive(process, headers))
}
const [importer, ...staff] = people
const working = staff.map((person, index) => work(tally, person, actionsOf(index, STAFF), stop.signal))
// A failover may be under way; the import says so if its passkey is too old.
const stepUp = () =>
  primary
    .query('update sessions set stepped_up_at = now() where worker_id = $1', [importer?.id], 'limber')
    .catch(() => {})
const importing = importer ? importFiles(tally, importer, stepUp, stop.signal) : undefined

/** The customer product plays one day in the time that we have. */
async function playCustomerProduct() {
  const scopes = 'customers bookings transactions credits rewards stretchers tickets leads payroll events webhooks'
    .split(' ')
    .flatMap((resource) => [`${resource}:read`, `${resource}:write`])
  const key = async (name: string, source: string, of: string[]) =>
    (await limber('api-key', 'create', '--name', name, '--source', source, '--scopes', of.join())).split('\n').at(-1) ??
    ''
  const app = spawn(
    process.execPath,
    [
      ...['--disable-warning=ExperimentalWarning', 'examples/customer-app/main.ts'],
      ...[
        '--seconds',
        String(Math.round(MINUTES * 60 * 0.9)),
        '--data',
        join(home, 'app'),
        '--port',
        String(await freePort()),
      ],
    ],
    {
      cwd: SOURCE,
      env: {
        ...process.env,
        LIMBER_URL: processes[0]?.url,
        LIMBER_KEY: await key('Soak', 'soak', [...scopes, 'zones:read']),
        LIMBER_DESK_KEY: await key('Soak desk', 'soak-desk', ['customers:write', 'credits:write']),
        LIMBER_PARENT: String(process.pid),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  process.once('exit', () => app.kill('SIGKILL'))
  let printed = ''
  app.stdout.on('data', (part: Buffer) => {
    printed = (printed + part.toString()).slice(-3_000)
  })
  const code = await new Promise<number | null>((done) => app.once('exit', done))
  const said = printed.slice(printed.lastIndexOf('\n\n')).trim()
  if (code !== 0) tally.problem(`the customer product ended with ${code}: ${printed}`)
  return said
}
const playing = playCustomerProduct()

const samples: Sample[] = []
const tables: Tables[] = []
const outages: number[] = []
let period = 0
const sampling = setInterval(() => {
  const now = period
  void connectionsTo(primary).then((connections) =>
    samples.push({
      period: now,
      memory: processes.map(({ pid }) => memoryOf(pid)),
      handles: processes.map(({ pid }) => handlesOf(pid)),
      connections,
    }),
  )
  for (const { url: origin } of processes)
    void fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${SECRET_KEY}` } })
      .then((reply) => reply.text())
      .catch((error) => tally.problem(`/metrics ${error}`))
}, SAMPLE_EVERY)

async function backUp() {
  await limber('backup').catch((error) => tally.problem(`backup: ${error}`))
}

/** The primary is killed or stopped, the standby takes its place, and gets a standby of its own. */
async function failOver(number: number) {
  tally.isBroken = true
  const began = performance.now()
  if (number % 2) primary.signal('SIGKILL')
  else await primary.stop()
  await standby.promote()
  await standby.untilReady('not pg_is_in_recovery()')
  const before = tally.calls.length
  const isServed = () => tally.calls.slice(before).some(({ status }) => status < 300)
  while (!isServed() && performance.now() - began < 60_000) await sleep(50)
  outages.push((performance.now() - began) / 1000)
  ;[primary, standby] = [standby, primary]
  await standby.follow(primary)
  await sleep(CALM_AFTER)
  tally.isBroken = false
}

const percentile = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
const of = (at: number) => samples.filter((each) => each.period === at)
const figures = (at: number) => ({
  memory: processes.map((_, n) => mean(of(at).map(({ memory }) => memory[n] ?? 0))),
  handles: processes.map((_, n) => mean(of(at).map(({ handles }) => handles[n] ?? 0))),
  connections: mean(of(at).flatMap(({ connections }) => connections ?? [])),
})
const round = (all: readonly number[]) => all.map((each) => each.toFixed(0)).join(' and ')

const startedAt = performance.now()
print(`${STAFF} staff, ${MINUTES} minutes, ${PERIODS} periods`)
print(
  'period | calls | p50, p99 in ms | memory in MB | handles | connections | tables: rows, empty, indexes in MB | outage',
)
for (period = 0; period < PERIODS; period++) {
  const end = startedAt + (period + 1) * PERIOD
  const firstCall = tally.calls.length
  await sleep(PERIOD * 0.2)
  await backUp()
  await sleep(Math.max(0, end - PERIOD * 0.5 - performance.now()))
  await failOver(period)
  await sleep(Math.max(0, end - performance.now()))
  const found = await readTables(primary)
  tables.push(found)
  const times = tally.calls
    .slice(firstCall)
    .map(({ ms }) => ms)
    .toSorted((x, y) => x - y)
  const { memory, handles, connections } = figures(period)
  print(
    `${period + 1} | ${times.length} | ${percentile(times, 0.5).toFixed(0)}, ${percentile(times, 0.99).toFixed(0)} | ${round(memory)} | ` +
      `${round(handles)} | ${connections.toFixed(0)} | ${found.used.toFixed(1)}, ${found.empty.toFixed(1)} (${found.worst}), ${found.indexes.toFixed(1)} | ${outages.at(-1)?.toFixed(1)} s`,
  )
}
stop.abort()
await Promise.all([...working, importing])
const said = await playing
clearInterval(sampling)
for (const stream of streams) stream.stop()

// The first period warms up.
const settled = Array.from({ length: PERIODS - 1 }, (_, at) => at + 1)
const earlier = settled.slice(0, Math.ceil(settled.length / 2)).map(figures)
const later = settled.slice(Math.ceil(settled.length / 2)).map(figures)
const compare = (name: string, pick: (of: ReturnType<typeof figures>) => number) => {
  const [before, after] = [mean(earlier.map(pick)), mean(later.map(pick))]
  print(`${name}: ${before.toFixed(0)} on average, then ${after.toFixed(0)} (${(after / before).toFixed(2)} times)`)
  if (after > before * GROWTH) tally.problem(`${name}: grew`)
}
for (const n of processes.keys()) {
  compare(`memory of process ${n + 1} in MB`, ({ memory }) => memory[n] ?? 0)
  compare(`handles of process ${n + 1}`, ({ handles }) => handles[n] ?? 0)
}
compare('connections to the database', ({ connections }) => connections)
// The tables grow with what is written; the share of them that is empty may not.
const emptyShare = (found: Tables | undefined) => (found ? (100 * found.empty) / (found.used + found.empty) : 0)
const [firstShare, lastShare] = [emptyShare(tables[1]), emptyShare(tables.at(-1))]
print(`empty space of tables: ${firstShare.toFixed(1)}% of them, then ${lastShare.toFixed(1)}%`)
if (lastShare > firstShare * GROWTH) tally.problem('empty space of tables: grew')

for (const [text, confirmed] of tally.notes) {
  const rows = await primary.query<{ n: number }>(
    `select (select count(*) from lead_notes where content = $1)::int + (select count(*) from ticket_notes where content = $1)::int as n`,
    [text],
    'limber',
  )
  print(`notes “${text}”: ${confirmed} confirmed, ${rows[0]?.n} found`)
  if (rows[0]?.n !== confirmed) tally.problem(`notes “${text}”: ${confirmed} confirmed, ${rows[0]?.n} found`)
}
const silent = streams.filter(({ messages }) => messages === 0).length
if (silent > 0) tally.problem(`${silent} live streams stayed silent`)
print(`customer product: ${said}`)
print(
  `${tally.calls.length} calls (${[...tally.statuses].map(([status, n]) => `${n} × ${status}`).join(', ')}), ${tally.imports} imports of 2,000 customers, ` +
    `${PERIODS} backups, ${PERIODS} failovers (longest ${Math.max(...outages).toFixed(1)} s until a call was answered), ${mail.letters.length} emails`,
)
const { length: problems } = tally.problems
for (const problem of tally.problems.slice(0, 30)) print(`    ${problem}`)
await Promise.all(processes.map((each) => each.stop()))
await Promise.all([a.stop(), b.stop()])
await mail.close()
print(problems === 0 ? '1 passed, 0 failed' : `0 passed, 1 failed (${problems} problems)`)
process.exit(problems === 0 ? 0 : 1)
