import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { columnsOf } from '#platform/sync/columns.queries.ts'

export type SyncedParticipant = Pick<
  Row<'onsite_participants'>,
  'session_id' | 'slot' | 'name' | 'email' | 'customer_id' | 'rating' | 'booked_at'
>
export type ParticipantRow = SyncedParticipant & { id: number }

export const participantColumns = columnsOf<SyncedParticipant>('onsite_participants', {
  session_id: 'bigint',
  slot: 'int',
  name: 'text',
  email: 'text',
  customer_id: 'bigint',
  rating: 'int',
  booked_at: 'timestamptz',
})

/** Who has taken which slot of these sessions. */
export async function findTaken(
  db: Db,
  sessionIds: readonly number[],
): Promise<{ id: number; session_id: number; slot: number }[]> {
  if (sessionIds.length === 0) return []
  const { rows } = await sql<{ id: number; session_id: number; slot: number }>`
    select id, session_id, slot from onsite_participants where session_id = any(${sessionIds}::bigint[])`.execute(db)
  return rows
}

/** The accounts that have these addresses. */
export async function findCustomersByEmail(db: Db, emails: readonly string[]): Promise<Map<string, number>> {
  if (emails.length === 0) return new Map()
  const { rows } = await sql<{ email: string; id: number }>`
    select email, id from customers
    where email = any(${emails}::text[]) and merged_into_id is null and erased_at is null`.execute(db)
  return new Map(rows.map(({ email, id }) => [email, id]))
}

/** Takes a slot; undefined when someone else has it, also under concurrency. */
export const insertParticipant = (db: Db, row: SyncedParticipant) =>
  db
    .insertInto('onsite_participants')
    .values(row)
    .onConflict((conflict) => conflict.constraint('onsite_participants_slot_once').doNothing())
    .returning('id')
    .executeTakeFirst()

export const deleteParticipant = (db: Db, sessionId: number, slot: number) =>
  db
    .deleteFrom('onsite_participants')
    .where('session_id', '=', sessionId)
    .where('slot', '=', slot)
    .returning('id')
    .executeTakeFirst()

/** Whether an address may book with a business. Nobody books with an archived one. */
export async function isAllowed(db: Db, businessId: number, email: string): Promise<boolean> {
  const { rows } = await sql`
    select from business_emails e join businesses b on b.id = e.business_id
    where e.business_id = ${businessId} and e.email = ${email} and b.archived_at is null`.execute(db)
  return rows.length > 0
}
