import type { Db } from '#platform/db/db.ts'
import { removeSuppression, suppress } from '#platform/mail/suppressions.ts'

/** Opts a number out of text messages or in again, as its owner requested. */
export async function applyConsent(db: Db, number: string, request: 'stop' | 'start', now: Date) {
  if (request === 'stop')
    await suppress(db, number, { channel: 'text', reason: 'stop_word', source: 'text message' }, now)
  else await removeSuppression(db, 'text', number, 'stop_word')
}
