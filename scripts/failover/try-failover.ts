import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../server/src/embedded/port.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { silentLog } from '../../server/src/platform/telemetry/log.ts'
import { openMailServer } from '../../server/src/platform/testing/testing.mail.ts'
import { type FaultRow, reportFaults } from '../faults/report.ts'
import { type PostgresServer, startPair } from './cluster.ts'
import { isReady, type LimberProcess, type Round, signIn, startLimber, watchLive, write } from './writers.ts'

// node scripts/failover/try-failover.ts [ROUNDS]: a primary with a synchronous standby, two Limber processes, four lanes of writes.
// Each round breaks the primary in another way. No acknowledged write may be lost or doubled, no reply may be a 500, and
// service returns by itself.
const ROUNDS = Number(process.argv[2] ?? 20)
/** Seconds within which writes work again once a server accepts them. */
const MAX_OUTAGE = 5
const print = (line: string) => process.stdout.write(`${line}\n`)

interface Fault {
  name: string
  /** Returns the server that is the primary afterwards. */
  run(primary: PostgresServer, standby: PostgresServer): Promise<PostgresServer>
  needsDisk?: boolean
  /** The primary answers until it is replaced, so `/readyz` has nothing to say. */
  isSilent?: boolean
}

const replaced =
  (how: (primary: PostgresServer) => unknown): Fault['run'] =>
  async (primary, standby) => {
    await how(primary)
    await standby.promote()
    return standby
  }

const faults: Fault[] = [
  { name: 'killed, standby promoted', run: replaced((primary) => primary.signal('SIGKILL')) },
  {
    // Commits that the standby has not confirmed are lost with the primary, so nobody may be told that they are done.
    name: 'commits canceled while they wait for the standby, primary killed, standby promoted',
    isSilent: true,
    async run(primary, standby) {
      standby.signal('SIGSTOP')
      for (let i = 0; i < 10; i++) {
        await sleep(300)
        await primary.query(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
      }
      primary.signal('SIGKILL')
      standby.signal('SIGCONT')
      await standby.untilReady()
      await standby.promote()
      return standby
    },
  },
  { name: 'stopped cleanly, standby promoted', run: replaced((primary) => primary.stop()) },
  {
    name: 'frozen for 10 s',
    async run(primary) {
      primary.signal('SIGSTOP')
      await sleep(10_000)
      primary.signal('SIGCONT')
      return primary
    },
  },
  {
    // The old primary wakes up and still believes that it is one.
    name: 'frozen, standby promoted, thawed',
    async run(primary, standby) {
      primary.signal('SIGSTOP')
      await standby.promote()
      await sleep(5_000)
      primary.signal('SIGCONT')
      await sleep(2_000)
      return standby
    },
  },
  {
    name: 'network cut for 10 s',
    async run(primary, standby) {
      primary.proxy.freeze()
      standby.proxy.freeze()
      await sleep(10_000)
      primary.proxy.restore()
      standby.proxy.restore()
      return primary
    },
  },
  {
    name: 'disk full for 10 s',
    needsDisk: true,
    async run(primary) {
      primary.fill()
      await sleep(10_000)
      primary.free()
      await sleep(500)
      if (primary.isDown()) primary.start()
      return primary
    },
  },
]

const home = mkdtempSync(join(tmpdir(), 'limber-failover-'))
mkdirSync(join(home, 'files'))
const mail = await openMailServer()
const { a, b, url } = await startPair(home)
let [primary, standby] = [a, b]
const processes: LimberProcess[] = []
// Also after a failure.
process.once('exit', () => {
  for (const each of processes) each.kill()
  for (const server of [a, b]) server.remove()
  rmSync(home, { recursive: true, force: true })
})
await migrate(url, silentLog)
const headers = await signIn(primary)
await standby.follow(primary)
const env = {
  DATABASE_URL: url,
  SMTP_URL: mail.url,
  MAIL_FROM: 'Limber <desk@example.com>',
  LIMBER_STORAGE: join(home, 'files'),
}
processes.push(...(await Promise.all([1, 2].map(async () => startLimber({ ...env, PORT: String(await freePort()) })))))
const streams = processes.map((process) => watchLive(process, headers))
const usable = faults.filter(({ needsDisk }) => !needsDisk || a.hasOwnDisk)
for (const { name } of faults.filter((fault) => !usable.includes(fault)))
  print(`left out: ${name} (a disk of its own needs root and tmpfs)`)

/**
 * Seconds from the fault until `/readyz` says that a process does not work; undefined if it always works. While writes are
 * still acknowledged there is nothing to say: a full disk shows only when the reserved WAL is used up.
 */
async function untilUnready(process: LimberProcess, moments: number[], stop: AbortSignal): Promise<number | undefined> {
  const began = performance.now()
  while (!stop.aborted) {
    if (!(await isReady(process.url))) return (performance.now() - Math.max(began, moments.at(-1) ?? 0)) / 1000
    await sleep(50)
  }
  return undefined
}

/** The longest time without an acknowledged write. */
const longestGap = (moments: number[], until: number) =>
  Math.max(...[...moments, until].map((at, i, all) => (i === 0 ? 0 : at - (all[i - 1] ?? at)))) / 1000

const rows = new Map<string, FaultRow>()
let failed = 0
let total = 0
for (let n = 1; n <= ROUNDS; n++) {
  const fault = usable[(n - 1) % usable.length]
  if (!fault) break
  await primary.query(
    `update sessions set stepped_up_at = clock_timestamp(), last_seen_at = clock_timestamp()`,
    [],
    'limber',
  )
  const round: Round = { acknowledged: new Set(), wrong: [], moments: new Map(processes.map((each) => [each, []])) }
  const stop = new AbortController()
  const lanes = [0, 1, 2, 3].flatMap((lane) => {
    const process = processes[lane % processes.length]
    return process ? [write(process, headers, `r${n}-${lane}`, round, stop.signal)] : []
  })
  await sleep(2_000)
  const heardBefore = streams.map(({ messages }) => messages)
  const watching = new AbortController()
  const unready = processes.map((process) => untilUnready(process, round.moments.get(process) ?? [], watching.signal))
  const next = await fault.run(primary, standby)
  await next.untilReady('not pg_is_in_recovery()')
  const repaired = performance.now()
  const counts = () => [...round.moments.values()].map((moments) => moments.filter((at) => at > repaired).length)
  for (let i = 0; i < 300 && counts().some((count) => count < 5); i++) await sleep(100)
  watching.abort()
  await sleep(1_000)
  stop.abort()
  await Promise.all(lanes)
  const back = [...round.moments.values()].map(
    (moments) => ((moments.find((at) => at > repaired) ?? Infinity) - repaired) / 1000,
  )
  const gap = Math.max(...[...round.moments.values()].map((moments) => longestGap(moments, performance.now())))
  for (let i = 0; i < 200 && streams.some(({ messages }, at) => messages <= (heardBefore[at] ?? 0)); i++)
    await sleep(100)

  const found = await next.query<{ email: string; invited: number; mails: number; waiting: number }>(
    `select w.email::text, (select count(*)::int from audit_log a where a.action = 'worker_invited' and a.subject_id = w.id::text) as invited
      from workers w where starts_with(w.email::text, $1)`,
    [`r${n}-`],
    'limber',
  )
  const saved = new Map(found.map((row) => [row.email, row.invited]))
  const lost = [...round.acknowledged].filter((email) => !saved.has(email))
  const doubled = found.filter(({ invited }) => invited !== 1)
  const notReady = await Promise.all(unready)
  const silent = streams.filter(({ messages }, at) => messages <= (heardBefore[at] ?? 0)).length
  const problems = [
    ...round.wrong,
    ...lost.map((email) => `lost: ${email}`),
    ...doubled.map(({ email, invited }) => `invited ${invited} times: ${email}`),
    ...back
      .filter((seconds) => seconds > MAX_OUTAGE)
      .map((seconds) => `writes returned only after ${seconds.toFixed(1)} s`),
    ...notReady
      .filter((seconds) => seconds !== undefined && seconds > 2 && !fault.isSilent)
      .map((seconds) => `/readyz noticed after ${seconds?.toFixed(1)} s`),
    ...(silent > 0 ? [`${silent} live streams stayed silent`] : []),
  ]
  total += round.acknowledged.size
  failed += problems.length > 0 ? 1 : 0
  print(
    `round ${n}: ${fault.name}: ${round.acknowledged.size} acknowledged, ${found.length} found, ${lost.length} lost, ${doubled.length} doubled; ` +
      `${gap.toFixed(1)} s without service, ${Math.max(...back).toFixed(1)} s after the repair; ` +
      `/readyz noticed after ${notReady.map((seconds) => (seconds === undefined ? 'never' : `${seconds.toFixed(1)} s`)).join(', ')}`,
  )
  const row = rows.get(fault.name) ?? {
    fault: `primary ${fault.name}`,
    times: 0,
    acknowledged: 0,
    lost: 0,
    doubled: 0,
    seconds: 0,
  }
  rows.set(fault.name, row)
  row.times += 1
  row.acknowledged += round.acknowledged.size
  row.lost += lost.length
  row.doubled += doubled.length
  row.seconds = Math.max(row.seconds, gap)
  for (const problem of problems.slice(0, 10)) print(`    ${problem}`)
  if (n === ROUNDS) break
  const old = next === primary ? standby : primary
  ;[primary, standby] = [next, old]
  await standby.follow(primary)
}

// Background work returned too: everything is delivered, and each email once.
const last = [a, b].find((server) => !server.isDown()) ?? a
const waiting = async () =>
  (
    await Promise.all(
      [a, b].map((server) =>
        server
          .query<{ waiting: number }>(
            `select count(*)::int as waiting from outbox where state <> 'sent' and not pg_is_in_recovery()`,
            [],
            'limber',
          )
          .catch(() => []),
      ),
    )
  )
    .flat()
    .reduce((sum, row) => sum + row.waiting, 0)
let left = await waiting()
for (let i = 0; i < 1500 && left > 0; i++) {
  await sleep(100)
  left = await waiting()
}
const ids = mail.letters.map(({ raw }) => /^Message-ID: (\S+)/im.exec(raw)?.[1] ?? raw)
const schedules = await last
  .query<{ done: number }>(`select count(*)::int as done from schedule_runs where state = 'done'`, [], 'limber')
  .catch(() => [])
print(
  `${left} deliveries left; ${ids.length} emails, ${ids.length - new Set(ids).size} sent again under the same Message-ID; ${schedules[0]?.done ?? 0} scheduled runs`,
)
const statuses = processes.map(({ statuses: each }) =>
  [...each].map(([status, count]) => `${count} × ${status}`).join(', '),
)
print(`replies by process: ${statuses.join(' | ')}`)
for (const stream of streams) stream.stop()
await Promise.all(processes.map((process) => process.stop()))
await Promise.all([a.stop(), b.stop()])
await mail.close()
if (left > 0) failed += 1
reportFaults('failover', [...rows.values()])
print(`${ROUNDS - failed} passed, ${failed} failed (${total} writes acknowledged)`)
process.exit(failed > 0 ? 1 : 0)
