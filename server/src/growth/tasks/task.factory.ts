import type { Insertable } from 'kysely'
import type { Db, Tables } from '#platform/db/db.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'

export type TaskRow = Insertable<Tables['city_tasks']>

/** An open task for a city without a zone. */
export const draftTask = (overrides: Partial<TaskRow> = {}): TaskRow => ({
  title: 'Open city: Hemet',
  description: '',
  due_on: null,
  priority: 'medium',
  city_name: 'Hemet',
  assignee_id: null,
  created_by: null,
  created_at: factoryNow(),
  done_at: null,
  figures: null,
  ...overrides,
})

export const makeTask = (db: Db, overrides: Partial<TaskRow> = {}) =>
  db.insertInto('city_tasks').values(draftTask(overrides)).returning(['id', 'version']).executeTakeFirstOrThrow()
