import type { Db } from '#platform/db/db.ts'
import { liftSuppression, suppress } from '#platform/mail/suppressions.ts'

/** Opts a number out of text messages or in again, as its owner requested. */
export async function obey(db: Db, number: string, asked: 'stop' | 'start', now: Date) {
  if (asked === 'stop')
    await suppress(db, number, { channel: 'text', reason: 'stop_word', source: 'text message' }, now)
  else await liftSuppression(db, 'text', number, 'stop_word')
}
