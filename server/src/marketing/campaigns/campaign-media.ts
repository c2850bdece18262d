import { DAY, shift } from '#platform/clock.ts'
import type { Services } from '#platform/services.ts'
import { findKnownMedia } from './campaign.queries.ts'

/** The storage key of a campaign file. */
export const mediaKey = (name: string) => `campaigns/${name}`

const PREFIX = mediaKey('')
const BATCH_SIZE = 500

/** Deletes files older than a day without a record. A crash between file and record leaves such files. */
export async function sweepMedia({ db, storage, clock }: Pick<Services, 'db' | 'storage' | 'clock'>) {
  const before = shift(clock.now(), -DAY)
  let removed = await storage.sweep(PREFIX, before)
  const old: string[] = []
  for await (const { key, changedAt } of storage.list(PREFIX))
    if (changedAt <= before) old.push(key.slice(PREFIX.length))
  for (let at = 0; at < old.length; at += BATCH_SIZE) {
    const names = old.slice(at, at + BATCH_SIZE)
    const known = await findKnownMedia(db, names)
    for (const name of names) {
      if (known.has(name)) continue
      await storage.delete(mediaKey(name))
      removed += 1
    }
  }
  return { removed }
}
