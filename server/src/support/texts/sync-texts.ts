import { DAY, shift } from '#platform/clock.ts'
import { runWork, type Work } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { applyConsent } from './opt-out.ts'
import { findShortMessages, saveSynced } from './text.queries.ts'
import { consentRequest } from './text.rules.ts'
import { findSyncedUntil, saveSyncedUntil } from './text-sync.queries.ts'

const FIRST_SYNC_WINDOW = 90 * DAY
/** Reports can be late and clocks differ, so the last day is always read again. */
const OVERLAP = 1 * DAY

/** Applies each number's latest opt-out or opt-in: a late message does not override a newer one. */
async function applyConsentRequests({ db, now }: Work, received: readonly { from_number: string; body: string }[]) {
  const numbers = new Set(received.filter(({ body }) => consentRequest(body)).map(({ from_number }) => from_number))
  if (numbers.size === 0) return
  for (const { number, body } of await findShortMessages(db, [...numbers])) {
    const request = consentRequest(body)
    if (request && numbers.delete(number)) await applyConsent(db, number, request, now)
  }
}

/** Loads messages from the service since the last sync: ones that no webhook delivered, and new delivery states. */
export async function syncTexts(services: Services) {
  const { db, clock, texts } = services
  if (!texts) return { skipped: 'Text messages are not connected. Set up a text message service first.' }
  const now = clock.now()
  const until = await findSyncedUntil(db)
  let added = 0
  let changed = 0
  for await (const page of texts.pages(until ? shift(until, -OVERLAP) : shift(now, -FIRST_SYNC_WINDOW))) {
    const saved = await runWork(services, { call: 'schedule sync-texts' }, async (work) => {
      const found = await saveSynced(work.db, page)
      await applyConsentRequests(work, found.received)
      if (found.added + found.changed > 0) work.publish('texts')
      return found
    })
    added += saved.added
    changed += saved.changed
  }
  await saveSyncedUntil(db, now)
  return { added, changed }
}
