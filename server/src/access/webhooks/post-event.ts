import { lookup } from 'node:dns'
import { type AgentOptions, Agent as HttpAgent, request as httpRequest } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import { SECOND, stopwatch } from '#platform/clock.ts'
import { traceHeader } from '#platform/telemetry/trace-context.ts'
import { isInternalAddress, literalAddress } from './address.ts'

export const TIMEOUT = 15 * SECOND
/** Connections to one endpoint. */
export const CONNECTIONS = 32
const MAX_REPLY_BYTES = 64 * 1024
const KEPT_REPLY = 2000

export interface PostResult {
  status: number | null
  durationMs: number
  /** `timeout`, `blocked_address`, or the code of the connection's error. */
  error: string | null
  /** Status line, content type and the beginning of the body. */
  reply: string | null
}

export interface Poster {
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<PostResult>
  close(): void
}

class BlockedAddressError extends Error {
  readonly code = 'blocked_address'
}

/**
 * Resolves a name for one connection. The socket connects to exactly the addresses that were checked here, so a name
 * cannot change its address in between.
 */
const checkedLookup =
  (resolveAll: typeof lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolveAll(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '')
      const [first] = addresses
      if (!first || addresses.some(({ address }) => isInternalAddress(address)))
        return callback(new BlockedAddressError(`${hostname} is an internal address`), '')
      if (options.all) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }

/** Sends events over kept connections. It follows no redirects: they are failures. */
export function makePoster({
  allowPrivate,
  needsHttps,
  timeout = TIMEOUT,
  resolveAll = lookup,
}: {
  allowPrivate: boolean
  needsHttps: boolean
  timeout?: number
  /** Looks names up. */
  resolveAll?: typeof lookup
}): Poster {
  // No limit of connections here: endpoints at the same host would wait for one that hangs.
  const options: AgentOptions = { keepAlive: true, maxFreeSockets: CONNECTIONS, scheduling: 'lifo' }
  const pinned = { ...options, ...(!allowPrivate && { lookup: checkedLookup(resolveAll) }) }
  const http = new HttpAgent(pinned)
  // Loaded with the first event: the TLS modules would delay the start of the server.
  const lazyHttps = () => process.getBuiltinModule('node:https')
  let https: HttpsAgent | undefined

  function post(text: string, headers: Readonly<Record<string, string>>, body: string): Promise<PostResult> {
    const elapsed = stopwatch()
    const { promise, resolve } = Promise.withResolvers<PostResult>()
    const settle = (result: Partial<PostResult>) =>
      resolve({ status: null, error: null, reply: null, ...result, durationMs: Math.round(elapsed()) })
    const url = new URL(text)
    const literal = literalAddress(url)
    const isBlocked = !allowPrivate && literal !== undefined && isInternalAddress(literal)
    if (isBlocked || (needsHttps && url.protocol !== 'https:')) {
      settle({ error: isBlocked ? 'blocked_address' : 'https_required' })
      return promise
    }
    const isHttps = url.protocol === 'https:'
    if (isHttps) https ??= new (lazyHttps().Agent)(pinned)
    const sent = (isHttps ? lazyHttps().request : httpRequest)(url, {
      method: 'POST',
      agent: isHttps ? https : http,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Limber-Webhooks/1',
        ...traceHeader(),
        ...headers,
      },
    })
    const timer = setTimeout(() => {
      settle({ error: 'timeout' })
      sent.destroy()
    }, timeout)
    sent.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      settle({ error: error.code ?? 'connection_failed' })
    })
    sent.once('response', (reply) => {
      const parts: Buffer[] = []
      let size = 0
      const { statusCode: status = 0, statusMessage = '' } = reply
      const finish = () => {
        clearTimeout(timer)
        const type = reply.headers['content-type']
        const start = Buffer.concat(parts).toString('utf8').slice(0, KEPT_REPLY)
        const printed = `${status} ${statusMessage}\n${type ? `content-type: ${type}\n` : ''}\n${start}`
        settle({ status, reply: printed.replaceAll('\0', '\uFFFD') })
      }
      reply.on('data', (part: Buffer) => {
        size += part.length
        if (size <= MAX_REPLY_BYTES) return void parts.push(part)
        finish()
        sent.destroy()
      })
      reply.once('end', finish)
      reply.once('error', finish)
    })
    sent.end(body)
    return promise
  }
  return {
    post,
    close() {
      http.destroy()
      https?.destroy()
    },
  }
}
