import { calls } from '@limber/contract/calls.ts'
import { liveTopics } from '@limber/contract/kit/live.ts'
import { makeApiKeyFinder } from '#access/api-keys/api-key-finder.ts'
import { accessArea } from '#access/area.ts'
import { makeSessionFinder } from '#access/sessions/session.queries.ts'
import { analyticsArea } from '#analytics/area.ts'
import { automationArea } from '#automation/area.ts'
import { backupsArea } from '#backups/area.ts'
import { businessesArea } from '#businesses/area.ts'
import { findZoneIds, locatePostalCode } from '#businesses/public.ts'
import { certificationsArea } from '#certifications/area.ts'
import { companyArea } from '#company/area.ts'
import { growthArea } from '#growth/area.ts'
import { importsArea } from '#imports/area.ts'
import { marketingArea } from '#marketing/area.ts'
import { payrollArea } from '#payroll/area.ts'
import { bookingPay } from '#payroll/public.ts'
import type { Area } from '#platform/area.ts'
import { extendAuditChain } from '#platform/audit/audit-chain.ts'
import { writeWitness } from '#platform/audit/audit-witness.ts'
import { openWitness } from '#platform/audit/witness-place.ts'
import { DAY, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { deleteOldKeys } from '#platform/http/idempotency.ts'
import { metaRoutes } from '#platform/http/meta.routes.ts'
import type { Route } from '#platform/http/routes.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'
import type { LiveTopics } from '#platform/live/live.ts'
import type { FindSender } from '#platform/mail/mail.ts'
import type { Channels } from '#platform/outbox/outbox.ts'
import { deleteOldTries } from '#platform/security/limits.ts'
import type { Services } from '#platform/services.ts'
import { batchesOf, readersOf } from '#platform/sync/resource-routes.ts'
import { createEventPartitions } from '#platform/telemetry/events.ts'
import { workGauges } from '#platform/telemetry/work.gauges.ts'
import { stretchersArea } from '#stretchers/area.ts'
import { supportArea } from '#support/area.ts'
import { techArea } from '#tech/area.ts'
import { trainingArea } from '#training/area.ts'
import { enrollInRequiredCourses, findRequiredCourses, findTrainingProgress } from '#training/public.ts'

/** The areas of the product. A new area adds a line. */
const areas: readonly Area[] = [
  accessArea(() => all),
  analyticsArea,
  automationArea,
  backupsArea,
  companyArea,
  payrollArea,
  businessesArea,
  certificationsArea,
  stretchersArea(
    { enroll: enrollInRequiredCourses, findProgress: findTrainingProgress, findCourses: findRequiredCourses },
    () => all,
  ),
  trainingArea,
  supportArea(() => all, { findZoneIds, locatePostalCode }, bookingPay),
  marketingArea,
  growthArea,
  importsArea(
    () => importTargets(),
    () => fileReaders(),
  ),
]
export const all: readonly Area[] = [...areas, techArea(areas.flatMap(({ probes }) => probes ?? []))]

/** How each kind of record that files may have is written, by its name. */
export const importTargets = () =>
  new Map([
    ...batchesOf(areas.flatMap((area) => area.routes())),
    ...areas.flatMap(({ fileBatches }) => [...(fileBatches ?? [])]),
  ])

/** How all records of each kind are read for a file, by its name. */
const fileReaders = () =>
  new Map([
    ...readersOf(areas.flatMap((area) => area.routes())),
    ...areas.flatMap((area) => [...(area.fileReaders ?? [])]),
  ])

/** Every route of the product. */
export function allRoutes(db: Db): { routes: Route[]; sessions: ReturnType<typeof makeSessionFinder> } {
  const sessions = makeSessionFinder(db)
  return { sessions, routes: [...metaRoutes(calls, sessions), ...all.flatMap((area) => area.routes())] }
}

/** How the API keys of programs are found, and their use is counted. */
export const findApiKeys = makeApiKeyFinder

export const jobs = all.flatMap((area) => area.jobs ?? [])

export const areaChannels = (services: Services): Channels =>
  Object.assign({}, ...all.map((area) => area.channels?.(services)))

/** The area with the mailboxes finds their senders. */
export const findSenderOf = (services: Services): FindSender | undefined =>
  all.find((area) => area.mailSender)?.mailSender?.(services)

/** What `/metrics` shows of the database. */
export const gauges = [...workGauges, ...all.flatMap((area) => area.gauges ?? [])]

export const backgroundLoops = all.flatMap((area) => area.backgroundLoops ?? [])

/** The schedules of the areas and of the platform. */
export const schedules: readonly Schedule[] = [
  ...all.flatMap((area) => area.schedules ?? []),
  {
    name: 'audit-chain',
    title: 'Seal the audit log',
    cron: '* * * * *',
    zone: 'UTC',
    run: async ({ db }) => ({ sealed: await extendAuditChain(db) }),
  },
  {
    name: 'audit-witness',
    title: 'Write the end of the audit log to its witness',
    cron: '9 * * * *',
    zone: 'UTC',
    run: async (services) => {
      const { config, clock } = services
      if (config.auditWitness === undefined) return { skipped: 'AUDIT_WITNESS is not set.' }
      const end = await writeWitness(services, openWitness(config.auditWitness, config), clock.now())
      return { row: end?.seq ?? 0 }
    },
  },
  {
    name: 'tidy',
    title: 'Delete old request keys and rate limits',
    cron: '17 * * * *',
    zone: 'UTC',
    run: async ({ db, clock }) => {
      const before = shift(clock.now(), -DAY)
      await deleteOldKeys(db, before)
      await deleteOldTries(db, before)
    },
  },
  {
    name: 'event-days',
    title: 'Create partitions for the next days of usage events',
    cron: '0 3 * * *',
    zone: 'UTC',
    run: ({ pool, clock }) => createEventPartitions(pool, clock.now(), 7),
  },
]

/** Who may receive which live updates. `*` tells everyone to refetch. */
export const topics: LiveTopics = { ...liveTopics, '*': 'signed-in' }

/** Stops the start when a call is not served, served twice, or not in the contract. */
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
    if (times !== 1) throw new Error(`${call.method} ${call.path} is served ${times} times instead of once`)
  }
}
