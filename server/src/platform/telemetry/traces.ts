import { randomBytes } from 'node:crypto'
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

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface Span extends SpanContext {
  parentId: string | undefined
  name: string
  kind: keyof typeof KINDS
  /** Nanoseconds since 1970. */
  from: bigint
  to: bigint
  attributes: Attributes
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

/** Sends spans to an OpenTelemetry collector: OTLP over HTTP, as JSON. */
export function makeTracer(settings: NonNullable<Config['traces']>, log: Log) {
  const waiting: Span[] = []
  let dropped = 0
  let sending: Promise<void> | undefined
  // Spans need more than the milliseconds of the clock, and must never go backwards.
  const began = systemClock.now().getTime() - performance.now()
  const now = () => BigInt(Math.round((began + performance.now()) * 1e6))

  function start(name: string, kind: Span['kind'], parent: SpanContext | undefined, attributes: Attributes): Span {
    return {
      traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      parentId: parent?.spanId,
      name,
      kind,
      from: now(),
      to: 0n,
      attributes,
      error: undefined,
    }
  }

  function end(span: Span, failure?: unknown, more: Attributes = {}) {
    span.to = now()
    span.attributes = { ...span.attributes, ...more }
    // A message may quote what a person wrote; its kind does not.
    if (failure !== undefined) span.error = failure instanceof Error ? failure.name : 'failed'
    if (waiting.length >= MAX_WAITING) dropped += 1
    else waiting.push(span)
    if (waiting.length >= BATCH) void flush()
  }

  /** Runs work as a part of the trace under way. Without one, nothing is recorded. */
  async function within<T>(
    name: string,
    kind: Span['kind'],
    attributes: Attributes,
    work: () => Promise<T>,
  ): Promise<T> {
    const parent = traceContext.getStore()
    return parent ? record(start(name, kind, parent, attributes), work) : work()
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
      body: JSON.stringify(toOtlp(spans, settings.serviceName)),
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
    within,
    /** Begins the trace of a request, or continues the caller's. Undefined if it is not recorded. */
    begin(name: string, traceparent: unknown, attributes: Attributes): Span | undefined {
      const caller = readTraceparent(traceparent)
      return (caller ? caller.isSampled : isChosen()) ? start(name, 'server', caller, attributes) : undefined
    },
    /** Runs a part of a request in its trace. */
    enter: <T>(span: Span, run: () => T): T => traceContext.run(span, run),
    end,
    /** Runs work that begins a trace of its own, or continues the one in which it was requested. */
    run<T>(name: string, traceparent: string | null | undefined, attributes: Attributes, work: () => Promise<T>) {
      const caller = readTraceparent(traceparent)
      if (caller ? !caller.isSampled : !isChosen()) return traceContext.exit(work)
      return record(start(name, 'consumer', caller, attributes), work)
    },
    /** Records one statement. Values are parameters, so its text names no person. */
    statement<T>(text: string, work: () => Promise<T>): Promise<T> {
      if (!traceContext.getStore()) return work()
      const operation = /\b(select|insert|update|delete|begin|commit|rollback|copy|with)\b/i.exec(text)?.[1] ?? 'query'
      const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, MAX_TEXT) }
      return within(operation.toLowerCase(), 'client', attributes, work)
    },
    async close() {
      clearInterval(timer)
      await sending
      await flush()
    },
  }
}

/** OTLP's JSON: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
function toOtlp(spans: readonly Span[], serviceName: string) {
  const attributesOf = (given: Attributes) =>
    Object.entries(given).flatMap(([key, value]) =>
      value === undefined
        ? []
        : {
            key,
            value:
              typeof value === 'number'
                ? { doubleValue: value }
                : typeof value === 'boolean'
                  ? { boolValue: value }
                  : { stringValue: value },
          },
    )
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': serviceName, 'service.version': version() }) },
        scopeSpans: [
          {
            scope: { name: 'limber' },
            spans: spans.map(({ traceId, spanId, parentId, name, kind, from, to, attributes, error }) => ({
              traceId,
              spanId,
              ...(parentId && { parentSpanId: parentId }),
              name,
              kind: KINDS[kind],
              startTimeUnixNano: String(from),
              endTimeUnixNano: String(to),
              attributes: attributesOf(attributes),
              status: error ? { code: FAILED, message: error } : {},
            })),
          },
        ],
      },
    ],
  }
}
