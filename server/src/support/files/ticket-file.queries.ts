import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

export type FileRow = Row<'ticket_files'>
/** A file before its record has an owner. */
export type NewFile = Omit<FileRow, 'id' | 'ticket_id' | 'message_id' | 'worker_id' | 'created_at'>

/** The files of a customer's message. */
export async function insertMessageFiles(db: Db, messageId: number, files: readonly NewFile[], now: Date) {
  if (files.length === 0) return
  const rows = files.map((file) => ({ ...file, message_id: messageId, created_at: now }))
  await db.insertInto('ticket_files').values(rows).execute()
}

interface Draft {
  ticketId: number
  workerId: number
}

/** A file for a reply that is not sent yet. */
export const insertDraftFile = (db: Db, { ticketId, workerId }: Draft, file: NewFile, now: Date): Promise<FileRow> =>
  db
    .insertInto('ticket_files')
    .values({ ...file, ticket_id: ticketId, worker_id: workerId, created_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()

export const findDraftFiles = (db: Db, { ticketId, workerId }: Draft): Promise<FileRow[]> =>
  db
    .selectFrom('ticket_files')
    .selectAll()
    .where('ticket_id', '=', ticketId)
    .where('worker_id', '=', workerId)
    .orderBy('id')
    .execute()

/** A sent or received file, or one of the worker's own that is not sent yet. */
export const findFile = (db: Db, id: number, workerId: number): Promise<FileRow | undefined> =>
  db
    .selectFrom('ticket_files')
    .selectAll()
    .where('id', '=', id)
    .where((is) => is.or([is('message_id', 'is not', null), is('worker_id', '=', workerId)]))
    .executeTakeFirst()

/** Removes a worker's file that is not sent yet. */
export const removeDraftFile = (db: Db, id: number, workerId: number) =>
  db
    .deleteFrom('ticket_files')
    .where('id', '=', id)
    .where('worker_id', '=', workerId)
    .where('message_id', 'is', null)
    .returning(['name', 'ticket_id'])
    .executeTakeFirst()

/** Locks the files that a worker wants to send with a reply. */
export const lockDraftFiles = (db: Db, { ticketId, workerId }: Draft, ids: readonly number[]): Promise<FileRow[]> =>
  db
    .selectFrom('ticket_files')
    .selectAll()
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .where('ticket_id', '=', ticketId)
    .where('worker_id', '=', workerId)
    .orderBy('id')
    .forUpdate()
    .execute()

/** The files belong to the reply from now on. */
export const attachFiles = (db: Db, ids: readonly number[], messageId: number) =>
  db
    .updateTable('ticket_files')
    .set({ ticket_id: null, message_id: messageId })
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()

/** The given names that have a record. */
export async function findKnownNames(db: Db, names: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select name from ticket_files where name = any(${names})`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** Deletes the files of replies that were never sent. */
export const removeOldDrafts = (db: Db, before: Date) =>
  db.deleteFrom('ticket_files').where('ticket_id', 'is not', null).where('created_at', '<', before).execute()

const SCANNED_AT_ONCE = 50

export const findUnscanned = (db: Db, after: number): Promise<Pick<FileRow, 'id' | 'name'>[]> =>
  db
    .selectFrom('ticket_files')
    .select(['id', 'name'])
    .where('state', '=', 'unscanned')
    .where('id', '>', after)
    .orderBy('id')
    .limit(SCANNED_AT_ONCE)
    .execute()

/** Stores a verdict. Returns the ticket; undefined when the file is gone or has a verdict already. */
export async function saveVerdict(
  db: Db,
  id: number,
  { state, scanned_at, virus }: Pick<NewFile, 'state' | 'scanned_at' | 'virus'>,
): Promise<number | undefined> {
  const { rows } = await sql<{ ticket_id: number }>`
    update ticket_files f set state = ${state}, scanned_at = ${scanned_at}, virus = ${virus},
      name = case when ${state}::text = 'infected' then null else name end
    where id = ${id} and state = 'unscanned'
    returning coalesce(f.ticket_id, (select m.ticket_id from ticket_messages m where m.id = f.message_id)) as ticket_id`.execute(
    db,
  )
  return rows[0]?.ticket_id
}

/** Deletes the records of the files of a person's tickets and returns the names of the files. */
export async function removeFilesOf(db: Db, ids: readonly number[], emails: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string | null }>`
    with their_tickets as (
      select id from tickets where customer_id = any(${ids}::bigint[])
      union select id from tickets where customer_id is null and customer_email = any(${emails}::text[]))
    delete from ticket_files where id in (
      select f.id from ticket_files f join ticket_messages m on m.id = f.message_id
        where m.ticket_id in (select id from their_tickets)
      union select id from ticket_files where ticket_id in (select id from their_tickets))
    returning name`.execute(db)
  return rows.flatMap(({ name }) => name ?? [])
}
