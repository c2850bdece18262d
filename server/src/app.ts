import { calls } from '@limber/contract/calls.ts'
import { accessSchedules } from '#access/access.jobs.ts'
import { accessRoutes } from '#access/access.routes.ts'
import { makeSessionFinder } from '#access/sessions/session.queries.ts'
import { analyticsSchedules } from '#analytics/analytics.jobs.ts'
import { analyticsRoutes } from '#analytics/analytics.routes.ts'
import { keepRolling } from '#analytics/rollups/roll-events.ts'
import { automationSchedules } from '#automation/automation.jobs.ts'
import { scheduleRoutes } from '#automation/schedule.routes.ts'
import { backupProbe } from '#backups/backup.probe.ts'
import { backupRoutes } from '#backups/backup.routes.ts'
import { backupJobs, backupSchedules } from '#backups/backups.jobs.ts'
import { BACKUPS_TOPIC } from '#backups/run-backup.ts'
import { businessesRoutes } from '#businesses/businesses.routes.ts'
import { rezoneJob } from '#businesses/zones/rezone.ts'
import { certificationSchedules } from '#certifications/certifications.jobs.ts'
import { certificationsRoutes } from '#certifications/certifications.routes.ts'
import { keepFigures } from '#growth/figures/keep-figures.ts'
import { growthSchedules } from '#growth/growth.jobs.ts'
import { growthRoutes } from '#growth/growth.routes.ts'
import { GROWTH_TOPIC } from '#growth/topic.ts'
import { marketingRoutes } from '#marketing/marketing.routes.ts'
import { marketingJobs, marketingSchedules } from '#marketing/meta/fetch-meta-lead.ts'
import { adsProbe } from '#marketing/meta/meta.probe.ts'
import { adChannel } from '#marketing/meta/push-campaign.ts'
import { CAMPAIGNS_TOPIC, LEADS_TOPIC } from '#marketing/topic.ts'
import { payrollSchedules } from '#payroll/payroll.jobs.ts'
import { payrollRoutes } from '#payroll/payroll.routes.ts'
import { taxTablesProbe } from '#payroll/tax/tax-tables.probe.ts'
import { extendAuditChain } from '#platform/audit/audit-chain.ts'
import { DAY, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { forgetOldKeys } from '#platform/http/idempotency.ts'
import { metaRoutes } from '#platform/http/meta.routes.ts'
import type { Route } from '#platform/http/routes.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'
import type { LiveTopics } from '#platform/live/live.ts'
import type { Channels } from '#platform/outbox/outbox.ts'
import { forgetOldTries } from '#platform/security/limits.ts'
import type { Services } from '#platform/services.ts'
import { prepareEventDays } from '#platform/telemetry/events.ts'
import type { Probe } from '#platform/telemetry/health.ts'
import { stretchersRoutes } from '#stretchers/stretchers.routes.ts'
import { supportJobs, supportSchedules } from '#support/support.jobs.ts'
import { supportRoutes } from '#support/support.routes.ts'
import { makeTextDelivery } from '#support/texts/deliver-text.ts'
import {
  CUSTOMERS_TOPIC,
  NOTIFICATIONS_TOPIC,
  PRESENCE_TOPIC,
  SAVED_REPLIES_TOPIC,
  SUGGESTIONS_TOPIC,
  TEXTS_TOPIC,
  TICKETS_TOPIC,
} from '#support/topic.ts'
import { errorLogRoutes } from '#tech/errors/error-log.routes.ts'
import { keepFiling } from '#tech/errors/file-failures.ts'
import { databaseProbes } from '#tech/health/database.probes.ts'
import { healthRoutes, healthSchedule } from '#tech/health/health.routes.ts'
import { outsideProbes } from '#tech/health/outside.probes.ts'
import { workProbes } from '#tech/health/work.probes.ts'
import { integrationRoutes } from '#tech/integrations/integration.routes.ts'
import { techSchedules } from '#tech/tech.jobs.ts'
import { enrolInRequiredCourses, findTrainingProgress } from '#training/public.ts'
import { TRAINING_TOPIC } from '#training/topic.ts'
import { trainingJobs, trainingSchedules } from '#training/training.jobs.ts'
import { trainingRoutes } from '#training/training.routes.ts'
import '#access/tables.ts'
import '#analytics/tables.ts'
import '#backups/tables.ts'
import '#businesses/tables.ts'
import '#certifications/tables.ts'
import '#marketing/tables.ts'
import '#growth/tables.ts'
import '#payroll/tables.ts'
import '#platform/db/tables.ts'
import '#stretchers/tables.ts'
import '#support/tables.ts'
import '#training/tables.ts'
import '#tech/tables.ts'

/** What System health looks at, in its order: an area adds its own probe with one line. */
const probes: readonly Probe[] = [
  ...workProbes,
  ...databaseProbes,
  backupProbe,
  taxTablesProbe,
  ...outsideProbes,
  adsProbe,
]

/** Every route of the product: the only place that knows all areas. */
export function allRoutes(db: Db): { routes: Route[]; sessions: ReturnType<typeof makeSessionFinder> } {
  const sessions = makeSessionFinder(db)
  return {
    sessions,
    routes: [
      ...metaRoutes(calls, sessions),
      ...accessRoutes,
      ...analyticsRoutes(),
      ...scheduleRoutes,
      ...backupRoutes,
      ...payrollRoutes,
      ...businessesRoutes,
      ...certificationsRoutes,
      ...stretchersRoutes({ enrol: enrolInRequiredCourses, findProgress: findTrainingProgress }),
      ...trainingRoutes,
      ...supportRoutes,
      ...marketingRoutes,
      ...growthRoutes,
      ...errorLogRoutes,
      ...healthRoutes(probes),
      ...integrationRoutes,
    ],
  }
}

/** Work that can be queued. */
export const jobs: readonly Job[] = [rezoneJob, ...backupJobs, ...trainingJobs, ...supportJobs, ...marketingJobs]

/** Channels of the outbox that need to know more than their message. */
export const areaChannels = (services: Services): Channels => ({
  ...(services.texts && { text: makeTextDelivery(services, services.texts) }),
  ...adChannel(services),
})

/** Work that never rests; it is begun beside the schedules and closed before the pool. */
export const keepers: readonly ((services: Services) => { close(): Promise<void> })[] = [
  keepRolling,
  keepFiling,
  keepFigures,
]

/** Work that runs by the clock. */
export const schedules: readonly Schedule[] = [
  ...accessSchedules,
  ...payrollSchedules,
  ...analyticsSchedules,
  ...automationSchedules,
  ...backupSchedules,
  ...trainingSchedules,
  ...techSchedules,
  healthSchedule(probes),
  ...certificationSchedules,
  ...growthSchedules,
  ...marketingSchedules,
  ...supportSchedules,
  {
    name: 'audit-chain',
    title: 'Seal the audit log',
    cron: '* * * * *',
    zone: 'UTC',
    run: async ({ db }) => ({ sealed: await extendAuditChain(db) }),
  },
  {
    name: 'tidy',
    title: 'Forget old request keys and limits',
    cron: '17 * * * *',
    zone: 'UTC',
    run: async ({ db, clock }) => {
      const before = shift(clock.now(), -DAY)
      await forgetOldKeys(db, before)
      await forgetOldTries(db, before)
    },
  },
  {
    name: 'event-days',
    title: 'Prepare the coming days of usage events',
    cron: '0 3 * * *',
    zone: 'UTC',
    run: ({ pool, clock }) => prepareEventDays(pool, clock.now(), 7),
  },
]

/** Who may hear which live updates. */
export const topics: LiveTopics = {
  session: 'signed-in',
  access: 'access.manage',
  analytics: 'analytics.view',
  automation: 'automation.manage',
  businesses: ['businesses.manage', 'growth.tab'],
  [BACKUPS_TOPIC]: 'backups.initiate',
  errors: 'errors.view',
  health: 'health.view',
  integrations: 'integrations.events',
  certifications: 'businesses.manage',
  stretchers: 'businesses.manage',
  [TRAINING_TOPIC]: 'training.manage',
  [CUSTOMERS_TOPIC]: ['users.overview', 'users.directory'],
  [SUGGESTIONS_TOPIC]: 'kb.suggest',
  [TICKETS_TOPIC]: 'tickets.handle',
  [PRESENCE_TOPIC]: 'tickets.handle',
  [SAVED_REPLIES_TOPIC]: 'tickets.handle',
  [LEADS_TOPIC]: 'growth.tab',
  [CAMPAIGNS_TOPIC]: 'growth.tab',
  [GROWTH_TOPIC]: 'growth.tab',
  [TEXTS_TOPIC]: ['support.tab', 'users.overview', 'users.directory'],
  [NOTIFICATIONS_TOPIC]: 'notifications.view',
  payroll: ['payroll.audit', 'payroll.details', 'payroll.summary', 'payroll.transactions'],
  'payroll.audit': 'payroll.audit',
  'payroll.settings': 'payroll.settings',
  '*': 'signed-in',
}

/** Stops the start when a call is not served, served twice, or served without standing in the contract. */
export function checkRoutes(routes: readonly Route[]) {
  const served = new Map<string, number>()
  for (const { call } of routes) {
    const name = `${call.method} ${call.path}`
    if (!call.permission) throw new Error(`${name} has no permission`)
    if (!calls.includes(call)) throw new Error(`${name} is not in the contract's list of calls`)
    served.set(name, (served.get(name) ?? 0) + 1)
  }
  for (const call of calls) {
    const times = served.get(`${call.method} ${call.path}`) ?? 0
    if (times !== 1) throw new Error(`${call.method} ${call.path} is served ${times} times; once is right`)
  }
}
