import { randomBytes } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Db, Tables } from '#platform/db/db.ts'

type Draft = Insertable<Tables['texts']>

/** An incoming text message unless overridden. */
export const draftText = (draft: Partial<Draft>): Draft => ({
  sid: `SM${randomBytes(16).toString('hex')}`,
  is_outgoing: false,
  from_number: '+19515550123',
  to_number: '+19515550100',
  body: 'Can I come at nine?',
  media: 0,
  state: draft.is_outgoing ? 'delivered' : 'received',
  error: null,
  sent_at: new Date('2026-11-16T16:00:00Z'),
  worker_id: null,
  outbox_key: null,
  ...draft,
})

export const makeText = (db: Db, draft: Partial<Draft> = {}) =>
  db.insertInto('texts').values(draftText(draft)).returning('id').executeTakeFirstOrThrow()
