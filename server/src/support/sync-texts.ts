import { DAY, shift } from '#platform/clock.ts'
import type { Services } from '#platform/services.ts'
import { runWork } from '#platform/work.ts'
import { saveSynced } from './text.queries.ts'
import { findSyncedUntil, saveSyncedUntil } from './text-sync.queries.ts'
import { TEXTS_TOPIC } from './topic.ts'

const FIRST_TIME = 90 * DAY
/** Late reports and clocks that differ: the last day is always read again. */
const OVERLAP = 1 * DAY

/** Fetches what the service has since the last time: messages that no webhook brought, and how others fared. */
export async function syncTexts(services: Services) {
  const { db, clock, texts } = services
  if (!texts) return { skipped: 'No text-message service is set up.' }
  const now = clock.now()
  const until = await findSyncedUntil(db)
  let added = 0
  let changed = 0
  for await (const page of texts.pages(until ? shift(until, -OVERLAP) : shift(now, -FIRST_TIME))) {
    const saved = await runWork(services, { call: 'schedule sync-texts' }, async (work) => {
      const found = await saveSynced(work.db, page)
      if (found.added + found.changed > 0) work.live(TEXTS_TOPIC)
      return found
    })
    added += saved.added
    changed += saved.changed
  }
  await saveSyncedUntil(db, now)
  return { added, changed }
}
