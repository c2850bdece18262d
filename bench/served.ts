import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startTestPostgres } from '../server/src/embedded/for-tests.ts'
import { SETTINGS } from '../server/src/embedded/settings.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { makeCsrfToken } from '../server/src/platform/security/csrf.ts'
import { hashToken, makeKeyring, randomToken } from '../server/src/platform/security/secrets.ts'
import { silentLog } from '../server/src/platform/telemetry/log.ts'

const root = join(import.meta.dirname, '..')
/** The options of Node that the Dockerfile sets. */
export const deployed = ['--max-semi-space-size=4', '--min-semi-space-size=4']
export const SECRET = 'bench-0123456789-abcdefghijklmnopqrstuvwxyz'

interface Reply {
  status: number
  ms: number
  json: Record<string, unknown>
}

export interface Served {
  child: ChildProcess
  origin: string
  headers: Record<string, string>
  /** Sends a request (GET without a body) and measures its time. */
  call(path: string, body?: object, method?: string): Promise<Reply>
}

/** The memory of a server in megabytes. */
export const memoryOf = ({ child }: Pick<Served, 'child'>) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024

/** Runs work on a separate PostgreSQL with one migrated database. */
export async function withDatabase<T>(name: string, work: (url: string, data: pg.Client) => Promise<T>): Promise<T> {
  // A million rows are measured with the memory that our own database gives them.
  const postgres = await startTestPostgres({ shared_buffers: SETTINGS.shared_buffers })
  const admin = new pg.Client({ connectionString: postgres.adminUrl })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(postgres.adminUrl)
  url.pathname = `/${name}`
  await migrate(url.href, silentLog)
  const data = new pg.Client({ connectionString: url.href })
  await data.connect()
  try {
    return await work(url.href, data)
  } finally {
    await data.end()
    await admin.end()
    await postgres.stop()
  }
}

/** Creates a signed-in worker with these permissions and returns the session token. */
export async function signInWorker(data: pg.Client, permissions: string): Promise<string> {
  const token = randomToken()
  const worker = await data.query<{ id: string }>(
    `insert into workers (email, name, permissions, handle, status, created_at) values ('bench@example.com', 'Bench', $1, '\\x01', 'active', now()) returning id`,
    [permissions],
  )
  await data.query(
    `insert into sessions (token_hash, worker_id, created_at, last_seen_at, stepped_up_at) values ($1, $2, now(), now(), now())`,
    [hashToken(token), worker.rows[0]?.id],
  )
  return token
}

const isUp = (origin: string) =>
  fetch(`${origin}/healthz`).then(
    (reply) => reply.ok,
    () => false,
  )

async function untilUp(origin: string, child: ChildProcess) {
  while (!(await isUp(origin))) {
    if (child.exitCode !== null) throw new Error('The server did not start')
    await new Promise((done) => setTimeout(done, 20))
  }
}

/** Starts the bare server on the same database. */
export async function serveLimit(port: number, databaseUrl: string, file = 'bench/limit.ts'): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(root, file)], {
    env: { ...process.env, PORT: String(port), DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await untilUp(`http://127.0.0.1:${port}`, child)
  return child
}

/** Starts the product as it is deployed. Calls are made as the worker of the session. */
export async function serveOurs(
  port: number,
  databaseUrl: string,
  token: string,
  settings: NodeJS.ProcessEnv = {},
): Promise<Served> {
  const origin = `http://localhost:${port}`
  const child = spawn(process.execPath, [...deployed, join(root, 'server/dist/main.js')], {
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: origin,
      SECRET_KEY: SECRET,
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
      ...settings,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await untilUp(origin, child)
  const csrf = makeCsrfToken(makeKeyring(SECRET), token)
  const headers = { cookie: `sid=${token}; csrf=${csrf}`, accept: 'application/json', origin, 'x-csrf-token': csrf }
  return {
    child,
    origin,
    headers,
    async call(path, body, method = 'POST') {
      const startedAt = performance.now()
      const reply = await fetch(origin + path, {
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { method, body: JSON.stringify(body) }),
      })
      const json = (await reply.json()) as Record<string, unknown>
      return { status: reply.status, ms: performance.now() - startedAt, json }
    },
  }
}
