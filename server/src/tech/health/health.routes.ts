import { checkHealth, type Health, readHealth } from '@limber/contract/tech/health/health.ts'
import { MINUTE } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { type Actor, runWork } from '#platform/db/work.ts'
import { type Route, serve } from '#platform/http/routes.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'
import type { Services } from '#platform/services.ts'
import { type Probe, readProbes } from '#platform/telemetry/health.ts'
import { deleteOldSamples, findSamples, findStates, saveReadings } from './health.queries.ts'
import { stripOf, stripStart } from './health.rules.ts'

/** Checks run every five minutes, and a run may be late. */
const STALE_AFTER = 12 * MINUTE

const iso = (at: Date | null) => at?.toISOString() ?? null

async function present(db: Db, probes: readonly Probe[], now: Date): Promise<Health> {
  const [states, samples] = await Promise.all([findStates(db), findSamples(db, stripStart(now))])
  const byName = new Map(states.map((state) => [state.probe, state]))
  const checks = probes.flatMap(({ name, title }) => {
    const state = byName.get(name)
    if (!state) return []
    const { status, summary, facts, latency, last_error, last_error_at } = state
    return {
      name,
      title,
      status,
      summary,
      facts,
      latency,
      since: state.since.toISOString(),
      checkedAt: state.checked_at.toISOString(),
      lastError: last_error !== null && last_error_at ? { at: last_error_at.toISOString(), text: last_error } : null,
      history: stripOf(samples.get(name) ?? [], now),
    }
  })
  const newest = states.reduce<Date | null>((at, { checked_at }) => (at && at > checked_at ? at : checked_at), null)
  return { checks, checkedAt: iso(newest), isStale: newest === null || now.getTime() - newest.getTime() > STALE_AFTER }
}

/** Runs all probes, saves the results and publishes a live update. */
async function checkNow(services: Services, probes: readonly Probe[], actor: Actor, isManual = false) {
  // Outside a transaction, because a probe can take seconds.
  const readings = await readProbes(probes, services)
  await runWork(services, actor, async ({ db, now, publish, audit }) => {
    await saveReadings(db, readings, now)
    const after = Object.fromEntries(readings.map(({ name, status }) => [name, status]))
    if (isManual) audit({ action: 'health_checked', subject: 'health', after })
    publish('health')
  })
  return readings
}

export const healthRoutes = (probes: readonly Probe[]): Route[] => [
  serve(readHealth, ({ db, now }) => present(db, probes, now)),
  serve(
    checkHealth,
    async ({ services, worker, request, db }) => {
      const actor = {
        call: `${checkHealth.method} ${checkHealth.path}`,
        workerId: worker.workerId,
        workerName: worker.name,
        address: request.address,
        requestId: request.id,
      }
      await checkNow(services, probes, actor, true)
      return present(db, probes, services.clock.now())
    },
    { transaction: 'none' },
  ),
]

export const healthSchedule = (probes: readonly Probe[]): Schedule => ({
  name: 'health',
  title: 'Check system health',
  cron: '*/5 * * * *',
  zone: 'UTC',
  async run(services) {
    const readings = await checkNow(services, probes, { call: 'schedule health' })
    await deleteOldSamples(
      services.db,
      stripStart(services.clock.now()),
      probes.map(({ name }) => name),
    )
    const troubled = readings.filter(({ status }) => status === 'warning' || status === 'down')
    return { looked: readings.length, troubled: troubled.map(({ name }) => name).join(', ') || 'none' }
  },
})
