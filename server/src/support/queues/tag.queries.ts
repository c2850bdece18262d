import { MAX_TAGS, type TicketTag } from '@limber/contract/support/queues/tag.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

const tickets = sql<number>`coalesce((
  select sum((k.counts ->> 'n')::bigint) from kept_counts k
  where k.scope like 'cell %' and k.scope ~>=~ ('cell ' || g.id || ' ') and k.scope ~<~ ('cell ' || g.id || '!')), 0)::bigint`

export async function findTags(db: Db): Promise<TicketTag[]> {
  const { rows } = await sql<TicketTag>`
    select g.id, g.name, g.version, ${tickets} as tickets from ticket_tags g
    where g.removed_at is null order by lower(g.name) limit ${sql.lit(MAX_TAGS)}`.execute(db)
  return rows
}

export async function findTag(db: Db, id: number): Promise<TicketTag | undefined> {
  const { rows } = await sql<TicketTag>`
    select g.id, g.name, g.version, ${tickets} as tickets from ticket_tags g
    where g.id = ${id} and g.removed_at is null`.execute(db)
  return rows[0]
}

export async function countTags(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ticket_tags where removed_at is null`.execute(db)
  return rows[0]?.count ?? 0
}

/** The name of a tag that a ticket can get. Until the commit nobody can remove the tag. */
export async function lockTagName(db: Db, id: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('ticket_tags')
    .select('name')
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return row?.name
}

/** Locks tags in the order of their ids against changes and against being used. */
export const lockTags = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('ticket_tags')
    .select(['id', 'name', 'version'])
    .where('id', '=', sql<number>`any(${ids})`)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()

/** Creates a tag; returns nothing when the name is taken, also under concurrency. */
export const insertTag = (db: Db, name: string) =>
  db
    .insertInto('ticket_tags')
    .values({ name })
    .onConflict((conflict) => conflict.expression(sql`lower(name)`).where('removed_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()

export const saveTagName = (db: Db, id: number, name: string) =>
  db.updateTable('ticket_tags').set({ name, version: sql`version + 1` }).where('id', '=', id).execute()

/** Hides a tag, or shows another one in its place. Views follow at once. */
export async function markTagRemoved(db: Db, id: number, into: number | null, now: Date): Promise<void> {
  await sql`update ticket_tags set replaced_by_id = ${into} where replaced_by_id = ${id}`.execute(db)
  await sql`update ticket_views set tag_id = ${into}, version = version + 1 where tag_id = ${id}`.execute(db)
  await sql`update ticket_tags set removed_at = ${now}, replaced_by_id = ${into}, version = version + 1 where id = ${id}`.execute(
    db,
  )
}

/** Takes a removed tag off some of its tickets, or replaces it there; deletes the tag after the last ones. */
export async function clearTag(db: Db, id: number, limit: number): Promise<{ ids: number[]; isDone: boolean }> {
  const tag = await db
    .selectFrom('ticket_tags')
    .select('replaced_by_id')
    .where('id', '=', id)
    .where('removed_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (!tag) return { ids: [], isDone: true }
  const { replaced_by_id: into } = tag
  const rest = sql`array_remove(t.tags, ${id}::bigint)`
  const tags =
    into === null ? rest : sql`case when ${into} = any(t.tags) then ${rest} else ${rest} || ${into}::bigint end`
  const { rows } = await sql<{ id: number }>`
    with found as materialized (
      select id from tickets where tags <> '{}' and tags @> array[${id}::bigint] limit ${limit}
    ), held as materialized (
      select t.id from tickets t where t.id in (select id from found) order by t.id for no key update)
    update tickets t set tags = ${tags}, version = version + 1 from held where t.id = held.id returning t.id`.execute(
    db,
  )
  const isDone = rows.length < limit
  if (isDone) await db.deleteFrom('ticket_tags').where('id', '=', id).execute()
  return { ids: rows.map((row) => row.id), isDone }
}
