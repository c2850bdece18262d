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

/** What metrics and traces hear of the work of this process. A process with neither has no such object. */
export interface Telemetry {
  answered(request: Answered): void
  /** A connection of the pool was available after this many milliseconds. */
  waitedForConnection(ms: number): void
  /** Runs a piece of work. It has failed when it throws, or when its result is `false`. */
  measure<T>(kind: WorkKind, name: string, work: () => Promise<T>): Promise<T>
}

/** Runs a piece of work, measured if anybody wants to know. */
export const measured = <T>(
  { telemetry }: { telemetry: Telemetry | undefined },
  kind: WorkKind,
  name: string,
  work: () => Promise<T>,
): Promise<T> => (telemetry ? telemetry.measure(kind, name, work) : work())
