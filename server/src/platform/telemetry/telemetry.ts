import type { Services } from '../services.ts'

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
  { telemetry }: Pick<Services, 'telemetry'>,
  kind: WorkKind,
  name: string,
  work: () => Promise<T>,
): Promise<T> => (telemetry ? telemetry.measure(kind, name, work) : work())

/** One measurement of a gauge. */
export interface Reading {
  name: string
  value: number
  labels?: Record<string, string>
}

/**
 * Gauges that are read together, at each scrape. Each area registers its own in `area.ts`. A statement must stay cheap with
 * a million rows: it reads kept figures, the end of an index, or a bounded number of rows.
 */
export interface Gauges {
  name: string
  /** What each gauge says, by its name. */
  help: Readonly<Record<string, string>>
  labels?: readonly string[]
  read(services: Services): Promise<readonly Reading[]>
}
