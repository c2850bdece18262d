import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { codeOf, permissionNames } from '../../contract/src/access/permissions.ts'
import { makeCsrfToken } from '../../server/src/platform/security/csrf.ts'
import { hashToken, makeKeyring, randomToken } from '../../server/src/platform/security/secrets.ts'

const root = join(import.meta.dirname, '../..')
export const SECRET_KEY = randomBytes(48).toString('base64')
const ORIGIN = 'http://localhost:3000'
const PATIENCE = 60_000

export interface LimberProcess {
  url: string
  pid: number
  /** Replies by status; `network` for those that never came. */
  statuses: Map<string, number>
  /** Lines of its log about calls that failed. */
  failures: string[]
  stop(): Promise<void>
  kill(): void
}

interface LaunchOptions {
  /** The folder of its sources. */
  cwd?: string
  /** An open file for its log. Default: nowhere. */
  log?: number
  /** A command that becomes the process. */
  launcher?: readonly string[]
  /** What Node runs. */
  program?: readonly string[]
}

/** A process of the product as it runs in production. */
export async function startLimber(
  env: NodeJS.ProcessEnv,
  { cwd = root, log, launcher = [], program: main = ['server/src/main.ts'] }: LaunchOptions = {},
): Promise<LimberProcess> {
  const port = Number(env.PORT)
  const [program = process.execPath, ...args] = [...launcher, process.execPath, ...main]
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, PUBLIC_URL: ORIGIN, SECRET_KEY, LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', log ?? 'pipe', 'inherit'],
  })
  // Ready calls are answered before jobs run; the log says when everything does.
  let hasStarted = log !== undefined
  const failures: string[] = []
  if (child.stdout)
    createInterface(child.stdout).on('line', (line) => {
      hasStarted ||= line.includes('"listening"')
      if (line.includes('"call failed"')) failures.push(line)
    })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; !(hasStarted && (await isReady(url))); attempt++) {
    if (child.exitCode !== null || attempt > 1800) throw new Error('Limber did not start.')
    await sleep(100)
  }
  return {
    url,
    pid: child.pid ?? 0,
    statuses: new Map(),
    failures,
    kill: () => child.kill('SIGKILL'),
    async stop() {
      child.kill('SIGTERM')
      await Promise.race([ended, sleep(20_000)])
      child.kill('SIGKILL')
    },
  }
}

export const isReady = (url: string) =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3_000) }).then(
    (reply) => reply.ok,
    () => false,
  )

/** An Owner with a session. */
export async function signIn(
  server: { query: (text: string, values: unknown[], database: string) => Promise<pg.QueryResultRow[]> },
  name = 'Olga Owner',
): Promise<Record<string, string>> {
  const token = randomToken()
  const keyring = makeKeyring(SECRET_KEY, [])
  const [worker] = await server.query(
    `insert into workers (name, email, permissions, handle, status, role, onboarded_at, created_at)
      values ($3, $4, $1, $2, 'active', 'Owner', now(), now()) returning id`,
    [permissionNames.map(codeOf), randomBytes(32), name, `${randomToken(6).toLowerCase()}@example.com`],
    'limber',
  )
  await server.query(
    `insert into sessions (token_hash, worker_id, created_at, last_seen_at, stepped_up_at) values ($1, $2, now(), now(), now())`,
    [hashToken(token), worker?.id],
    'limber',
  )
  const csrf = makeCsrfToken(keyring, token)
  return { cookie: `sid=${token}`, origin: ORIGIN, 'x-csrf-token': csrf, 'content-type': 'application/json' }
}

export interface Round {
  acknowledged: Set<string>
  /** Unexpected replies: anything but 200 and 503. */
  wrong: string[]
  /** When each write was acknowledged, by process. */
  moments: Map<LimberProcess, number[]>
}

/** Writes until `until` is aborted. Each write is repeated with the same key until it is acknowledged. */
export async function write(
  process: LimberProcess,
  headers: Record<string, string>,
  name: string,
  round: Round,
  until: AbortSignal,
) {
  for (let i = 0; !until.aborted; i++) {
    const email = `${name}-${i}@example.com`
    const key = randomUUID()
    const body = JSON.stringify({ email, name, role: null, permissions: ['1'] })
    const end = performance.now() + PATIENCE
    for (;;) {
      const status = await send(process, headers, key, body, round)
      if (status === 200) {
        round.acknowledged.add(email)
        round.moments.get(process)?.push(performance.now())
        break
      }
      if (performance.now() > end) {
        round.wrong.push(`${email} was not acknowledged within ${PATIENCE / 1000} s`)
        return
      }
      await sleep(100)
    }
  }
}

async function send(
  { url, statuses }: LimberProcess,
  headers: Record<string, string>,
  key: string,
  body: string,
  { wrong }: Round,
): Promise<number | undefined> {
  const count = (status: string) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
  try {
    const reply = await fetch(`${url}/api/access/workers/invite`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': key },
      body,
      signal: AbortSignal.timeout(40_000),
    })
    const text = await reply.text()
    count(String(reply.status))
    if (reply.status === 503 && !reply.headers.get('retry-after')) wrong.push('503 without Retry-After')
    // The same write is still running: the client asks again.
    if (![200, 503].includes(reply.status) && !text.includes('still_running')) wrong.push(`${reply.status} ${text}`)
    return reply.status
  } catch {
    count('network')
    return undefined
  }
}

/** Reads a live stream until it is closed, and opens it again. Counts messages. */
export function watchLive({ url }: LimberProcess, headers: Record<string, string>) {
  const stop = new AbortController()
  const heard = { at: 0, messages: 0, stop: () => stop.abort() }
  const read = async () => {
    const reply = await fetch(`${url}/api/live`, { headers: { cookie: headers.cookie ?? '' }, signal: stop.signal })
    for await (const part of reply.body ?? [])
      if (Buffer.from(part).includes('data:')) {
        heard.at = performance.now()
        heard.messages += 1
      }
  }
  void (async () => {
    while (!stop.signal.aborted) {
      await read().catch(() => {})
      await sleep(500)
    }
  })()
  return heard
}
