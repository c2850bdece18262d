import { execFileSync } from 'node:child_process'
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { deployed } from '../../bench/served.ts'
import { freePort } from '../../server/src/embedded/port.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { silentLog } from '../../server/src/platform/telemetry/log.ts'
import { startBucketService } from '../../server/src/platform/testing/testing.bucket.ts'
import { openMailServer } from '../../server/src/platform/testing/testing.mail.ts'
import { makeProxy } from '../../server/src/platform/testing/testing.tcp-proxy.ts'
import { startFakeTwilio } from '../../server/src/support/texts/twilio.testing.ts'
import { mountDisk, startAlone } from '../failover/cluster.ts'
import { type LimberProcess, signIn, startLimber } from '../failover/writers.ts'
import { openLine } from './line.ts'
import type { FaultRow } from './report.ts'

const PATIENCE = 180_000

/** How the webhook endpoint behaves. `cut`: it takes the event and ends the connection in the middle of its answer. */
export type HookMode = 'well' | 'error' | 'cut' | 'slow'

/** A webhook endpoint that counts each event once. */
async function openHook() {
  const events = new Map<string, number>()
  let mode: HookMode = 'well'
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const id = String(request.headers['webhook-id'])
    await readText(request)
    if (mode === 'error') return void response.writeHead(500).end()
    if (mode === 'cut') {
      response.writeHead(500, { 'content-length': '100' }).flushHeaders()
      return void request.destroy()
    }
    if (mode === 'slow') await sleep(3_000)
    events.set(id, (events.get(id) ?? 0) + 1)
    response.writeHead(204).end()
  }
  const server = createServer((request, response) => void answer(request, response).catch(() => {}))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    events,
    port: (server.address() as AddressInfo).port,
    behave(next: HookMode) {
      mode = next
    },
    close: () => server.close(),
  }
}

/** Hosts that exist only in the list of names which the process sees. */
export const NAMES = { database: 'database.faults.test', mail: 'mail.faults.test', hook: 'hook.faults.test' } as const

/** A list of names for one process, as `/etc/hosts`; undefined if this machine does not allow that. */
function openNames(file: string) {
  const write = (names: readonly string[]) =>
    writeFileSync(file, ['127.0.0.1 localhost', ...names.map((name) => `127.0.0.1 ${name}`), ''].join('\n'))
  const all = Object.values(NAMES)
  write(all)
  try {
    execFileSync('unshare', ['-m', 'mount', '--bind', file, '/etc/hosts'], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  return {
    launcher: ['unshare', '-m', 'sh', '-c', 'mount --bind "$0" /etc/hosts && exec "$@"', file],
    forget: (lost: string) => write(all.filter((name) => name !== lost)),
    restore: () => write(all),
  }
}

/** Limber with everything around it that can break: database, mail, texts, webhooks, bucket, disks. */
export async function openLab() {
  const home = mkdtempSync(join(tmpdir(), 'limber-faults-'))
  const database = await startAlone(home)
  await migrate(database.url('limber').href, silentLog)
  const mail = await openMailServer()
  const hook = await openHook()
  const twilio = await startFakeTwilio()
  const bucket = await startBucketService()
  const names = openNames(join(home, 'hosts'))
  const hostOf = (which: keyof typeof NAMES) => (names ? NAMES[which] : '127.0.0.1')
  const lineTo = (port: number) => openLine({ host: '127.0.0.1', port })
  const lines = {
    database: await lineTo(database.port),
    mail: await lineTo(mail.port),
    hook: await lineTo(hook.port),
    texts: await lineTo(Number(new URL(twilio.env.TWILIO_URL).port)),
    bucket: await lineTo(bucket.port),
  }
  /** In front of the line to the database: it can lose the confirmation of a commit. */
  const proxy = makeProxy(new URL(`postgres://127.0.0.1:${lines.database.port}`))
  const proxied = Object.assign(database.url('limber'), {
    hostname: hostOf('database'),
    port: String(await proxy.listen()),
  })
  /** A small disk for files and log; undefined if this machine does not allow one. */
  const disk = mountDisk(join(home, 'disk'), '32m')
  const base: NodeJS.ProcessEnv = {
    DATABASE_URL: proxied.href,
    SMTP_URL: `smtp://${hostOf('mail')}:${lines.mail.port}`,
    MAIL_FROM: 'Limber <desk@example.com>',
    WEBHOOK_ALLOW_PRIVATE: '1',
    ...twilio.env,
    TWILIO_URL: `http://127.0.0.1:${lines.texts.port}`,
    LIMBER_STORAGE: disk.folder,
  }
  const inBucket: NodeJS.ProcessEnv = {
    S3_BUCKET: 'files',
    S3_ENDPOINT: `http://127.0.0.1:${lines.bucket.port}`,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  }

  async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    for (let attempt = 0; ; attempt++) {
      const client = new pg.Client({ connectionString: database.url('limber').href, connectionTimeoutMillis: 2_000 })
      client.on('error', () => {})
      try {
        await client.connect()
        return (await client.query<Row>(text, values)).rows
      } catch (error) {
        if (attempt > 200) throw error
        await sleep(200)
      } finally {
        await client.end().catch(() => {})
      }
    }
  }

  let limber: LimberProcess
  const start = async (more: NodeJS.ProcessEnv = {}, logFile?: string) => {
    limber = await startLimber(
      { ...base, ...more, PORT: String(await freePort()) },
      {
        // As it is deployed: a start from the sources takes a minute on a busy machine.
        program: [...deployed, 'server/dist/main.js'],
        ...(logFile && { log: openSync(logFile, 'a') }),
        ...(names && { launcher: names.launcher }),
      },
    )
  }
  await start()
  const headers = await signIn({ query })
  const [customer] = await query<{ id: string }>(
    `insert into customers (first_name, last_name, email, phone, joined_at)
      values ('Sam', 'Rivera', 'sam@example.com', '+19515550123', now()) returning id`,
  )
  let serial = 0

  /**
   * Repeats a request with one key until it is acknowledged. Returns the reply, and how long that took. `leaveAfter`: the
   * first time, nobody waits longer for the answer.
   */
  async function write(path: string, body: unknown, leaveAfter = 40_000): Promise<{ text: string; seconds: number }> {
    const key = `fault-${++serial}-${Math.random().toString(36).slice(2)}`
    const began = performance.now()
    for (let attempt = 0; performance.now() - began < PATIENCE; attempt++) {
      const { 'content-type': type, ...rest } = headers
      const isForm = body instanceof FormData
      const reply = await fetch(limber.url + path, {
        method: 'POST',
        headers: { ...rest, ...(!isForm && type && { 'content-type': type }), 'idempotency-key': key },
        body: isForm ? body : JSON.stringify(body),
        signal: AbortSignal.timeout(attempt === 0 ? leaveAfter : 40_000),
      }).catch(() => undefined)
      const text = await reply?.text().catch(() => undefined)
      if (reply?.ok && text !== undefined) return { text, seconds: (performance.now() - began) / 1000 }
      if (reply && reply.status !== 503 && !text?.includes('still_running')) throw new Error(`${reply.status} ${text}`)
      if (/"(files_)?unavailable"/.test(text ?? '') && !reply?.headers.get('retry-after'))
        throw new Error('503 without Retry-After')
      await sleep(100)
    }
    throw new Error(`${path} was not acknowledged.`)
  }

  return {
    home,
    database,
    mail,
    hook,
    twilio,
    lines,
    proxy,
    disk,
    names,
    hostOf,
    inBucket,
    customer: { id: customer?.id, phone: '+19515550123' },
    headers,
    query,
    write,
    get limber() {
      return limber
    },
    start,
    stepUp: () => query('update sessions set stepped_up_at = clock_timestamp(), last_seen_at = clock_timestamp()'),
    async close() {
      await limber.stop()
      await mail.close()
      await twilio.close()
      await bucket.close()
      hook.close()
      proxy.close()
      for (const line of Object.values(lines)) line.close()
      await database.stop()
    },
    /** Also after a failure. */
    remove() {
      limber.kill()
      database.remove()
      disk.remove()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
export type Lab = Awaited<ReturnType<typeof openLab>>

/** Waits until something is the case. */
export async function until(isDone: () => Promise<boolean> | boolean, within = PATIENCE) {
  for (const end = performance.now() + within; performance.now() < end; await sleep(200)) if (await isDone()) return
}

const creditsOf = async ({ query, customer }: Lab) =>
  Number((await query<{ credits: number }>('select credits from customers where id = $1', [customer.id]))[0]?.credits)
export const grant = ({ write, customer }: Lab, leaveAfter?: number) =>
  write(`/api/support/users/${customer.id}/credits`, { delta: 1, reason: 'A gift' }, leaveAfter)

/** Credits that are granted while something breaks: their sum tells what was lost or done twice. */
export async function grantWhile(
  lab: Lab,
  { fault, times, atOnce = 3, leaveAfter }: { fault: string; times: number; atOnce?: number; leaveAfter?: number },
  breakIt: (turn: number) => Promise<unknown> | unknown,
): Promise<FaultRow> {
  await lab.stepUp()
  const before = await creditsOf(lab)
  let acknowledged = 0
  let seconds = 0
  for (let turn = 0; turn < times; turn++) {
    const grantSome = () => Array.from({ length: atOnce }, () => grant(lab, leaveAfter))
    const writes = grantSome()
    await sleep(Math.random() * 30)
    const breaking = (async () => breakIt(turn))()
    await sleep(100)
    writes.push(...grantSome())
    // Whatever fails first is reported; the rest must not end this program.
    for (const each of [breaking, ...writes]) each.catch(() => {})
    await breaking
    for (const { seconds: each } of await Promise.all(writes)) {
      acknowledged += 1
      seconds = Math.max(seconds, each)
    }
  }
  const found = (await creditsOf(lab)) - before
  return {
    fault,
    times,
    acknowledged,
    lost: Math.max(acknowledged - found, 0),
    doubled: Math.max(found - acknowledged, 0),
    seconds,
  }
}
