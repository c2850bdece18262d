import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../server/src/embedded/port.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { silentLog } from '../../server/src/platform/telemetry/log.ts'
import { type LimberProcess, SECRET_KEY, signIn, startLimber } from '../failover/writers.ts'

// node scripts/recovery/try-recovery.ts: goes back to the moment before a mistake, with the commands of docs/operations.md as they
// stand there, on Debian's PostgreSQL. Short form: server/src/backups/restore/settle-recovered.test.ts
const root = join(import.meta.dirname, '../..')
const [installed] = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').toSorted().reverse() : []
if (!installed) throw new Error('PostgreSQL is not installed. On Debian: apt-get install postgresql')
const bin = `/usr/lib/postgresql/${installed}/bin`
const home = mkdtempSync(join(tmpdir(), 'limber-recovery-'))
chmodSync(home, 0o777)
const data = join(home, 'data')
const archive = join(home, 'archive')
const port = await freePort()
const isRoot = process.getuid?.() === 0
const print = (line: string) => process.stdout.write(`${line}\n`)

/** The code blocks of the chapter, with the folders of this try. */
const [settings = '', copy = '', goBack = ''] = (
  /### To any moment\n([\s\S]*?)\n## /.exec(readFileSync(join(root, 'docs/operations.md'), 'utf8'))?.[1] ?? ''
)
  .split('```')
  .filter((_, at) => at % 2 === 1)
  .map((block) =>
    block
      .replaceAll('/var/lib/postgresql/15/limber', data)
      .replaceAll('/srv/archive', archive)
      .replaceAll(/^ {3}/gm, ''),
  )
if (!goBack.includes('recovery.signal')) throw new Error('The chapter has lost its commands.')

/** Runs commands as the user of PostgreSQL. */
function asPostgres(commands: string) {
  const env = { PATH: `${bin}:${process.env.PATH}`, PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'postgres' }
  const shell = ['sh', '-e', '-c', commands]
  const [program = '', ...args] = isRoot ? ['runuser', '-u', 'postgres', '--', ...shell] : shell
  return execFileSync(program, args, { env, cwd: home, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

let postgres: ChildProcess | undefined
async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = [], database = 'limber') {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
async function start() {
  const command = [`${bin}/postgres`, '-D', data, '-p', String(port), '-k', '', '-h', '127.0.0.1']
  const [program = '', ...args] = isRoot
    ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command]
    : command
  postgres = spawn(program, args, { cwd: home, stdio: ['ignore', 'ignore', 'ignore'] })
  for (let attempt = 0; ; attempt++) {
    const rows = await query<{ is: boolean }>('select not pg_is_in_recovery() as is', [], 'postgres').catch(() => [])
    if (rows[0]?.is) return
    if (attempt > 600 || postgres.exitCode !== null) throw new Error('PostgreSQL did not start.')
    await sleep(100)
  }
}
async function stop() {
  const child = postgres
  if (!child || child.exitCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGINT')
  await ended
}

let limber: LimberProcess | undefined
process.once('exit', () => {
  limber?.kill()
  postgres?.kill('SIGQUIT')
  rmSync(home, { recursive: true, force: true })
})
const url = `postgres://postgres@127.0.0.1:${port}/limber`
mkdirSync(join(home, 'files'))
const env = { DATABASE_URL: url, PUBLIC_URL: 'http://localhost:3000', SECRET_KEY, LIMBER_STORAGE: join(home, 'files') }
asPostgres(`initdb -D ${data} --auth=trust --encoding=UTF8 --locale=C.UTF-8 && mkdir -p ${archive}/wal`)
appendFileSync(join(data, 'postgresql.conf'), settings)
await start()
await query('create database limber', [], 'postgres')
await migrate(url, silentLog)
asPostgres(copy)
print(`archived and copied with PostgreSQL ${installed}`)

const serve = async () => startLimber({ ...env, PORT: String(await freePort()) })
limber = await serve()
const headers = await signIn({ query })
async function invite(name: string) {
  const reply = await fetch(`${limber?.url}/api/access/workers/invite`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email: `${name}@example.com`, name, role: null, permissions: ['1'] }),
  })
  if (!reply.ok) throw new Error(await reply.text())
}
const ROUNDS = 30
for (let n = 0; n < ROUNDS; n++) await invite(`before-${n}`)
const [moment] = await query<{ at: string }>(`select to_char(clock_timestamp(), 'YYYY-MM-DD HH24:MI:SS.USOF') as at`)
await sleep(1_500)
for (let n = 0; n < ROUNDS; n++) await invite(`after-${n}`)
// The mistake, and what was archived until then.
await query(`delete from sessions; drop table tickets cascade`)
await query('select pg_switch_wal()')
await limber.stop()
await stop()

const began = performance.now()
asPostgres(goBack.replace(/recovery_target_time = '[^']+'/, `recovery_target_time = '${moment?.at}'`))
await start()
const settled = execFileSync(
  process.execPath,
  ['--disable-warning=ExperimentalWarning', 'server/src/cli/limber.ts', 'recovered'],
  { cwd: root, env: { ...process.env, ...env }, encoding: 'utf8' },
)
limber = await serve()
const seconds = (performance.now() - began) / 1000
print(settled.trim())

const results: [text: string, passed: boolean][] = []
const check = (text: string, passed: boolean) => {
  results.push([text, passed])
  print(`${passed ? '    ok' : 'FAILED'}  ${text}`)
}
const workers = (await query<{ email: string }>('select email::text from workers')).map(({ email }) => email)
const count = (part: string) => workers.filter((email) => email.startsWith(part)).length
check(`all ${ROUNDS} writes before the moment are there`, count('before-') === ROUNDS)
check('what the mistake removed is back', (await query('select from tickets limit 1')) !== undefined)
check('no write after the moment is there', count('after-') === 0)
check('sessions of that moment have ended', !(await fetch(`${limber.url}/api/auth/check`, { headers })).ok)
const messages = await query<{ state: string }>(`select distinct state from outbox where channel = 'mail'`)
check(
  'messages of that moment are held back',
  messages.every(({ state }) => state === 'dead'),
)
const fresh = await signIn({ query }, 'Fresh Owner')
check('the company works again', (await fetch(`${limber.url}/api/access/workers?limit=5`, { headers: fresh })).ok)
await limber.stop()
await stop()
const failed = results.filter(([, passed]) => !passed).length
print(`back in ${seconds.toFixed(1)} s`)
print(`${results.length - failed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
