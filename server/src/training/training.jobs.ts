import { DAY, shift } from '#platform/clock.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'
import type { Services } from '#platform/services.ts'
import { findKnownNames } from './assets/asset.queries.ts'
import { REMOVE_FILES, storageKey } from './assets/files.ts'

const PREFIX = storageKey('')
const BATCH_SIZE = 500

/** Deletes files without a record that are more than a day old. A crash between file and record leaves such files. */
export async function sweepFiles({ db, storage, clock }: Pick<Services, 'db' | 'storage' | 'clock'>) {
  const before = shift(clock.now(), -DAY)
  let removed = await storage.sweep(PREFIX, before)
  let names: string[] = []
  const sweepBatch = async () => {
    const known = await findKnownNames(db, names)
    for (const name of names) {
      if (known.has(name)) continue
      await storage.delete(storageKey(name))
      removed++
    }
    names = []
  }
  for await (const { key, changedAt } of storage.list(PREFIX)) {
    if (changedAt > before) continue
    names.push(key.slice(PREFIX.length))
    if (names.length >= BATCH_SIZE) await sweepBatch()
  }
  await sweepBatch()
  return { removed }
}

export const trainingJobs: readonly Job[] = [
  {
    name: REMOVE_FILES,
    run: async ({ db, storage }, data) => {
      const names = (Array.isArray(data.names) ? data.names : []).map(String)
      // A name that has a record again must stay.
      const known = await findKnownNames(db, names)
      for (const name of names) if (!known.has(name)) await storage.delete(storageKey(name))
    },
  },
]

export const trainingSchedules: readonly Schedule[] = [
  {
    name: 'training-files',
    title: 'Delete unused training files',
    cron: '40 4 * * *',
    zone: 'company',
    run: sweepFiles,
  },
]
