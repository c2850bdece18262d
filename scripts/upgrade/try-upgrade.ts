import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../../server/src/embedded/port.ts'
import { startPostgres } from '../../server/src/embedded/postgres.ts'
import { type LimberProcess, SECRET_KEY, signIn, startLimber } from '../failover/writers.ts'
import { type FaultRow, reportFaults } from '../faults/report.ts'

// node scripts/upgrade/try-upgrade.ts [RUNS] [SCALE] [STAFF] [VERSION]: upgrades a release (by default the first) to this version
// under load, several times. Two processes are replaced one by one. No call may fail, no write may be lost, and the migrations
// may not change what the tables held.
const root = join(import.meta.dirname, '../..')
const RUNS = Number(process.argv[2] ?? 10)
const SCALE = process.argv[3] ?? '10'
const STAFF = Number(process.argv[4] ?? 50)
/** Seconds of work before, between and after the steps. */
const WORK = 4_000
/** Seconds between two actions of one person. */
const PAUSE = 2_000
/** Figures that are kept beside the rows that they count; a migration may compute them anew. */
const DERIVED = new Set(['kept_counts'])
const print = (line: string) => process.stdout.write(`${line}\n`)

/** The releases with their commits, from the changelog, the newest first. */
function findRelease(wanted: string | undefined) {
  const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const releases = text.split(/^## /m).flatMap((part) => {
    const [, version] = /^(\d+\.\d+\.\d+) - /.exec(part) ?? []
    const [, commit] = /\(commit `([0-9a-f]{8,40})`\)/.exec(part) ?? []
    return version && commit ? [{ version, commit }] : []
  })
  const found = wanted ? releases.find(({ version }) => version === wanted) : releases.at(-1)
  if (!found) throw new Error('CHANGELOG.md names no such release with its commit.')
  return found
}

/** Checks a release out beside this clone. It shares the installed libraries, and has its own packages. */
function checkOut(commit: string, folder: string) {
  execFileSync('git', ['worktree', 'add', '--detach', folder, commit], { cwd: root, stdio: 'ignore' })
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@limber'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@limber' && name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(modules, name))
  for (const name of readdirSync(join(root, 'node_modules/@limber')))
    symlinkSync(join(folder, name), join(modules, '@limber', name))
  for (const name of ['server', 'web', 'contract', 'seed'])
    if (existsSync(join(root, name, 'node_modules')))
      symlinkSync(join(root, name, 'node_modules'), join(folder, name, 'node_modules'))
}

const home = mkdtempSync(join(tmpdir(), 'limber-upgrade-'))
const old = join(home, 'release')
const { version, commit } = findRelease(process.argv[5])
checkOut(commit, old)
const postgres = await startPostgres({ home, log: () => {}, isThrowaway: true })
const processes: LimberProcess[] = []
process.once('exit', () => {
  for (const each of processes) each.kill()
  execFileSync('git', ['worktree', 'remove', '--force', old], { cwd: root, stdio: 'ignore' })
})
const env = {
  DATABASE_URL: postgres.url,
  PUBLIC_URL: 'http://localhost:3000',
  SECRET_KEY,
  LIMBER_STORAGE: join(home, 'files'),
  LIMBER_EMBEDDED: '1',
}
mkdirSync(env.LIMBER_STORAGE)
const PROGRAM = ['--disable-warning=ExperimentalWarning', 'server/src/cli/limber.ts']
const limber = (folder: string, ...args: string[]) =>
  execFileSync(process.execPath, [...PROGRAM, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })

async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = [], database = 'limber') {
  const client = new pg.Client({
    connectionString: Object.assign(new URL(postgres.url), { pathname: `/${database}` }).href,
  })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** A digest of each table, of the columns that the release knows. */
async function digests(database: string, columns: Map<string, string[]>): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [table, names] of columns) {
    const list = names.map((name) => `"${name}"`).join(', ')
    const [row] = await query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(sum(('x' || left(md5(row(${list})::text), 15))::bit(60)::bigint), 0) as digest from "${table}"`,
      [],
      database,
    )
    found.set(table, row?.digest ?? '')
  }
  return found
}

const problems: string[] = []
print(`from ${version} (${commit}): loading the sample company × ${SCALE}`)
limber(old, 'sample', '--scale', SCALE)

// What the migrations do to the data, without anybody at work.
const columns = new Map<string, string[]>()
for (const { table, name } of await query<{ table: string; name: string }>(
  `select c.table_name as table, c.column_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where table_schema = 'public' and t.table_type = 'BASE TABLE' and table_name <> 'migrations' order by 1, ordinal_position`,
))
  columns.set(table, [...(columns.get(table) ?? []), name])
const before = await digests('limber', columns)
await query('create database upgraded template limber', [], 'postgres')
const began = performance.now()
execFileSync(process.execPath, [...PROGRAM, 'migrate'], {
  cwd: root,
  env: { ...process.env, ...env, DATABASE_URL: Object.assign(new URL(postgres.url), { pathname: '/upgraded' }).href },
})
const seconds = (performance.now() - began) / 1000
const after = await digests('upgraded', columns)
const changed = [...before].filter(([table, digest]) => after.get(table) !== digest).map(([table]) => table)
const listOf = (table: string) => (columns.get(table) ?? []).map((name) => `"${name}"`).join(', ')
for (const table of changed.filter((each) => !DERIVED.has(each))) {
  // A migration may add rows, such as a queue that comes with the product. It may not change or remove any.
  const rowsOf = (database: string) =>
    query<{ row: string }>(`select md5(row(${listOf(table)})::text) as row from "${table}"`, [], database)
  const kept = new Set((await rowsOf('upgraded')).map(({ row }) => row))
  const missing = (await rowsOf('limber')).filter(({ row }) => !kept.has(row)).length
  if (missing > 0) problems.push(`the migrations changed or removed ${missing} rows of ${table}`)
  else print(`the migrations added rows to ${table}`)
}
print(`${before.size} tables compared after migrating in ${seconds.toFixed(1)} s`)
await query('drop database upgraded', [], 'postgres')

const paths = [
  '/api/access/workers?limit=20',
  '/api/support/tickets?limit=20',
  '/api/access/audit?limit=20',
  '/api/auth/check',
]

/** One upgrade on a copy of the loaded company. */
async function upgrade(n: number): Promise<FaultRow & { calls: number; failed: number }> {
  const database = `run_${n}`
  await query(`create database ${database} template limber`, [], 'postgres')
  const own = { ...env, DATABASE_URL: Object.assign(new URL(postgres.url), { pathname: `/${database}` }).href }
  const serve = async (folder: string) => {
    const started = await startLimber({ ...own, PORT: String(await freePort()) }, { cwd: folder })
    processes.push(started)
    return started
  }
  let open: LimberProcess[] = await Promise.all([serve(old), serve(old)])
  const server = { query: (text: string, values: unknown[]) => query(text, values, database) }
  const staff: Record<string, string>[] = []
  for (let person = 0; person < STAFF; person++) staff.push(await signIn(server, `Staff ${person}`))

  let calls = 0
  const failed = new Map<string, number>()
  const acknowledged = new Set<string>()
  const running = new Map<LimberProcess, number>()
  const stop = new AbortController()

  /** One call, as a proxy makes it: a process that does not accept the connection is passed over. */
  async function call(headers: Record<string, string>, path: string, body?: unknown): Promise<boolean> {
    calls += 1
    let problem = ''
    for (const process of [...open].sort(() => Math.random() - 0.5)) {
      try {
        running.set(process, (running.get(process) ?? 0) + 1)
        const reply = await fetch(process.url + path, {
          method: body ? 'POST' : 'GET',
          headers: { ...headers, 'idempotency-key': `upgrade-${calls}-${Math.random()}` },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        await reply.text()
        if (reply.ok) return true
        problem = `${reply.status} ${path}`
        break
      } catch (error) {
        problem = `${error instanceof Error && error.cause instanceof Error ? error.cause.message : error} ${path}`
        if (body && !/ECONNREFUSED/.test(problem)) break
      } finally {
        running.set(process, (running.get(process) ?? 0) - 1)
      }
    }
    failed.set(problem, (failed.get(problem) ?? 0) + 1)
    return false
  }

  async function work(headers: Record<string, string>, person: number) {
    for (let i = 0; !stop.signal.aborted; i++) {
      const path = paths[i % paths.length] ?? '/'
      if (i % 4 === 3) {
        const email = `upgrade-${person}-${i}@example.com`
        const body = { email, name: `Staff ${person}`, role: null, permissions: ['1'] }
        if (await call(headers, '/api/access/workers/invite', body)) acknowledged.add(email)
      } else await call(headers, path)
      await sleep(PAUSE * (0.5 + Math.random()))
    }
  }
  const people = staff.map(work)
  await sleep(WORK)
  await promisify(execFile)(process.execPath, [...PROGRAM, 'migrate'], { cwd: root, env: { ...process.env, ...own } })
  await sleep(WORK)
  // The release is taken out of the proxy before it is told to end. This version needs no such care.
  for (const isOld of [true, false])
    for (const process of [...open]) {
      const next = await serve(root)
      open = [...open.filter((each) => each !== process), next]
      while (isOld && running.get(process)) await sleep(10)
      await process.stop()
      await sleep(WORK / 2)
    }
  stop.abort()
  await Promise.all(people)
  const invited = await query<{ email: string; times: number }>(
    `select email::text, count(*)::int as times from workers where starts_with(email::text, 'upgrade-') group by email`,
    [],
    database,
  )
  const saved = new Set(invited.map(({ email }) => email))
  const lost = [...acknowledged].filter((email) => !saved.has(email))
  problems.push(
    ...lost.map((email) => `run ${n}: lost: ${email}`),
    ...[...failed].map(([text, count]) => `run ${n}: failed ${count} times: ${text}`),
    ...processes.flatMap(({ failures }) => failures.splice(0)).map((line) => `run ${n}: ${line}`),
  )
  await Promise.all(open.map((process) => process.stop()))
  await query(`drop database ${database} with (force)`, [], 'postgres')
  const failures = [...failed.values()].reduce((sum, count) => sum + count, 0)
  print(`run ${n}: ${calls} calls, ${failures} failed, ${acknowledged.size} writes acknowledged, ${lost.length} lost`)
  return {
    fault: `process of ${version} beside and before one of this version`,
    times: 4,
    acknowledged: acknowledged.size,
    lost: lost.length,
    doubled: invited.filter(({ times }) => times > 1).length,
    seconds: 0,
    calls,
    failed: failures,
  }
}

const runs: Awaited<ReturnType<typeof upgrade>>[] = []
for (let n = 1; n <= RUNS; n++) runs.push(await upgrade(n))
const sum = (pick: (run: (typeof runs)[number]) => number) => runs.reduce((total, run) => total + pick(run), 0)
const [first] = runs
if (first)
  reportFaults('upgrade', [
    {
      fault: first.fault,
      times: sum(({ times }) => times),
      acknowledged: sum(({ acknowledged }) => acknowledged),
      lost: sum(({ lost }) => lost),
      doubled: sum(({ doubled }) => doubled),
      seconds: 0,
    },
  ])
for (const problem of problems.slice(0, 20)) print(`    ${problem}`)
print(
  `${STAFF} staff, ${RUNS} upgrades: ${sum(({ calls }) => calls)} calls, ${sum(({ failed }) => failed)} failed, ${sum(({ acknowledged }) => acknowledged)} writes acknowledged, ${sum(({ lost }) => lost)} lost`,
)
await postgres.stop()
rmSync(join(home, 'files'), { recursive: true, force: true })
print(problems.length === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed')
process.exit(problems.length === 0 ? 0 : 1)
