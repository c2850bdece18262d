import { AsyncLocalStorage } from 'node:async_hooks'

/** Where a span belongs. */
export interface SpanContext {
  traceId: string
  spanId: string
}

/** The span under way, if a trace is recorded. */
export const traceContext = new AsyncLocalStorage<SpanContext>()

/** The header `traceparent` for what this work causes elsewhere or later, while a trace is recorded. */
export function currentTraceparent(): string | undefined {
  const span = traceContext.getStore()
  return span && `00-${span.traceId}-${span.spanId}-01`
}

/** The same as a header. */
export function traceHeader(): { traceparent?: string } {
  const traceparent = currentTraceparent()
  return traceparent ? { traceparent } : {}
}
