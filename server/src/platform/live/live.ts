import { codeOf } from '@limber/contract/access/permissions.ts'
import type { Guard } from '@limber/contract/kit/call.ts'
import pg from 'pg'
import { primaryOf } from '../db/servers.ts'
import { describeError, type Log } from '../telemetry/log.ts'
import { LIVE_CHANNEL, OUTBOX_CHANNEL, WEBHOOK_CHANNEL } from './notify.ts'

/** Topics and who may receive them. A topic that is not listed reaches no one. */
export type LiveTopics = Readonly<Record<string, Guard>>

export interface LiveMessage {
  topic: string
  /** Only for this worker. */
  workerId?: number
  [name: string]: unknown
}

interface Listener {
  workerId: number
  permissions: ReadonlySet<string>
  /** Gets the message and its JSON, which is serialized once for all listeners. */
  send(message: LiveMessage, text: string): void
  /**
   * Ends the stream. The browser reconnects with its current permissions. A displaced stream, one of too many by the same
   * worker, must not reconnect on its own.
   */
  end(why?: 'displaced'): void
}

export interface LiveHub {
  /** Adds a listener; the returned function removes it. */
  listen(listener: Listener): () => void
  /** Called when the outbox has something to deliver. */
  onOutbox(run: () => void): void
  /** Called when there are webhooks to send. */
  onWebhooks(run: () => void): void
  /** Called when the settings of the company change. Browsers hear of it afterwards. */
  onCompany(run: () => Promise<void>): void
  status(): { streams: number; isConnected: boolean }
  start(): Promise<void>
  close(): Promise<void>
}

/** Maximum open streams per worker and process; a browser opens one per tab. */
export const MAX_STREAMS = 20
const FIRST_RETRY_DELAY = 250
const MAX_RETRY_DELAY = 10_000
/** A server that is frozen or cut off never closes the connection, so it is asked. */
const ASK_EVERY = 5_000
const RELOAD_ALL: LiveMessage = { topic: '*' }

/** Forwards NOTIFY messages to the listeners of this process. Every process listens, so it works across processes. */
export function makeLiveHub(databaseUrl: string, topics: LiveTopics, log: Log, findServer = primaryOf): LiveHub {
  const listeners = new Set<Listener>()
  let client: pg.Client | undefined
  let isClosed = false
  let isConnected = false
  let wakeOutbox = () => {}
  let wakeWebhooks = () => {}
  let reloadCompany = async () => {}

  async function deliver(text: string) {
    const message = parseMessage(text)
    if (!message) return
    if (message.topic === 'company') await reloadCompany()
    const line = JSON.stringify(message)
    for (const listener of listeners) {
      if (mayHear(topics, listener, message)) listener.send(message, line)
    }
    if (message.topic === 'session')
      for (const listener of [...listeners]) if (listener.workerId === message.workerId) listener.end()
  }

  async function connect(): Promise<void> {
    const server = await findServer(databaseUrl)
    const next = new pg.Client({
      connectionString: server.url,
      keepAlive: true,
      connectionTimeoutMillis: ASK_EVERY,
      query_timeout: ASK_EVERY,
    })
    const ask = async () => {
      await next.query('select')
      // A server that was frozen while another one took over answers again, but nobody writes there any more.
      const current = await findServer(databaseUrl).catch(() => server)
      if (current.timeline > server.timeline) throw new Error('Another server has taken over.')
    }
    const asking = setInterval(() => {
      // With a statement under way, ending the client cuts the connection.
      ask().catch(() => void next.end().catch(() => {}))
    }, ASK_EVERY)
    asking.unref()
    next.on('notification', ({ channel, payload }) => {
      if (channel === LIVE_CHANNEL) void deliver(payload ?? '')
      else if (channel === WEBHOOK_CHANNEL) wakeWebhooks()
      else wakeOutbox()
    })
    next.on('error', (error) => log.warn('live connection lost', describeError(error)))
    next.on('end', () => {
      clearInterval(asking)
      if (client === next) isConnected = false
      if (!isClosed && client === next) void reconnect(FIRST_RETRY_DELAY)
    })
    try {
      await next.connect()
      await next.query(`listen ${LIVE_CHANNEL}; listen ${OUTBOX_CHANNEL}; listen ${WEBHOOK_CHANNEL}`)
    } catch (error) {
      clearInterval(asking)
      // A standby accepts connections, but not LISTEN.
      await next.end().catch(() => {})
      throw error
    }
    client = next
    isConnected = true
  }

  async function reconnect(wait: number): Promise<void> {
    await new Promise((done) => setTimeout(done, wait).unref())
    if (isClosed) return
    try {
      await connect()
      await reloadCompany()
      // Messages since the disconnect are lost, so everyone refetches.
      for (const listener of listeners) listener.send(RELOAD_ALL, JSON.stringify(RELOAD_ALL))
      wakeOutbox()
      wakeWebhooks()
    } catch {
      await reconnect(Math.min(wait * 2, MAX_RETRY_DELAY))
    }
  }

  return {
    listen(listener) {
      listeners.add(listener)
      const own = [...listeners].filter(({ workerId }) => workerId === listener.workerId)
      for (const oldest of own.slice(0, -MAX_STREAMS)) oldest.end('displaced')
      return () => listeners.delete(listener)
    },
    onOutbox(run) {
      wakeOutbox = run
    },
    onWebhooks(run) {
      wakeWebhooks = run
    },
    onCompany(run) {
      reloadCompany = run
    },
    status: () => ({ streams: listeners.size, isConnected }),
    start: connect,
    async close() {
      isClosed = true
      for (const listener of [...listeners]) listener.end()
      await client?.end().catch(() => {})
    },
  }
}

function parseMessage(text: string): LiveMessage | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return typeof message === 'object' && message !== null && 'topic' in message ? (message as LiveMessage) : undefined
  } catch {
    return undefined
  }
}

function mayHear(topics: LiveTopics, listener: Listener, message: LiveMessage): boolean {
  if (message.workerId !== undefined && message.workerId !== listener.workerId) return false
  const guard = topics[message.topic]
  if (guard === undefined) return false
  if (guard === 'signed-in') return true
  if (guard === 'public' || guard === 'attempt') return false
  const wanted = typeof guard === 'string' ? [guard] : guard
  return wanted.some((name) => listener.permissions.has(codeOf(name)))
}
