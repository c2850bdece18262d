import type { MacroAction } from '@limber/contract/support/saved-replies/macro.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

export const findMacro = (db: Db, id: number) =>
  db.selectFrom('saved_replies').select(['id', 'name', 'actions', 'version']).where('id', '=', id).executeTakeFirst()
export type Macro = NonNullable<Awaited<ReturnType<typeof findMacro>>>

/** Counts a use; false when someone changed the reply since. */
export async function countMacroUse(db: Db, { id, version }: Pick<Macro, 'id' | 'version'>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('saved_replies')
    .set({ uses: sql`uses + 1` })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const idsOf = (actions: readonly MacroAction[]) => ({
  tags: actions.flatMap((action) => (action.type === 'tag' ? [action.tag] : [])),
  workers: actions.flatMap((action) => (action.type === 'assign' && action.worker !== 'me' ? [action.worker] : [])),
})

/** The tags and workers of actions that exist and can be used, by id. */
export async function findMacroNames(db: Db, actions: readonly MacroAction[], code: string) {
  const { tags, workers } = idsOf(actions)
  const { rows } = await sql<{ kind: 'tag' | 'worker'; id: number; name: string }>`
    select 'tag' as kind, id, name from ticket_tags where id = any(${tags}::bigint[]) and removed_at is null
    union all select 'worker', id, name from workers
      where id = any(${workers}::bigint[]) and status = 'active' and permissions @> array[${code}::text]`.execute(db)
  const named = (kind: string) => new Map(rows.filter((row) => row.kind === kind).map(({ id, name }) => [id, name]))
  return { tags: named('tag'), workers: named('worker') }
}

/** Whether every tag and worker of the actions can be used. */
export async function areUsable(db: Db, actions: readonly MacroAction[], code: string): Promise<boolean> {
  const ids = idsOf(actions)
  const { tags, workers } = await findMacroNames(db, actions, code)
  return ids.tags.every((id) => tags.has(id)) && ids.workers.every((id) => workers.has(id))
}

export interface MacroTicket
  extends Pick<
    Row<'tickets'>,
    'id' | 'status' | 'tags' | 'assignee_id' | 'customer_id' | 'merged_into_id' | 'customer_email'
  > {
  credits: number | null
  is_gone: boolean
}

/** A ticket with what its account has to do with macros. */
export async function findMacroTicket(db: Db, id: number): Promise<MacroTicket | undefined> {
  const { rows } = await sql<MacroTicket>`
    select t.id, t.status, t.tags, t.assignee_id, t.customer_id, t.merged_into_id, t.customer_email, c.credits,
      c.erased_at is not null or c.merged_into_id is not null as is_gone
    from tickets t left join customers c on c.id = t.customer_id where t.id = ${id}`.execute(db)
  return rows[0]
}

/** The next session of a customer that was not canceled. */
export async function findNextSession(
  db: Db,
  customerId: number,
  now: Date,
): Promise<{ starts_at: Date; stretcher: string | null } | undefined> {
  const { rows } = await sql<{ starts_at: Date; stretcher: string | null }>`
    select b.starts_at, s.first_name as stretcher from bookings b left join stretchers s on s.id = b.stretcher_id
    where b.customer_id = ${customerId} and b.starts_at > ${now} and b.status in ('requested', 'confirmed')
    order by b.starts_at limit 1`.execute(db)
  return rows[0]
}

/** Actions that add a tag follow it when it is deleted or merged into another one. */
export async function moveMacroTag(db: Db, from: number, into: number | null): Promise<boolean> {
  const rest =
    into === null
      ? sql`case when a.action ->> 'tag' is distinct from ${String(from)} then a.action end`
      : sql`case when a.action ->> 'tag' = ${String(from)} then jsonb_set(a.action, '{tag}', to_jsonb(${into}::bigint)) else a.action end`
  const { numAffectedRows } = await sql`
    update saved_replies r set version = version + 1, actions = (
      select coalesce(jsonb_agg(kept.action order by kept.place), '[]') from (
        select distinct on (moved.action) moved.action, moved.place from (
          select ${rest} as action, a.place from jsonb_array_elements(r.actions) with ordinality a (action, place)) moved
        where moved.action is not null order by moved.action, moved.place) kept)
    where actions @> jsonb_build_array(jsonb_build_object('tag', ${from}::bigint))`.execute(db)
  return Number(numAffectedRows ?? 0n) > 0
}
