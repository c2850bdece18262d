import { randomFillSync } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { SECOND, systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { version } from '../version.ts'
import { describeError, type Log } from './log.ts'
import { type SpanContext, traceContext } from './trace-context.ts'

// Import this file where it is used: a process without traces must not load it.

/** What OpenTelemetry calls a kind. */
const KINDS = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const
const FAILED = 2
const SEND_EVERY = 2 * SECOND
const SEND_WITHIN = 5 * SECOND
const BATCH = 512
/** More spans than this wait for a collector that is down; later ones are dropped. */
const MAX_WAITING = 8_192
/** Longer statements are cut. */
const MAX_TEXT = 2_000
/** Statements whose description is kept. */
const MAX_STATEMENTS = 1_000

export interface Span extends SpanContext {
  parentId: string | undefined
  name: string
  kind: keyof typeof KINDS
  /** Of this process's stopwatch, in milliseconds. */
  from: number
  to: number
  /** As OTLP's JSON, with a comma in front of each. */
  attributes: string
  error: string | undefined
}

export type Tracer = ReturnType<typeof makeTracer>

const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The sender's trace, and whether it is recorded. */
export function readTraceparent(header: unknown): (SpanContext & { isSampled: boolean }) | undefined {
  const [, traceId, spanId, flags] = traceparentPattern.exec(typeof header === 'string' ? header : '') ?? []
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags ?? '0', 16) & 1) === 1 }
}

const noise = Buffer.alloc(4_096)
let noiseUsed = noise.length

/** Random digits, which are drawn for many ids at once. */
function makeId(bytes: number): string {
  if (noiseUsed + bytes > noise.length) {
    randomFillSync(noise)
    noiseUsed = 0
  }
  noiseUsed += bytes
  return noise.toString('hex', noiseUsed - bytes, noiseUsed)
}

const textAttribute = (key: string, value: string) =>
  `,{"key":"${key}","value":{"stringValue":${JSON.stringify(value)}}}`
const integerAttribute = (key: string, value: number) => `,{"key":"${key}","value":{"intValue":"${value}"}}`

interface Described {
  name: string
  attributes: string
}
const statements = new Map<string, Described>()

/** Values are parameters, so the text of a statement names no person. */
function describeStatement(text: string): Described {
  const known = statements.get(text)
  if (known) return known
  const operation = /\b(select|insert|update|delete|begin|commit|rollback|copy|with)\b/i.exec(text)?.[1] ?? 'query'
  const described = {
    name: operation.toLowerCase(),
    attributes: textAttribute('db.system.name', 'postgresql') + textAttribute('db.query.text', text.slice(0, MAX_TEXT)),
  }
  if (statements.size < MAX_STATEMENTS) statements.set(text, described)
  return described
}

/** Sends spans to an OpenTelemetry collector: OTLP over HTTP, as JSON. */
export function makeTracer(settings: NonNullable<Config['traces']>, log: Log) {
  const waiting: Span[] = []
  let dropped = 0
  let sending: Promise<void> | undefined
  function start(name: string, kind: Span['kind'], parent: SpanContext | undefined, attributes = ''): Span {
    return {
      traceId: parent?.traceId ?? makeId(16),
      spanId: makeId(8),
      parentId: parent?.spanId,
      name,
      kind,
      from: performance.now(),
      to: 0,
      attributes,
      error: undefined,
    }
  }

  function end(span: Span, failure?: unknown) {
    span.to = performance.now()
    // A message may quote what a person wrote; its kind does not.
    if (failure !== undefined) span.error = failure instanceof Error ? failure.name : 'failed'
    if (waiting.length >= MAX_WAITING) dropped += 1
    else waiting.push(span)
    if (waiting.length >= BATCH) void flush()
  }

  async function record<T>(span: Span, work: () => Promise<T>): Promise<T> {
    try {
      const result = await traceContext.run(span, work)
      end(span)
      return result
    } catch (error) {
      end(span, error)
      throw error
    }
  }

  const isChosen = () => Math.random() < settings.ratio

  async function send(spans: readonly Span[]) {
    const reply = await fetch(settings.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...settings.headers },
      body: printOtlp(spans, settings.serviceName),
      signal: AbortSignal.timeout(SEND_WITHIN),
    })
    await reply.arrayBuffer()
    if (!reply.ok) throw new Error(`The collector answered ${reply.status}.`)
  }

  function flush(): Promise<void> {
    if (waiting.length === 0) return sending ?? Promise.resolve()
    sending ??= send(waiting.splice(0, BATCH))
      .catch((error) => log.warn('traces were not sent', { ...describeError(error), count: dropped }))
      .finally(() => {
        sending = undefined
      })
    return sending
  }
  const timer = setInterval(() => void flush(), SEND_EVERY)
  timer.unref()

  return {
    /** Begins the trace of a request, or continues the caller's. Null if it is not recorded. */
    begin({
      headers,
      method,
      routeOptions,
      id,
    }: Pick<FastifyRequest, 'headers' | 'id' | 'method' | 'routeOptions'>): Span | null {
      const caller = readTraceparent(headers.traceparent)
      if (caller ? !caller.isSampled : !isChosen()) return null
      const route = routeOptions.url ?? 'unknown'
      const attributes =
        textAttribute('http.request.method', method) +
        textAttribute('http.route', route) +
        textAttribute('limber.request_id', id)
      return start(`${method} ${route}`, 'server', caller, attributes)
    },
    /** Ends the trace of a request. */
    answered(span: Span, status: number) {
      span.attributes += integerAttribute('http.response.status_code', status)
      end(span, status >= 500 ? 'failed' : undefined)
    },
    /** Runs a part of a request in its trace. */
    part: <T>(request: Span, name: string, work: () => Promise<T>) => record(start(name, 'internal', request), work),
    /** Runs work that begins a trace of its own, or continues the one in which it was requested. */
    run<T>(name: string, traceparent: string | null | undefined, work: () => Promise<T>) {
      const caller = readTraceparent(traceparent)
      if (caller ? !caller.isSampled : !isChosen()) return traceContext.exit(work)
      return record(start(name, 'consumer', caller), work)
    },
    /** Records the statements of the traces under way. */
    statements: {
      start(text: string): Span | undefined {
        const parent = traceContext.getStore()
        if (!parent) return undefined
        const { name, attributes } = describeStatement(text)
        return start(name, 'client', parent, attributes)
      },
      end,
    },
    async close() {
      clearInterval(timer)
      await sending
      while (waiting.length > 0) await flush()
    },
  }
}

// Spans need more than the milliseconds of the clock, and must never go backwards.
const began = systemClock.now().getTime() - performance.now()
/** Nanoseconds since 1970, to the microsecond. */
const printTime = (ms: number) => `${Math.round((began + ms) * 1_000)}000`

/** OTLP's JSON: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
function printOtlp(spans: readonly Span[], serviceName: string): string {
  const service = textAttribute('service.name', serviceName) + textAttribute('service.version', version())
  const printed = spans.map(
    ({ traceId, spanId, parentId, name, kind, from, to, attributes, error }) =>
      `{"traceId":"${traceId}","spanId":"${spanId}",${parentId ? `"parentSpanId":"${parentId}",` : ''}"name":${JSON.stringify(name)},` +
      `"kind":${KINDS[kind]},"startTimeUnixNano":"${printTime(from)}","endTimeUnixNano":"${printTime(to)}",` +
      `"attributes":[${attributes.slice(1)}],"status":${error ? `{"code":${FAILED},"message":${JSON.stringify(error)}}` : '{}'}}`,
  )
  return `{"resourceSpans":[{"resource":{"attributes":[${service.slice(1)}]},"scopeSpans":[{"scope":{"name":"limber"},"spans":[${printed}]}]}]}`
}
