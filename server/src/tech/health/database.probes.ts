import { formatMoment } from '@limber/contract/kit/formats/dates.ts'
import { formatBytes, formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { MINUTE, SECOND, stopwatch } from '#platform/clock.ts'
import type { Probe, ProbeResult } from '#platform/telemetry/health.ts'
import { durationText } from './duration.rules.ts'
import {
  pingDatabase,
  readChain,
  readDatabase,
  readEventBacklog,
  readLargestTables,
  readReplicas,
} from './probe.queries.ts'
import { waitingTime } from './waiting-time.ts'

const SLOW_MS = 250
const MAX_CONNECTION_SHARE = 0.8
const TABLES_SHOWN = 5

const database: Probe = {
  name: 'database',
  title: 'Database',
  async check({ db }) {
    const elapsed = stopwatch()
    await pingDatabase(db)
    const pulse = elapsed()
    const [{ version, size, used, max, waiting }, tables] = await Promise.all([
      readDatabase(db),
      readLargestTables(db, TABLES_SHOWN),
    ])
    const isSlow = pulse > SLOW_MS
    const isCrowded = used > max * MAX_CONNECTION_SHARE
    const summary = isCrowded
      ? `${used} of ${max} connections are in use.`
      : isSlow
        ? `Slow response: ${Math.round(pulse)} ms.`
        : `Responds in ${pulse < 10 ? pulse.toFixed(1) : Math.round(pulse)} ms.`
    return {
      status: isSlow || isCrowded ? 'warning' : 'ok',
      summary,
      facts: [
        { label: 'PostgreSQL', value: version },
        { label: 'Size', value: formatBytes(size) },
        { label: 'Connections', value: `${used} of ${max}` },
        { label: 'Waiting for locks', value: formatInteger(waiting) },
        {
          label: 'Largest tables',
          value: tables.map((table) => `${table.name} ${formatBytes(table.size)}`).join(', '),
        },
      ],
    }
  },
}

const MAX_LAG_SECONDS = 30

const replication: Probe = {
  name: 'replication',
  title: 'Replica',
  async check({ db }): Promise<ProbeResult> {
    const replicas = await readReplicas(db)
    if (replicas.length === 0) return { status: 'not_connected', summary: 'No replica is connected.' }
    const late = replicas.filter(({ seconds, state }) => (seconds ?? 0) > MAX_LAG_SECONDS || state !== 'streaming')
    return {
      status: late.length > 0 ? 'warning' : 'ok',
      summary:
        late.length > 0 ? `${late[0]?.name} is lagging.` : `${pluralize(replicas.length, 'replica')} up to date.`,
      facts: replicas.map(({ name, state, bytes, seconds }) => ({
        label: name,
        value: `${state}, ${formatBytes(bytes ?? 0)} and ${durationText((seconds ?? 0) * SECOND)} behind`,
      })),
    }
  },
}

const MAX_UNSEALED = 5 * MINUTE

const auditChain: Probe = {
  name: 'audit-chain',
  title: 'Audit log',
  async check({ db, clock }) {
    const { sealed_to, sealed_at, waiting, oldest } = await readChain(db)
    const age = waitingTime(clock.now(), oldest)
    const isLate = age > MAX_UNSEALED
    return {
      status: isLate ? 'warning' : 'ok',
      summary: isLate
        ? `Rows have been waiting ${durationText(age)} to be sealed.`
        : sealed_to === null
          ? 'No rows have been sealed yet.'
          : `Sealed up to row ${sealed_to}.`,
      facts: [
        { label: 'Last sealed', value: sealed_at ? formatMoment(sealed_at) : 'never' },
        { label: 'Waiting', value: formatInteger(waiting) },
      ],
    }
  },
}

const MAX_BACKLOG = 5_000

const events: Probe = {
  name: 'events',
  title: 'Usage events',
  async check({ db, events: recorder }) {
    const { waiting, problem } = recorder.backlog()
    const { unrolled, unfiled } = await readEventBacklog(db)
    const isBehind = waiting > MAX_BACKLOG || unrolled > MAX_BACKLOG / 10 || unfiled > MAX_BACKLOG
    return {
      status: problem || isBehind ? 'warning' : 'ok',
      summary: problem
        ? 'The last batch of events could not be saved. It will be retried.'
        : isBehind
          ? 'Events arrive faster than they are processed.'
          : 'Events are saved and counted as they arrive.',
      facts: [
        { label: 'Waiting to be saved', value: formatInteger(waiting) },
        { label: 'Batches to count', value: formatInteger(unrolled) },
        { label: 'Failures to group', value: formatInteger(unfiled) },
      ],
    }
  },
}

/** The database, and what is written to it in the background. */
export const databaseProbes: readonly Probe[] = [database, replication, auditChain, events]
