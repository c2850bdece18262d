import type { Insertable } from 'kysely'
import type { Db, Tables } from '#platform/db/db.ts'
import { randomToken } from '#platform/security/secrets.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'

/** Creates a tag with a unique name. */
export const makeTag = (db: Db, overrides: Partial<Insertable<Tables['ticket_tags']>> = {}) =>
  db
    .insertInto('ticket_tags')
    .values({ name: `tag ${randomToken(4)}`, ...overrides })
    .returning(['id', 'name', 'version'])
    .executeTakeFirstOrThrow()

/** Creates an own view of all tickets with a unique name. */
export const makeView = (db: Db, overrides: Partial<Insertable<Tables['ticket_views']>> & { worker_id: number }) =>
  db
    .insertInto('ticket_views')
    .values({ name: `View ${randomToken(4)}`, changed_at: factoryNow(), ...overrides })
    .returning(['id', 'name', 'version'])
    .executeTakeFirstOrThrow()
