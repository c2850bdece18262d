import type { Insertable } from 'kysely'
import type { Db, Tables } from '#platform/db/db.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'

/** Links two tickets as related. */
export const makeLink = (
  db: Db,
  overrides: Omit<Insertable<Tables['ticket_links']>, 'created_at' | 'kind'> &
    Partial<Insertable<Tables['ticket_links']>>,
) =>
  db
    .insertInto('ticket_links')
    .values({ kind: 'related', created_at: factoryNow(), ...overrides })
    .execute()

/** A worker who watches a ticket and has seen everything so far. */
export const makeWatcher = (
  db: Db,
  overrides: { ticket_id: number; worker_id: number } & Partial<Insertable<Tables['ticket_watchers']>>,
) =>
  db
    .insertInto('ticket_watchers')
    .values({ created_at: factoryNow(), seen_at: factoryNow(), ...overrides })
    .execute()

/** A call-back task. */
export const makeTask = (
  db: Db,
  overrides: { ticket_id: number; worker_id: number; due_on: string } & Partial<Insertable<Tables['ticket_tasks']>>,
) =>
  db
    .insertInto('ticket_tasks')
    .values({
      kind: 'callback',
      booking_id: null,
      booking_starts_at: null,
      wanted_at: null,
      created_by: overrides.worker_id,
      created_at: factoryNow(),
      done_at: null,
      done_by: null,
      ...overrides,
    })
    .execute()
