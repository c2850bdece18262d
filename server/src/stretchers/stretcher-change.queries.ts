import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

interface NewStretcher
  extends Pick<Row<'stretchers'>, 'customer_id' | 'zone_id' | 'first_name' | 'last_name' | 'email' | 'date_of_birth'> {
  needsTraining: boolean
  now: Date
}

/** Returns nothing if the user is already a stretcher, so of two concurrent promotions one succeeds. */
export const insertStretcher = (db: Db, { needsTraining, now, ...person }: NewStretcher) =>
  db
    .insertInto('stretchers')
    .values({
      ...person,
      status: needsTraining ? 'in_training' : 'active',
      hired_at: now,
      trained_at: needsTraining ? null : now,
      deactivated_at: null,
      deactivated_reason: null,
      deactivated_by: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()

export const findExistingStretcher = (db: Db, who: { email: string } | { customerId: number }) =>
  db
    .selectFrom('stretchers')
    .select(['id', 'first_name', 'last_name', 'status'])
    .where((row) => ('email' in who ? row('email', '=', who.email) : row('customer_id', '=', who.customerId)))
    .executeTakeFirst()

interface StretcherUpdate {
  first_name?: string
  last_name?: string
  date_of_birth?: string | null
  zone_id?: number | null
  status?: 'active' | 'inactive' | 'in_training'
  trained_at?: Date
  deactivated_at?: Date | null
  deactivated_reason?: string | null
  deactivated_by?: number | null
}

export const saveStretcher = (db: Db, id: number, change: StretcherUpdate) =>
  db
    .updateTable('stretchers')
    .set({ ...change, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()

/** Locks the zone against deletion. Returns whether it exists. */
export async function lockZone(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`select from zones where id = ${id} for key share`.execute(db)
  return rows.length > 0
}

/** Locks the stretcher in training. When two courses end at once, the second sees the first. */
export async function lockInTraining(db: Db, customerId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from stretchers where customer_id = ${customerId} and status = 'in_training' for update`.execute(db)
  return rows[0]?.id
}
