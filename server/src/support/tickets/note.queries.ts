import type { Db } from '#platform/db/db.ts'

const MAX_NOTES = 200

export const findNotes = (db: Db, customerId: number) =>
  db
    .selectFrom('customer_notes as n')
    .innerJoin('workers as w', 'w.id', 'n.worker_id')
    .select(['n.id', 'n.note', 'n.worker_id as staffId', 'w.name as staffName', 'n.created_at'])
    .where('n.customer_id', '=', customerId)
    .orderBy('n.id', 'desc')
    .limit(MAX_NOTES)
    .execute()

export const insertNote = (db: Db, customer_id: number, worker_id: number, note: string, created_at: Date) =>
  db
    .insertInto('customer_notes')
    .values({ customer_id, worker_id, note, created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
