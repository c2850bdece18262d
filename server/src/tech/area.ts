import type { Area } from '#platform/area.ts'
import { withExports } from '#platform/exports/export.ts'
import type { Probe } from '#platform/telemetry/health.ts'
import { eraseErrors } from './errors/erase-error.queries.ts'
import { errorLogRoutes } from './errors/error-log.routes.ts'
import { startFailureGrouping } from './errors/group-failures.ts'
import { techExports } from './exports.ts'
import { databaseProbes } from './health/database.probes.ts'
import { healthRoutes, healthSchedule } from './health/health.routes.ts'
import { outsideProbes } from './health/outside.probes.ts'
import { workProbes } from './health/work.probes.ts'
import { integrationRoutes } from './integrations/integration.routes.ts'
import { techSchedules } from './tech.jobs.ts'

/** System health also runs the probes of other areas. */
export function techArea(others: readonly Probe[]): Area {
  const probes = [...workProbes, ...databaseProbes, ...others, ...outsideProbes]
  return {
    routes: () => withExports([...errorLogRoutes, ...healthRoutes(probes), ...integrationRoutes], techExports),
    schedules: [...techSchedules, healthSchedule(probes)],
    backgroundLoops: [startFailureGrouping],
    onErase: eraseErrors,
  }
}
