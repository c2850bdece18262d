import type { HealthStatus } from '@limber/contract/tech/health/health.ts'
import { SECOND, stopwatch } from '../clock.ts'
import { withoutSecrets } from '../security/scrub.ts'
import type { Services } from '../services.ts'
import { describeError } from './log.ts'

/** The result of a probe. A probe that throws counts as down. */
export interface ProbeResult {
  status: HealthStatus
  /** One sentence. */
  summary: string
  facts?: readonly { label: string; value: string }[]
}

/** Checks one part of the system. Each area registers its own in `area.ts`. */
export interface Probe {
  name: string
  title: string
  /** Milliseconds after which it counts as down. Default: 5 seconds. */
  timeout?: number
  check(services: Services): Promise<ProbeResult>
}

export interface ProbeReading extends ProbeResult {
  name: string
  title: string
  latency: number | null
  facts: readonly { label: string; value: string }[]
}

const DEFAULT_TIMEOUT = 5 * SECOND

function withTimeout(work: Promise<ProbeResult>, timeout: number): Promise<ProbeResult> {
  const late = Promise.withResolvers<never>()
  const message = `No response within ${timeout / SECOND} seconds.`
  const timer = setTimeout(() => late.reject(new Error(message)), timeout)
  timer.unref()
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

async function read(probe: Probe, services: Services): Promise<ProbeReading> {
  const { name, title, timeout = DEFAULT_TIMEOUT } = probe
  const elapsed = stopwatch()
  const latency = () => Math.round(elapsed() * 10) / 10
  try {
    // Wrapped in an async function, so that a probe that throws synchronously also counts as down.
    const { facts = [], ...found } = await withTimeout((async () => probe.check(services))(), timeout)
    return { name, title, facts, ...found, latency: found.status === 'not_connected' ? null : latency() }
  } catch (error) {
    const summary = withoutSecrets(String(describeError(error).reason || 'The check failed.'))
    return { name, title, status: 'down', summary: summary.slice(0, 300), facts: [], latency: latency() }
  }
}

/** Runs all probes in parallel. */
export const readProbes = (probes: readonly Probe[], services: Services): Promise<ProbeReading[]> =>
  Promise.all(probes.map((probe) => read(probe, services)))
