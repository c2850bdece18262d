import { monitorEventLoopDelay } from 'node:perf_hooks'
import { formatBytes, formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { MINUTE } from '#platform/clock.ts'
import type { Probe, ProbeResult } from '#platform/telemetry/health.ts'
import { version } from '#platform/version.ts'
import { durationText } from './duration.rules.ts'
import { findEnabledSchedules, readOutbox, readQueue } from './probe.queries.ts'
import { waitingTime } from './waiting-time.ts'

const MAX_LOOP_DELAY_MS = 200
let delay: ReturnType<typeof monitorEventLoopDelay> | undefined

/** The p99 event loop delay in milliseconds since the last call; 0 on the first call. */
function readLoopDelay(): number {
  if (!delay) {
    delay = monitorEventLoopDelay({ resolution: 20 })
    delay.enable()
    return 0
  }
  // The histogram counts nanoseconds.
  const late = delay.percentile(99) / 1e6
  delay.reset()
  return late
}

const app: Probe = {
  name: 'app',
  title: 'Server process',
  async check({ pool, log }): Promise<ProbeResult> {
    const late = readLoopDelay()
    const isSluggish = late > MAX_LOOP_DELAY_MS
    const loss = log.loss()
    return {
      status: isSluggish || loss ? 'warning' : 'ok',
      summary: loss
        ? `The log cannot be written. ${pluralize(loss.lost, 'line')} lost: ${loss.reason}`
        : isSluggish
          ? `Slow process: calls waited up to ${Math.round(late)} ms.`
          : `Limber ${version()}, up for ${durationText(process.uptime() * 1000)}.`,
      facts: [
        { label: 'Version', value: version() },
        { label: 'Uptime', value: durationText(process.uptime() * 1000) },
        { label: 'Node', value: process.version },
        { label: 'Memory', value: formatBytes(process.memoryUsage.rss()) },
        { label: 'Event loop, p99', value: `${Math.round(late)} ms` },
        { label: 'Database connections', value: `${pool.totalCount - pool.idleCount} of ${pool.options.max} in use` },
      ],
    }
  },
}

const LATE = 5 * MINUTE
const VERY_LATE = 30 * MINUTE

const queue: Probe = {
  name: 'queue',
  title: 'Background jobs',
  async check({ db, clock }): Promise<ProbeResult> {
    const now = clock.now()
    const found = await readQueue(db, now)
    if (!found) return { status: 'not_connected', summary: 'No background jobs have run yet.' }
    const age = waitingTime(now, found.oldest)
    return {
      status: age > VERY_LATE ? 'down' : age > LATE ? 'warning' : 'ok',
      summary:
        age > LATE
          ? `The oldest job has been waiting for ${durationText(age)}.`
          : `${pluralize(found.due, 'job')} waiting.`,
      facts: [
        { label: 'Waiting', value: formatInteger(found.due) },
        { label: 'Oldest waiting', value: found.oldest ? durationText(age) : 'none' },
        { label: 'Running', value: formatInteger(found.active) },
        { label: 'Failed, last 24 hours', value: formatInteger(found.failed) },
      ],
    }
  },
}

const schedules: Probe = {
  name: 'schedules',
  title: 'Schedules',
  async check({ db, clock }): Promise<ProbeResult> {
    const now = clock.now()
    const all = await findEnabledSchedules(db)
    if (all.length === 0) return { status: 'not_connected', summary: 'No schedules are registered yet.' }
    const overdue = all.filter((row) => waitingTime(now, row.next_run_at) > LATE)
    const failed = all.filter((row) => row.is_failed)
    const summary =
      overdue.length > 0
        ? `${pluralize(overdue.length, 'schedule')} overdue. The scheduler is not running.`
        : failed.length > 0
          ? `${pluralize(failed.length, 'schedule')} failed on the last run.`
          : `All ${all.length} schedules succeeded on their last run.`
    return {
      status: overdue.length > 0 ? 'down' : failed.length > 0 ? 'warning' : 'ok',
      summary,
      facts: [
        { label: 'Active', value: formatInteger(all.length) },
        ...(failed.length > 0 ? [{ label: 'Failed', value: failed.map((row) => row.title).join(', ') }] : []),
        ...(overdue.length > 0 ? [{ label: 'Overdue', value: overdue.map((row) => row.title).join(', ') }] : []),
      ],
    }
  },
}

const deliveries: Probe = {
  name: 'deliveries',
  title: 'Deliveries',
  async check({ db, clock, channels }) {
    const now = clock.now()
    const { waiting, retrying, dead, oldest } = await readOutbox(db, now, [...channels])
    const age = waitingTime(now, oldest)
    const isLate = age > LATE
    return {
      status: dead > 0 || isLate ? 'warning' : 'ok',
      summary:
        dead > 0
          ? `${pluralize(dead, 'delivery', 'deliveries')} failed.`
          : isLate
            ? `The oldest delivery has been waiting for ${durationText(age)}.`
            : 'All due deliveries have been sent.',
      facts: [
        { label: 'Waiting', value: formatInteger(waiting) },
        { label: 'Retrying', value: formatInteger(retrying) },
        { label: 'Failed', value: formatInteger(dead) },
        { label: 'Oldest due', value: oldest ? durationText(age) : 'none' },
      ],
    }
  },
}

/** The server process and its background work. */
export const workProbes: readonly Probe[] = [app, queue, schedules, deliveries]
