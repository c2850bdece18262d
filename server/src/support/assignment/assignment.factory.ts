import type { Insertable } from 'kysely'
import type { Db, Tables } from '#platform/db/db.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'

/** Sets up the round robin of all unassigned tickets, or of a view. */
export async function makeRoundRobin(
  db: Db,
  { members, ...overrides }: Partial<Insertable<Tables['round_robins']>> & { members: readonly number[] },
) {
  const created = await db
    .insertInto('round_robins')
    .values({ view_id: null, is_on: true, max_open: 20, changed_at: factoryNow(), ...overrides })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow()
  for (const worker_id of members)
    await db.insertInto('round_robin_members').values({ round_robin_id: created.id, worker_id }).execute()
  return created
}

/** Plans days out of office. */
export const makeAbsence = (
  db: Db,
  overrides: Partial<Insertable<Tables['absences']>> & { worker_id: number; starts_on: string; ends_on: string },
) =>
  db
    .insertInto('absences')
    .values({
      substitute_id: null,
      hands_over: true,
      handed_over_at: null,
      created_by: overrides.worker_id,
      created_at: factoryNow(),
      ...overrides,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
