import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { codeOf, type PermissionName, permissionNames } from '@limber/contract/access/permissions.ts'
import type { CallDefinition, Failure, InputOf, ReplyOf } from '@limber/contract/kit/call.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { type RunningServer, startServer } from '#serve.ts'
import { fixedClock, shift } from '../clock.ts'
import { readConfig } from '../config.ts'
import type { Db } from '../db/db.ts'
import type { Route } from '../http/routes.ts'
import type { Channels } from '../outbox/outbox.ts'
import { makeCsrfToken } from '../security/csrf.ts'
import { hashToken, randomToken } from '../security/secrets.ts'
import { type Log, silentLog } from '../telemetry/log.ts'
import { TEST_NOW } from './testing.now.ts'

/** The public URL in tests. The server listens on another port. */
export const TEST_ORIGIN = 'http://localhost:3000'

export { TEST_NOW }

export interface TestReply<C extends CallDefinition = CallDefinition> {
  status: number
  headers: Headers
  text: string
  /** The reply of a successful call; otherwise read `failure`. */
  body: ReplyOf<C>
  failure: Failure
}

export interface SendExtras {
  headers?: Record<string, string | undefined>
  /** Sent instead of the JSON of the call's body. */
  rawBody?: string | Buffer
}

export interface TestCaller {
  send<C extends CallDefinition>(
    call: C,
    input?: Partial<InputOf<C>> & Record<string, unknown>,
    extras?: SendExtras,
  ): Promise<TestReply<C>>
  /** The worker behind the caller. */
  worker(): Promise<TestWorker>
}

export interface TestWorker {
  id: number
  sessionId: number
  token: string
  csrf: string
}

export interface CallerOptions {
  name?: string
  email?: string
  role?: string
  isSteppedUp?: boolean
}

export interface TestServer {
  url: string
  db: Db
  clock: ReturnType<typeof fixedClock>
  running: RunningServer
  /** A signed-in worker with these permissions and no others. */
  as(...permissions: PermissionName[]): TestCaller
  /** The same with a recent passkey confirmation. */
  asSteppedUp(...permissions: PermissionName[]): TestCaller
  /** A signed-in worker with all permissions. */
  asOwner(options?: CallerOptions): TestCaller
  /** A caller without a session. */
  anonymous(): TestCaller
  /** A worker in the database, signed in. */
  signIn(permissions: readonly PermissionName[], options?: CallerOptions): Promise<TestWorker>
  stop(): Promise<void>
}

export interface TestServerOptions {
  env?: NodeJS.ProcessEnv
  log?: Log
  withJobs?: boolean
  now?: string
  routes?: readonly Route[]
  channels?: Channels
  /** Default: a copy of the template. */
  database?: TestDatabase
}

/** Starts a server on its own database, copied from the migrated template of this run. */
export async function startTestServer({
  env = {},
  log = silentLog,
  withJobs = false,
  now = TEST_NOW,
  routes,
  channels,
  database: given,
}: TestServerOptions = {}): Promise<TestServer> {
  const database = given ?? (await copyTemplate())
  const { clock, isBack } = trackSetBack(fixedClock(now))
  const config = readConfig({
    ...connectionTo(database.url),
    DATABASE_POOL: '20',
    PUBLIC_URL: TEST_ORIGIN,
    PORT: '0',
    SECRET_KEY: 'test-secret-key-0123456789-abcdefghijklmnopqrstuvwxyz',
    LIMBER_EMBEDDED: '1',
    LIMBER_CHECK_REPLIES: '1',
    LOG_LEVEL: 'silent',
    LIMBER_STORAGE: join(tmpdir(), `limber-test-files-${randomToken(6)}`),
    ...env,
  })
  const running = await startServer(config, {
    clock,
    log,
    withJobs,
    ...(routes && { routes }),
    ...(channels && { channels }),
  })
  const { db } = running.services
  const signIn = (permissions: readonly PermissionName[], options: CallerOptions = {}) =>
    insertSignedIn(running, permissions, options)
  const caller = (permissions: readonly PermissionName[], options?: CallerOptions) =>
    makeCaller(
      running.url,
      once(() => signIn(permissions, options)),
      async () => isBack() && (await moveSessionsBack(db, clock.now())),
    )
  return {
    url: running.url,
    db,
    clock,
    running,
    as: (...permissions) => caller(permissions),
    asSteppedUp: (...permissions) => caller(permissions, { isSteppedUp: true }),
    asOwner: (options) => caller(permissionNames, { role: 'Owner', ...options }),
    anonymous: () => makeCaller(running.url),
    signIn,
    async stop() {
      await running.close()
      await database.drop()
      if (!env.LIMBER_STORAGE) await rm(config.storagePath, { recursive: true, force: true })
    },
  }
}

/** The settings for a database: direct, or through the pooler of this run. */
function connectionTo(url: string): NodeJS.ProcessEnv {
  const port = process.env.LIMBER_TEST_POOLER
  if (!port) return { DATABASE_URL: url }
  const pooled = new URL(url)
  pooled.searchParams.delete('host')
  Object.assign(pooled, { hostname: '127.0.0.1', port })
  return { DATABASE_URL: pooled.href, DATABASE_DIRECT_URL: url, DATABASE_POOL_MODE: 'transaction' }
}

/** A clock that remembers whether it was set back. */
function trackSetBack(clock: ReturnType<typeof fixedClock>) {
  let wasBack = false
  const set = (to: string | Date) => {
    wasBack ||= new Date(to) < clock.now()
    clock.set(to)
  }
  const isBack = () => {
    const is = wasBack
    wasBack = false
    return is
  }
  const advance = (ms: number) => set(shift(clock.now(), ms))
  return { clock: { ...clock, set, advance }, isBack }
}

/** After the clock was set back, sessions must not appear to be from the future. */
const moveSessionsBack = (db: Db, now: Date) =>
  sql`update sessions set created_at = least(created_at, ${now}), last_seen_at = least(last_seen_at, ${now}),
    stepped_up_at = least(stepped_up_at, ${now}) where greatest(created_at, last_seen_at, stepped_up_at) > ${now}`.execute(
    db,
  )

const once = <T>(make: () => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

function testDatabaseUrls() {
  const admin = process.env.LIMBER_TEST_DATABASE
  const template = process.env.LIMBER_TEST_TEMPLATE
  if (!admin || !template) throw new Error('Server tests run with: vitest run --config server/vitest.config.ts')
  return { admin, template }
}

const urlOf = (admin: string, name: string) => Object.assign(new URL(admin), { pathname: `/${name}` }).href

/** Copies the template as files, which takes a third of the time of copying through the WAL. */
export async function copyTemplate(from?: string): Promise<TestDatabase> {
  const { admin, template } = testDatabaseUrls()
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(admin, (client) =>
    client.query(`create database ${name} template ${from ?? template} strategy file_copy`),
  )
  return {
    url: urlOf(admin, name),
    drop: () => asAdmin(admin, (client) => client.query(`drop database if exists ${name} with (force)`)),
  }
}

/** Runs the work while no other process of this run holds the lock. */
export async function inTurn(lock: number, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  await asAdmin(testDatabaseUrls().admin, async (client) => {
    // Through a pooler, the role has time limits.
    await client.query('set lock_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [lock])
    await work(client)
  })
}

const FILLING = 7_214_020

/** A copy of the template with more data. It is filled once per run, by the first caller. */
export async function copyFilled(name: string, fill: (url: string) => Promise<void>): Promise<TestDatabase> {
  const { admin, template } = testDatabaseUrls()
  const filled = `${template}_${name}`
  await inTurn(FILLING, async (client) => {
    if ((await client.query('select from pg_database where datname = $1', [filled])).rowCount === 1) return
    const making = `${filled}_making`
    await client.query(`drop database if exists ${making}`)
    await client.query(`create database ${making} template ${template} strategy file_copy`)
    await fill(urlOf(admin, making))
    await client.query(`alter database ${making} rename to ${filled}`)
  })
  return copyTemplate(filled)
}

async function asAdmin(url: string, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

let serial = 0

async function insertSignedIn(
  { services: { db, clock, keyring } }: RunningServer,
  permissions: readonly PermissionName[],
  { name, email, role, isSteppedUp }: CallerOptions,
): Promise<TestWorker> {
  const at = clock.now()
  const token = randomToken()
  const n = ++serial
  const worker = await db
    .insertInto('workers')
    .values({
      name: name ?? `Worker ${n}`,
      email: email ?? `worker-${n}-${randomToken(3)}@example.com`,
      permissions: permissions.map(codeOf),
      handle: randomBytes(32),
      status: 'active',
      role: role ?? null,
      totp_secret: null,
      totp_confirmed_at: null,
      multi_device_at: null,
      onboarded_at: at,
      disabled_at: null,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const session = await db
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      worker_id: worker.id,
      device_id: null,
      created_at: at,
      last_seen_at: at,
      stepped_up_at: isSteppedUp ? at : null,
      ended_at: null,
      ended_reason: null,
      address: null,
      browser: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: worker.id, sessionId: session.id, token, csrf: makeCsrfToken(keyring, token) }
}

function makeCaller(url: string, signIn?: () => Promise<TestWorker>, prepare?: () => Promise<unknown>): TestCaller {
  return {
    worker: () => {
      if (!signIn) throw new Error('An anonymous caller has no worker')
      return signIn()
    },
    async send(call, input = {}, { headers = {}, rawBody } = {}) {
      const worker = await signIn?.()
      await prepare?.()
      const isRead = call.method === 'GET'
      const body = rawBody ?? ('body' in input ? JSON.stringify(input.body) : undefined)
      const all: Record<string, string | undefined> = {
        accept: 'application/json',
        ...(worker && { cookie: `sid=${worker.token}` }),
        ...(!isRead && { origin: TEST_ORIGIN, 'x-csrf-token': worker?.csrf }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      }
      const sent = Object.fromEntries(
        Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
      )
      const {
        status,
        headers: got,
        text,
      } = await exchange(url + fillPath(call.path, input.params) + queryText(input.query), call.method, sent, body)
      const json: unknown = got.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : undefined
      // The server has validated the reply against the contract (`checkReplies`).
      return { status, headers: got, text, body: json, failure: json } as never
    },
  }
}

const agent = new Agent({ keepAlive: true })

/** Uses node:http, which takes a third of the CPU time of `fetch`. */
function exchange(url: string, method: string, headers: Record<string, string>, body?: string | Buffer) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; headers: Headers; text: string }>()
  const length = body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }
  const sent = request(url, { method, agent, headers: { 'user-agent': 'node', ...length, ...headers } }, (reply) => {
    const got = new Headers()
    for (let at = 0; at < reply.rawHeaders.length; at += 2)
      got.append(reply.rawHeaders[at] ?? '', reply.rawHeaders[at + 1] ?? '')
    readText(reply).then((text) => resolve({ status: reply.statusCode ?? 0, headers: got, text }), reject)
  })
  sent.once('error', reject)
  sent.end(body)
  return promise
}

const fillPath = (path: string, params: unknown) =>
  path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown> | undefined)?.[name])),
  )

function queryText(query: unknown): string {
  if (!query) return ''
  const pairs = Object.entries(query as Record<string, unknown>).filter(([, value]) => value !== undefined)
  return pairs.length > 0
    ? `?${new URLSearchParams(Object.fromEntries(pairs.map(([name, value]) => [name, String(value)])))}`
    : ''
}

/**
 * Waits until `check` returns a truthy value and returns it. The limit is far above what a loaded machine needs: only a
 * failing test reaches it.
 */
export async function eventually<T>(check: () => Promise<T | undefined | false>, within = 60_000): Promise<T> {
  const start = performance.now()
  for (;;) {
    const result = await check()
    if (result) return result
    const waited = performance.now() - start
    if (waited > within) throw new Error(`The condition was not met within ${within} ms`)
    // Asks less often the longer it takes, so that waiting does not slow down what it waits for.
    await new Promise((done) => setTimeout(done, Math.min(25 + waited / 8, 400)))
  }
}
