import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { makePrimaryFinder, serversOf } from './servers.ts'

const INT8 = 20
// The types of the driver list no arrays.
const INT8_ARRAY = 1016 as number as Parameters<typeof pg.types.setTypeParser>[0]
const DATE = 1082
pg.types.setTypeParser(INT8, Number)
pg.types.setTypeParser(INT8_ARRAY, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)))
pg.types.setTypeParser(DATE, (text) => text)

export const PLANNED_EACH_TIME = '/* planned each time */'

const names = new Map<string, string>()
const MAX_NAMES = 1000

/** A short stable name for a statement, so that PostgreSQL prepares it once per connection. Undefined past a limit. */
function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known) return known
  if (names.size >= MAX_NAMES || text.trimStart().startsWith(PLANNED_EACH_TIME)) return undefined
  const name = `q${createHash('sha1').update(text).digest('base64url').slice(0, 20)}`
  names.set(text, name)
  return name
}

export const READ_ONLY = '25006'

/** How the query builder begins a transaction, and what it is told. */
const BEGIN = 'begin'
const BEGUN = { command: 'BEGIN', rowCount: null, rows: [] }

/** A statement that lets the ones after it take longer, until the transaction ends or, without `local`, until `reset all`. */
const TIMEOUT = /^set (local )?statement_timeout = (?:0|'(\d+)(s|min)')$/
const TIMEOUT_UNIT: Record<string, number> = { s: 1_000, min: 60_000 }
const RESET = 'reset all'

type Release = (error?: Error | boolean) => void
type CheckoutCallback = Parameters<pg.Pool['connect']>[0]

/** What the clients of a pool share. */
interface Watcher {
  /** Rises each time the pool leaves its server. Connections of an earlier generation are dropped. */
  generation: number
  onErrorState(state: string, generation: number): void
  /** Finds the server to connect to, if the connection URL names several. */
  primaries: ReturnType<typeof makePrimaryFinder> | undefined
  prepares: boolean
  recorder: StatementRecorder | undefined
}

/** Records statements for a trace. */
export interface StatementRecorder {
  /** Undefined when the statement is part of no trace. */
  start(text: string): object | undefined
  end(span: object, failure?: unknown): void
}

/** A commit that the standby has not confirmed. It may be lost with the primary, so nobody is told that it is done. */
class UnconfirmedCommitError extends Error {
  readonly code = '40003'
}
/** Where PostgreSQL reports that somebody canceled the wait for the standby, in any language. */
const STANDBY_WAIT = 'SyncRepWaitForLSN'
const COMMIT = 'commit'
const ROLLBACK = 'rollback'

/** A client that prepares parameterized statements by name. Its pool drops it when the server is read-only. */
class NamingClient extends pg.Client {
  readonly #watcher: Watcher | undefined
  #generation: number
  #release: Release = () => {}
  /** A transaction begins with its first statement, in one round trip. */
  #mustBegin = false
  #isUnconfirmed = false
  /** Since when the server has owed an answer. */
  #waitingSince: number | undefined
  /** The timeouts that statements have set on this connection, in milliseconds. */
  #sessionTimeout = 0
  #transactionTimeout = 0

  constructor(config?: pg.ClientConfig & { watcher?: Watcher }) {
    super(config)
    this.#watcher = config?.watcher
    this.#generation = this.#watcher?.generation ?? 0
    // The pool handles errors of idle clients only. A client that dies between two statements of a transaction must not
    // end the process either: the next statement fails anyway.
    this.on('error', () => {})
    this.on('drain', () => {
      this.#waitingSince = undefined
    })
    this.on('notice', ({ routine }) => {
      if (routine === STANDBY_WAIT) this.#isUnconfirmed = true
    })
    // Sees the errors of all statements, at no cost for successful ones.
    const { connection } = this as unknown as { connection: NodeJS.EventEmitter }
    connection.on('errorMessage', ({ code = '' }: { code?: string }) => {
      this.#watcher?.onErrorState(code, this.#generation)
    })
  }

  // biome-ignore lint/suspicious/noExplicitAny: as below
  override connect(callback?: any): any {
    const primaries = this.#watcher?.primaries
    if (!primaries) return super.connect(callback)
    void primaries.find().then(
      ({ host, port }) => {
        Object.assign(this, { host, port })
        this.#generation = this.#watcher?.generation ?? 0
        super.connect(callback)
      },
      (error: unknown) => callback(error),
    )
  }

  get isOutdated() {
    return this.#generation < (this.#watcher?.generation ?? 0)
  }

  /** Milliseconds for which the server has owed an answer. */
  waitsFor(): number {
    return this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince
  }

  /** The server had longer to answer than the timeout of its statements, which is the pool's or their own. */
  isSilent(timeout: number): boolean {
    return this.waitsFor() > Math.max(timeout, this.#sessionTimeout, this.#transactionTimeout) + GRACE
  }

  /** Fails the running statement at once. */
  cut(reason: string) {
    const { connection } = this as unknown as { connection: { stream: { destroy(error?: Error): void } } }
    connection.stream.destroy(new Error(`Connection terminated${reason}`))
  }

  /** Set by the pool on each checkout. */
  set release(release: Release) {
    this.#release = release
  }
  get release(): Release {
    const release = this.#release
    return (error) => release(error || this.isOutdated)
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's own query are not expressible here
  override query(first: any, ...rest: any[]): any {
    if (first === BEGIN && Array.isArray(rest[0]) && !this.#mustBegin) {
      this.#mustBegin = true
      return Promise.resolve(BEGUN)
    }
    if (!this.#mustBegin) return this.#send(first, ...rest)
    this.#mustBegin = false
    const client = this as unknown as { pipeline: boolean; connection: { stream: Writable } }
    const { stream } = client.connection
    client.pipeline = true
    // Both statements leave in one write.
    stream.cork()
    // If it fails, so does the statement behind it.
    super.query(BEGIN).catch(() => {})
    const answer = this.#send(first, ...rest)
    stream.uncork()
    return answer.finally(() => {
      client.pipeline = false
    })
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  #send(first: any, ...rest: any[]): any {
    this.#waitingSince ??= performance.now()
    const recorder = this.#watcher?.recorder
    const span = recorder && typeof first === 'string' ? recorder.start(first) : undefined
    const answer = this.#ask(first, ...rest)
    if (span && answer instanceof Promise)
      answer.then(
        () => recorder?.end(span),
        (error: unknown) => recorder?.end(span, error),
      )
    return answer
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  #ask(first: any, ...rest: any[]): any {
    this.#followTimeout(first)
    if (first === COMMIT) return super.query(first, ...rest).then(this.#confirm)
    if (typeof first === 'string' && Array.isArray(rest[0]) && this.#watcher?.prepares) {
      const name = statementName(first)
      if (name) return super.query({ name, text: first, values: rest[0] }, ...rest.slice(1))
    }
    return super.query(first, ...rest)
  }

  #followTimeout(text: unknown) {
    if (text === COMMIT || text === ROLLBACK) this.#transactionTimeout = 0
    if (text === RESET) this.#sessionTimeout = 0
    if (typeof text !== 'string' || !text.startsWith('set ')) return
    const [set, local, count, unit = ''] = TIMEOUT.exec(text) ?? []
    if (!set) return
    const timeout = count === undefined ? Number.POSITIVE_INFINITY : Number(count) * (TIMEOUT_UNIT[unit] ?? 0)
    if (local) this.#transactionTimeout = timeout
    else this.#sessionTimeout = timeout
  }

  #confirm = <T>(committed: T): T => {
    if (!this.#isUnconfirmed) return committed
    this.#isUnconfirmed = false
    throw new UnconfirmedCommitError('The standby did not confirm the commit.')
  }
}

export interface PoolOptions {
  size?: number
  /** Milliseconds after which a statement is canceled. */
  statementTimeout?: number
  /** Prepare statements by name. Default: yes. */
  prepares?: boolean
  /** The URL leads to a pooler in transaction mode: connections have no settings and no named statements of their own. */
  isPerTransaction?: boolean
  onError?: (error: Error) => void
}

const DISK_FULL = '53100'
const FULL_FOR = 10_000
const WATCH_EVERY = 1_000
/** With several servers, a statement that waits longer is a reason to look whether another one has taken over. */
const SUSPICIOUS = 2_000
/** The server cancels a statement that takes too long. If it does not even do that, it is gone. */
const GRACE = 5_000

/** Why the database cannot be written. */
export type WriteProblem = 'read_only' | 'disk_full' | 'not_ready'

interface Watched {
  servers: readonly string[]
  prepares: boolean
  /** Milliseconds after which the server cancels a statement. */
  statementTimeout: number
}

/** A pool that knows whether its server is writable, and drops its connections when the server turns read-only. */
class WatchingPool extends pg.Pool {
  readonly #watcher: Watcher
  #fullAt = Number.NEGATIVE_INFINITY
  /** Told how many milliseconds each checkout took. */
  onCheckout: ((ms: number) => void) | undefined
  #checking: Promise<WriteProblem | undefined> | undefined

  readonly #clients = new Set<NamingClient>()
  readonly #timer: NodeJS.Timeout

  constructor(config: pg.PoolConfig, { servers, prepares, statementTimeout }: Watched) {
    const watcher: Watcher = {
      generation: 0,
      onErrorState: () => {},
      primaries: undefined,
      prepares,
      recorder: undefined,
    }
    super({ ...config, Client: NamingClient, watcher } as unknown as pg.PoolConfig)
    this.#watcher = watcher
    if (servers.length > 1) watcher.primaries = makePrimaryFinder(servers, () => this.#follow())
    watcher.onErrorState = (state, generation) => {
      if (state === READ_ONLY && generation === watcher.generation) this.#leaveServer()
      if (state === DISK_FULL) this.#fullAt = performance.now()
    }
    this.on('connect', (client) => this.#clients.add(client as unknown as NamingClient))
    this.on('remove', (client) => this.#clients.delete(client as unknown as NamingClient))
    this.#timer = setInterval(() => this.#watch(statementTimeout), WATCH_EVERY).unref()
  }

  recordStatements(recorder: StatementRecorder | undefined) {
    this.#watcher.recorder = recorder
  }

  override end(): Promise<void>
  override end(callback: () => void): void
  override end(callback?: () => void): Promise<void> | undefined {
    clearInterval(this.#timer)
    return callback ? void super.end(callback) : super.end()
  }

  /** Cuts connections whose server is gone without a word, so that their calls fail and others can try again. */
  #watch(statementTimeout: number) {
    const longest = Math.max(0, ...[...this.#clients].map((client) => client.waitsFor()))
    if (longest > SUSPICIOUS) this.#watcher.primaries?.find().catch(() => {})
    for (const client of this.#clients)
      if (client.isSilent(statementTimeout)) client.cut(' due to silence of the database')
  }

  /** Another server has taken over. What still runs on the one before would be lost, or never answered. */
  #follow() {
    this.#leaveServer()
    for (const client of this.#clients) if (client.isOutdated) client.cut(': another server has taken over')
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: CheckoutCallback): void
  override connect(callback?: CheckoutCallback): Promise<pg.PoolClient> | undefined {
    if (callback) return void super.connect(callback)
    const tell = this.onCheckout
    if (!tell) return super.connect()
    const since = performance.now()
    return super.connect().finally(() => tell(performance.now() - since))
  }

  /** Drops idle connections to the read-only server. New connections reach the server that took over. */
  #leaveServer() {
    this.#watcher.generation += 1
    this.#watcher.primaries?.forget()
    for (let idle = this.idleCount; idle > 0; idle--)
      this.connect().then(
        (client) => client.release(true),
        () => {},
      )
  }

  async #check(): Promise<WriteProblem | undefined> {
    try {
      const client = await this.connect()
      try {
        const { rows } = await client.query<{ read_only: boolean }>(
          `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only from migrations limit 1`,
        )
        if (rows[0]?.read_only) this.#leaveServer()
        return rows.length === 0 ? 'not_ready' : rows[0]?.read_only ? 'read_only' : undefined
      } finally {
        client.release()
      }
    } catch {
      return 'not_ready'
    }
  }

  /** Checks whether the database is writable, within a timeout. Concurrent callers share one check. */
  async findWriteProblem(timeout: number): Promise<WriteProblem | undefined> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    const late = new Promise<WriteProblem>((done) => setTimeout(done, timeout, 'not_ready').unref())
    const found = await Promise.race([this.#checking, late])
    // A full disk shows in recent write errors. Background writes keep trying, so the state updates itself.
    return found ?? (performance.now() - this.#fullAt < FULL_FOR ? 'disk_full' : undefined)
  }
}
export type DatabasePool = InstanceType<typeof WatchingPool>

/**
 * Opens a pool. Connections use UTC and time out on statements, locks and idle transactions. If the URL names several
 * servers, connections go to the one that accepts writes.
 */
export function openPool(
  databaseUrl: string,
  { size = 12, statementTimeout = 15_000, prepares = true, isPerTransaction = false, onError }: PoolOptions = {},
): DatabasePool {
  const servers = serversOf(databaseUrl)
  const config = {
    connectionString: servers[0],
    max: size,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    ...(!isPerTransaction && {
      options: `-c timezone=UTC -c statement_timeout=${statementTimeout} -c lock_timeout=5000 -c idle_in_transaction_session_timeout=30000 -c jit=off`,
    }),
  }
  const pool = new WatchingPool(config, {
    servers,
    prepares: prepares && !isPerTransaction,
    statementTimeout,
  })
  // A lost idle connection must not end the process; the next query opens another.
  pool.on('error', (error) => onError?.(error))
  return pool
}
