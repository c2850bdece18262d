import type { HealthStatus } from '@limber/contract/tech/health/health.ts'
import { SECOND, stopwatch } from '../clock.ts'
import { withoutSecrets } from '../security/scrub.ts'
import type { Services } from '../services.ts'
import { describeError } from './log.ts'

/** What a probe found. A probe that throws found its part down. */
export interface ProbeResult {
  status: HealthStatus
  /** One sentence. */
  summary: string
  facts?: readonly { label: string; value: string }[]
}

/** Tries one part of the system for real. Each area hangs its own into the list in app.ts. */
export interface Probe {
  name: string
  title: string
  /** Milliseconds after which it counts as down; 5 seconds unless told. */
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
  const words = `No response within ${timeout / SECOND} seconds.`
  const timer = setTimeout(() => late.reject(new Error(words)), timeout)
  timer.unref()
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

async function read(probe: Probe, services: Services): Promise<ProbeReading> {
  const { name, title, timeout = DEFAULT_TIMEOUT } = probe
  const elapsed = stopwatch()
  const latency = () => Math.round(elapsed() * 10) / 10
  try {
    // In a function of its own: a probe that throws at once is down like one that throws later.
    const { facts = [], ...found } = await withTimeout((async () => probe.check(services))(), timeout)
    return { name, title, facts, ...found, latency: found.status === 'not_connected' ? null : latency() }
  } catch (error) {
    const summary = withoutSecrets(String(describeError(error).reason || 'The check failed.'))
    return { name, title, status: 'down', summary: summary.slice(0, 300), facts: [], latency: latency() }
  }
}

/** Looks at everything at once; one that hangs holds nobody else up. */
export const readProbes = (probes: readonly Probe[], services: Services): Promise<ProbeReading[]> =>
  Promise.all(probes.map((probe) => read(probe, services)))
