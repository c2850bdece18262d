import type { Tracer } from './traces.ts'

/** Work besides requests. */
export type WorkKind = 'job' | 'delivery' | 'webhook'

/** A request that was answered. */
export interface Answered {
  method: string
  /** The path of the call, with parameters by name. */
  route: string
  status: number
  ms: number
}

/** What metrics hear of the work of this process. A process without them has no such object. */
export interface Telemetry {
  answered(request: Answered): void
  /** A connection of the pool was available after this many milliseconds. */
  waitedForConnection(ms: number): void
  /** Runs a piece of work. It has failed when it throws, or when its result is `false`. */
  measure<T>(kind: WorkKind, name: string, work: () => Promise<T>): Promise<T>
}

/** Runs a piece of work, measured and traced if anybody wants to know. `traceparent`: the trace in which it was requested. */
export function measured<T>(
  { telemetry, tracer }: { telemetry: Telemetry | undefined; tracer: Tracer | undefined },
  kind: WorkKind,
  name: string,
  work: () => Promise<T>,
  traceparent?: string | null,
): Promise<T> {
  const run = telemetry ? () => telemetry.measure(kind, name, work) : work
  return tracer ? tracer.run(`${kind} ${name}`, traceparent, run) : run()
}
