import type { Insertable } from 'kysely'
import type { Db, Tables } from '#platform/db/db.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'

/** A mailbox whose emails are forwarded. */
export const makeMailbox = (
  db: Db,
  overrides: Partial<Insertable<Tables['mailboxes']>> & Pick<Insertable<Tables['mailboxes']>, 'created_by'>,
) =>
  db
    .insertInto('mailboxes')
    .values({
      address: 'help@example.com',
      name: 'Help',
      incoming: 'forward',
      created_at: factoryNow(),
      starts_at: factoryNow(),
      ...overrides,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
