import { IMPORT_DAYS } from '@limber/contract/imports/import-values.ts'
import { DAY, HOUR, shift } from '#platform/clock.ts'
import { type OutboxMessage, runWork } from '#platform/db/work.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'
import type { Services } from '#platform/services.ts'
import { fileKey } from './import-files.ts'
import { findExpired, findKnownKeys, forgetFile } from './imports.queries.ts'
import { findAbandoned } from './run/run.queries.ts'
import { type ImportTargets, runImport } from './run/run-import.ts'

const RUN_IMPORT = 'import'
const REMOVE_FILE = 'import-remove-file'

/** Starts the job after the transaction commits. */
export const runMessage = (id: number, now: Date, about: string): OutboxMessage => ({
  channel: 'job',
  key: `import-${id}-${now.getTime()}`,
  payload: { name: RUN_IMPORT, data: { id } },
  about,
})

export const removeFileMessage = (key: string): OutboxMessage => ({
  channel: 'job',
  key: `import-file:${key}`,
  payload: { name: REMOVE_FILE, data: { key } },
  about: 'Delete an imported file',
})

export const importJobs = (targets: ImportTargets): readonly Job[] => [
  { name: RUN_IMPORT, run: (services, data) => runImport(services, targets, Number(data.id)) },
  { name: REMOVE_FILE, run: ({ storage }, data) => storage.delete(String(data.key)) },
]

/** Continues imports that no process works on any more, such as after a long outage of the database. */
async function resumeImports(services: Services) {
  const abandoned = await findAbandoned(services.db)
  await runWork(services, { call: 'schedule' }, async ({ now, enqueue }) => {
    for (const { id } of abandoned) enqueue(runMessage(id, now, 'Continue an import'))
  })
  return { resumed: abandoned.length }
}

/** Deletes files and rows of imports after seven days, and files that belong to none. */
export async function tidyImports({ db, storage, clock }: Pick<Services, 'db' | 'storage' | 'clock'>) {
  const now = clock.now()
  const expired = await findExpired(db, shift(now, -IMPORT_DAYS * DAY))
  for (const { id, file_key } of expired) {
    await forgetFile(db, id)
    if (file_key !== null) await storage.delete(file_key)
  }
  // A file that is being uploaded has no import yet.
  const before = shift(now, -2 * HOUR)
  let removed = await storage.sweep(fileKey(''), before)
  const known = await findKnownKeys(db)
  for await (const { key, changedAt } of storage.list(fileKey(''))) {
    if (changedAt > before || known.has(key)) continue
    await storage.delete(key)
    removed++
  }
  return { expired: expired.length, removed }
}

export const importSchedules: readonly Schedule[] = [
  { name: 'imports', title: 'Continue interrupted imports', cron: '* * * * *', zone: 'UTC', run: resumeImports },
  { name: 'import-files', title: 'Delete old import files', cron: '50 * * * *', zone: 'UTC', run: tidyImports },
]
