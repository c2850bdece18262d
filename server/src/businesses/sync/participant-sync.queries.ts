import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

export type SyncedParticipant = Pick<
  Row<'onsite_participants'>,
  'session_id' | 'slot' | 'name' | 'email' | 'customer_id' | 'rating' | 'booked_at'
>
export type ParticipantRow = SyncedParticipant & { id: number }

const types = {
  session_id: 'bigint',
  slot: 'int',
  name: 'text',
  email: 'text',
  customer_id: 'bigint',
  rating: 'int',
  booked_at: 'timestamptz',
} as const satisfies Record<keyof SyncedParticipant, string>
export const syncedColumns = Object.keys(types) as (keyof SyncedParticipant)[]

const columnList = sql.join(syncedColumns.map((name) => sql.ref(name)))
const recordType = sql.raw(syncedColumns.map((name) => `${name} ${types[name]}`).join(', '))

/** Locks participants in the order of their ids. */
export async function lockParticipants(db: Db, ids: readonly number[]): Promise<Map<number, ParticipantRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ParticipantRow>`
    select id, ${columnList} from onsite_participants where id = any(${ids}::bigint[])
    order by id for no key update`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

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

/** Inserts participants and returns their ids in the order given. */
export async function insertParticipants(db: Db, rows: readonly SyncedParticipant[]): Promise<number[]> {
  if (rows.length === 0) return []
  const { rows: inserted } = await sql<{ id: number; session_id: number; slot: number }>`
    insert into onsite_participants (${columnList})
    select ${columnList} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(${recordType})
    returning id, session_id, slot`.execute(db)
  const ids = new Map(inserted.map(({ id, session_id, slot }) => [`${session_id}.${slot}`, id]))
  return rows.map(({ session_id, slot }) => {
    const id = ids.get(`${session_id}.${slot}`)
    if (id === undefined) throw new Error('An inserted participant was not returned.')
    return id
  })
}

export async function updateParticipants(db: Db, rows: readonly ParticipantRow[]) {
  if (rows.length === 0) return
  const assignments = sql.join(syncedColumns.map((name) => sql`${sql.ref(name)} = r.${sql.ref(name)}`))
  await sql`
    update onsite_participants p set ${assignments}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id bigint, ${recordType})
    where p.id = r.id`.execute(db)
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

export const findParticipantRecords = async (db: Db, ids: readonly number[]): Promise<ParticipantRow[]> =>
  ids.length === 0
    ? []
    : db.selectFrom('onsite_participants').select('id').select(syncedColumns).where('id', 'in', ids).execute()
