import { MAX_SAVED_REPLIES, type SavedReplyDraft } from '@limber/contract/support/saved-replies/saved-reply.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

export interface SavedReplyRow extends Omit<Row<'saved_replies'>, 'changed_by'> {
  changed_by: string
}

const select = (db: Db) =>
  db
    .selectFrom('saved_replies as r')
    .innerJoin('workers as w', 'w.id', 'r.changed_by')
    .select(['r.id', 'r.name', 'r.content', 'r.actions', 'r.uses', 'r.changed_at', 'w.name as changed_by', 'r.version'])

export const findSavedReplies = (db: Db): Promise<SavedReplyRow[]> =>
  select(db).orderBy(sql`lower(r.name)`).orderBy('r.id').limit(MAX_SAVED_REPLIES).execute()

export const findSavedReply = (db: Db, id: number): Promise<SavedReplyRow | undefined> =>
  select(db).where('r.id', '=', id).executeTakeFirst()

export const lockSavedReply = (db: Db, id: number) =>
  db
    .selectFrom('saved_replies')
    .select(['id', 'name', 'content', 'actions', 'uses', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** The actions as a column; none when they were left out. */
const columnsOf = ({ name, content, actions }: SavedReplyDraft) => ({
  name,
  content,
  ...(actions && { actions: JSON.stringify(actions) }),
})

export async function countSavedReplies(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from saved_replies`.execute(db)
  return rows[0]?.count ?? 0
}

/** Creates a reply; returns nothing when the name is taken, also under concurrency. */
export const insertSavedReply = (db: Db, draft: SavedReplyDraft, workerId: number, now: Date) =>
  db
    .insertInto('saved_replies')
    .values({ ...columnsOf(draft), changed_by: workerId, changed_at: now })
    .onConflict((conflict) => conflict.expression(sql`lower(name)`).doNothing())
    .returning('id')
    .executeTakeFirst()

export const saveSavedReply = (db: Db, id: number, draft: SavedReplyDraft, workerId: number, now: Date) =>
  db
    .updateTable('saved_replies')
    .set({ ...columnsOf(draft), changed_by: workerId, changed_at: now, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()

/** A saved reply as it was when it was deleted. */
export type DeletedReply = SavedReplyDraft & { uses: number; version: number }

/** Puts a deleted reply back under its id; returns whether its name is still free. */
export async function putReplyBack(
  db: Db,
  id: number,
  { uses, version, ...draft }: DeletedReply,
  workerId: number,
  now: Date,
): Promise<boolean> {
  const { name, content, actions = '[]' } = columnsOf(draft)
  const { rows } = await sql`
    insert into saved_replies (id, name, content, actions, uses, version, changed_by, changed_at) overriding system value
    values (${id}, ${name}, ${content}, ${actions}, ${uses}, ${version}, ${workerId}, ${now})
    on conflict (lower(name)) do nothing returning id`.execute(db)
  return rows.length > 0
}

export const removeSavedReply = (db: Db, id: number) => db.deleteFrom('saved_replies').where('id', '=', id).execute()
