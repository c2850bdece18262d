import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../server/src/embedded/port.ts'
import { startPostgres } from '../../server/src/embedded/postgres.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { silentLog } from '../../server/src/platform/telemetry/log.ts'
import { type MailServerMode, openMailServer } from '../../server/src/platform/testing/testing.mail.ts'
import { makeProxy } from '../../server/src/platform/testing/testing.tcp-proxy.ts'
import { type LimberProcess, signIn, startLimber } from '../failover/writers.ts'
import { type FaultRow, reportFaults } from './report.ts'

// node scripts/faults/try-faults.ts [TIMES]: breaks what surrounds a process, and the process itself, while people work. Nothing that
// was acknowledged may be lost or done twice. Writes docs/faults.md.
const TIMES = Number(process.argv[2] ?? 20)
const print = (line: string) => process.stdout.write(`${line}\n`)
const home = mkdtempSync(join(tmpdir(), 'limber-faults-'))
mkdirSync(join(home, 'files'))
const postgres = await startPostgres({ home, log: () => {} })
await migrate(postgres.url, silentLog)
const proxy = makeProxy(new URL(postgres.url))
const mail = await openMailServer()

type HookMode = 'well' | 'error' | 'cut' | 'nonsense' | 'slow'
let hookMode: HookMode = 'well'
const events = new Map<string, number>()
async function answerHook(request: IncomingMessage, response: ServerResponse) {
  const id = String(request.headers['webhook-id'])
  await readText(request)
  if (hookMode === 'error') return void response.writeHead(500).end()
  if (hookMode === 'cut') {
    response.writeHead(500, { 'content-length': '100' }).flushHeaders()
    return void request.destroy()
  }
  if (hookMode === 'nonsense') return void request.socket.end('this is not HTTP\r\n\r\n')
  if (hookMode === 'slow') await sleep(3_000)
  events.set(id, (events.get(id) ?? 0) + 1)
  response.writeHead(204).end()
}
const hook = createServer((request, response) => void answerHook(request, response).catch(() => {}))
await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done))

async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ connectionString: postgres.url })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query<Row>(text, values)).rows
    } catch (error) {
      if (attempt > 100) throw error
      await sleep(200)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

const through = Object.assign(new URL(postgres.url), { port: String(await proxy.listen()) })
const env = {
  DATABASE_URL: through.href,
  SMTP_URL: mail.url,
  MAIL_FROM: 'Limber <desk@example.com>',
  LIMBER_STORAGE: join(home, 'files'),
  WEBHOOK_ALLOW_PRIVATE: '1',
}
const start = async () => startLimber({ ...env, PORT: String(await freePort()) })
let limber: LimberProcess = await start()
process.once('exit', () => {
  limber.kill()
  rmSync(home, { recursive: true, force: true })
})
const headers = await signIn({ query })
const [customer] = await query<{ id: string }>(
  `insert into customers (first_name, last_name, email, joined_at) values ('Sam', 'Rivera', 'sam@example.com', now()) returning id`,
)
const stepUp = () => query('update sessions set stepped_up_at = clock_timestamp(), last_seen_at = clock_timestamp()')

/** Repeats a write with one key until it is acknowledged. Returns its reply, and how long that took. */
async function write(path: string, body: unknown): Promise<{ text: string; seconds: number }> {
  const key = `fault-${Math.random().toString(36).slice(2)}`
  const began = performance.now()
  for (let attempt = 0; attempt < 600; attempt++) {
    const reply = await fetch(limber.url + path, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(40_000),
    }).catch(() => undefined)
    const text = await reply?.text().catch(() => undefined)
    if (reply?.ok && text !== undefined) return { text, seconds: (performance.now() - began) / 1000 }
    if (reply && reply.status !== 503 && !text?.includes('still_running')) throw new Error(`${reply.status} ${text}`)
    await sleep(100)
  }
  throw new Error(`${path} was not acknowledged.`)
}

const rows: FaultRow[] = []
function note(row: FaultRow) {
  rows.push(row)
  reportFaults('faults', rows)
  print(
    `${row.fault}: ${row.times} times, ${row.acknowledged} acknowledged, ${row.lost} lost, ${row.doubled} doubled, ${row.seconds.toFixed(1)} s`,
  )
}
async function until(isDone: () => Promise<boolean> | boolean, within = 180_000) {
  for (const end = performance.now() + within; performance.now() < end; await sleep(200)) if (await isDone()) return
}

/** Emails to people who are invited while the mail server misbehaves. */
async function tryMail(fault: string, mode: MailServerMode) {
  await stepUp()
  mail.behave(mode)
  const wanted = Array.from({ length: TIMES }, (_, i) => `${mode}-${i}@example.com`)
  const replies = await Promise.all(
    wanted.map((email) =>
      write('/api/access/workers/invite', { email, name: 'Robin', role: null, permissions: ['1'] }),
    ),
  )
  await sleep(2_000)
  mail.behave('well')
  mail.release()
  const idOf = (raw: string) => /^Message-ID: (\S+)/im.exec(raw)?.[1] ?? raw
  const idsFor = (email: string) => new Set(mail.letters.filter(({ to }) => to === email).map(({ raw }) => idOf(raw)))
  await until(() => wanted.every((email) => idsFor(email).size > 0))
  note({
    fault: `mail server ${fault}`,
    times: TIMES,
    acknowledged: replies.length,
    lost: wanted.filter((email) => idsFor(email).size === 0).length,
    doubled: wanted.filter((email) => idsFor(email).size > 1).length,
    seconds: Math.max(...replies.map(({ seconds }) => seconds)),
  })
}

const creditsOf = async () =>
  Number((await query<{ credits: number }>('select credits from customers where id = $1', [customer?.id]))[0]?.credits)
const grant = () => write(`/api/support/users/${customer?.id}/credits`, { delta: 1, reason: 'A gift' })

/** Credits that are granted while something breaks: their sum tells what was lost or done twice. */
async function tryCredits(
  fault: string,
  times: number,
  atOnce: number,
  breakIt: (turn: number) => Promise<unknown> | unknown,
) {
  const before = await creditsOf()
  let acknowledged = 0
  let seconds = 0
  for (let turn = 0; turn < times; turn++) {
    const writes = Array.from({ length: atOnce }, grant)
    await sleep(Math.random() * 30)
    await breakIt(turn)
    for (const { seconds: each } of await Promise.all(writes)) {
      acknowledged += 1
      seconds = Math.max(seconds, each)
    }
  }
  const found = (await creditsOf()) - before
  const lost = Math.max(acknowledged - found, 0)
  note({ fault, times, acknowledged, lost, doubled: Math.max(found - acknowledged, 0), seconds })
}

/** Webhooks of credits that are granted while the endpoint misbehaves. */
async function tryHook(fault: string, mode: HookMode) {
  const before = new Set(events.keys())
  hookMode = mode
  const replies = await Promise.all(Array.from({ length: TIMES }, grant))
  await sleep(2_000)
  hookMode = 'well'
  const arrived = () => [...events.keys()].filter((id) => !before.has(id)).length
  await until(async () => {
    // Now, instead of after the backoff.
    await query(`update webhook_deliveries set next_attempt_at = clock_timestamp() where state = 'waiting'`)
    return arrived() >= TIMES
  })
  const seconds = Math.max(...replies.map((reply) => reply.seconds))
  const lost = Math.max(TIMES - arrived(), 0)
  note({
    fault: `webhook endpoint ${fault}`,
    times: TIMES,
    acknowledged: TIMES,
    lost,
    doubled: Math.max(arrived() - TIMES, 0),
    seconds,
  })
}

await tryMail('defers (451)', 'later')
await tryMail('drops the connection half-way', 'cut')
await tryMail('does not answer', 'slow')
await tryMail('dies after it accepted', 'die')

const { port } = hook.address() as AddressInfo
await stepUp()
await write('/api/access/webhooks', { url: `http://127.0.0.1:${port}/`, events: ['credits.changed'] })
await tryHook('answers 500', 'error')
await tryHook('cuts its answer half-way', 'cut')
await tryHook('answers nonsense', 'nonsense')
await tryHook('is slow', 'slow')

await tryCredits('connections to the database cut', TIMES * 2, 3, async () => {
  proxy.cut()
  await sleep(50)
  proxy.restore()
})
await tryCredits('confirmation of a commit lost', TIMES * 2, 1, () => proxy.loseCommit())
const streams: AbortController[] = []
await tryCredits('1,500 live streams of one worker opened and dropped', 1, 20, async () => {
  for (let i = 0; i < 1_500; i++) {
    const stop = new AbortController()
    streams.push(stop)
    fetch(`${limber.url}/api/live`, { headers: { cookie: headers.cookie ?? '' }, signal: stop.signal }).catch(() => {})
  }
  await sleep(3_000)
  for (const stop of streams) stop.abort()
})
await tryCredits('500 requests at once', 2, 4, () =>
  Promise.all(
    Array.from({ length: 500 }, () =>
      fetch(`${limber.url}/api/auth/check`, { headers: { cookie: headers.cookie ?? '' } }).then(
        (reply) => reply.text(),
        () => '',
      ),
    ),
  ),
)
await tryCredits('database killed', Math.ceil(TIMES / 2), 3, () => {
  const [pid] = readFileSync(join(home, 'postgres/data/postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGKILL')
})
await tryCredits('process killed and started again', Math.ceil(TIMES / 2), 3, async () => {
  limber.kill()
  limber = await start()
})

const bad = rows.filter(({ lost, doubled }) => lost + doubled > 0).length
print(`${rows.reduce((sum, { times }) => sum + times, 0)} faults`)
await limber.stop()
await mail.close()
hook.close()
proxy.close()
await postgres.stop()
print(`${rows.length - bad} passed, ${bad} failed`)
process.exit(bad > 0 ? 1 : 0)
