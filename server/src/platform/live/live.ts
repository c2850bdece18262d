import { codeOf } from '@limber/contract/access/permissions.ts'
import type { Guard } from '@limber/contract/kit/call.ts'
import pg from 'pg'
import { describeError, type Log } from '../telemetry/log.ts'
import { LIVE_CHANNEL, OUTBOX_CHANNEL } from './notify.ts'

/** Which topics exist and who may hear them; a topic that is not listed reaches nobody. */
export type LiveTopics = Readonly<Record<string, Guard>>

export interface LiveMessage {
  topic: string
  /** Only this worker hears it. */
  workerId?: number
  [name: string]: unknown
}

interface Listener {
  workerId: number
  permissions: ReadonlySet<string>
  /** A message, and the same as JSON, written once for everybody. */
  send(message: LiveMessage, text: string): void
  /**
   * The rights of the listener may have changed: it must come again. One that is displaced, because the worker opened too
   * many others since, must not come again by itself.
   */
  end(why?: 'displaced'): void
}

export interface LiveHub {
  /** Adds a listener; the returned function takes it away. */
  listen(listener: Listener): () => void
  /** Called when the outbox got something to deliver. */
  onOutbox(run: () => void): void
  start(): Promise<void>
  close(): Promise<void>
}

/** So many streams one worker has open at a process; a browser opens one a tab. */
export const MAX_STREAMS = 20
const FIRST_RETRY_DELAY = 250
const MAX_RETRY_DELAY = 10_000
const RELOAD_ALL: LiveMessage = { topic: '*' }

/** Brings NOTIFY from the database to the listeners of this process; works across processes because all listen. */
export function makeLiveHub(databaseUrl: string, topics: LiveTopics, log: Log): LiveHub {
  const listeners = new Set<Listener>()
  let client: pg.Client | undefined
  let isClosed = false
  let wakeOutbox = () => {}

  function deliver(text: string) {
    const message = parseMessage(text)
    if (!message) return
    const line = JSON.stringify(message)
    for (const listener of listeners) {
      if (mayHear(topics, listener, message)) listener.send(message, line)
    }
    if (message.topic === 'session')
      for (const listener of [...listeners]) if (listener.workerId === message.workerId) listener.end()
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: databaseUrl, keepAlive: true })
    next.on('notification', ({ channel, payload }) =>
      channel === LIVE_CHANNEL ? deliver(payload ?? '') : wakeOutbox(),
    )
    next.on('error', (error) => log.warn('live connection lost', describeError(error)))
    next.on('end', () => {
      if (!isClosed && client === next) void reconnect(FIRST_RETRY_DELAY)
    })
    try {
      await next.connect()
      await next.query(`listen ${LIVE_CHANNEL}`)
      await next.query(`listen ${OUTBOX_CHANNEL}`)
    } catch (error) {
      // A standby lets connect, but not listen.
      await next.end().catch(() => {})
      throw error
    }
    client = next
  }

  async function reconnect(wait: number): Promise<void> {
    await new Promise((done) => setTimeout(done, wait).unref())
    if (isClosed) return
    try {
      await connect()
      // What was said meanwhile is lost: everybody looks again.
      for (const listener of listeners) listener.send(RELOAD_ALL, JSON.stringify(RELOAD_ALL))
      wakeOutbox()
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
