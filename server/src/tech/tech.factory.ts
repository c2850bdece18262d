import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Db, Tables } from '#platform/db/db.ts'
import type { Keyring } from '#platform/security/secrets.ts'

let serial = 0

type FailureDraft = Partial<Insertable<Tables['event_failures']>> & { at: Date }

/** A failed call that is not grouped yet. */
export async function makeFailure(db: Db, draft: FailureDraft): Promise<void> {
  await db
    .insertInto('event_failures')
    .values({
      event_id: randomUUID(),
      source: 'staff',
      user_id: null,
      worker_id: null,
      method: 'GET',
      url: draft.path ?? '/api/things',
      path: '/api/things',
      status: 500,
      ms: 12.5,
      address: '203.0.113.7',
      request_id: randomUUID(),
      code: 'broken',
      text: 'Something went wrong on our side. It has been recorded.',
      cause: 'TypeError in findThing, server/src/things/thing.queries.ts:12',
      group_id: null,
      ...draft,
    })
    .execute()
}

interface DeliveryDraft extends Omit<Partial<Insertable<Tables['outbox']>>, 'payload'> {
  created_at: Date
  payload?: unknown
}

/** An outgoing delivery; a waiting email by default. */
export async function makeDelivery(db: Db, keyring: Keyring, { payload, ...draft }: DeliveryDraft): Promise<number> {
  const content = payload ?? { to: 'robin.vale@example.com', subject: 'Hello', text: 'Your code is 482915.' }
  const row = await db
    .insertInto('outbox')
    .values({
      channel: 'mail',
      key: `delivery-${++serial}-${randomUUID()}`,
      payload: keyring.seal('outbox', JSON.stringify(content)),
      about: 'a test',
      next_try_at: draft.created_at,
      leased_until: null,
      last_try_at: null,
      last_error: null,
      sent_at: null,
      outside_id: null,
      retried_at: null,
      retried_by: null,
      discarded_at: null,
      discarded_by: null,
      discard_reason: null,
      ...draft,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
