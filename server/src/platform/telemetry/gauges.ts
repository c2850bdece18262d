import type { Services } from '../services.ts'

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
